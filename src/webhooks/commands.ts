/** The write commands of webhooks. A webhook has at most one call that its receiver has not accepted. */

import type { Identity } from "../core/caller.ts";
import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import { webhook_limits } from "../api/limits.ts";
import { own_kind } from "../api/webhooks.ts";
import type { HasFolded, PutNote } from "../mailbox/commands.ts";
import { mailboxCall } from "./body.ts";
import { webhook_internal_limits } from "./limits.ts";
import type { CallResult } from "./receiver.ts";
import { afterFailure, later, pauseEnd } from "./retries.ts";
import * as store from "./store.ts";

/** Published when the webhook of a name was set, woken or deleted. */
export const webhook_topic = "webhook:";

/** What these commands need of mailboxes. */
export interface MailboxRules {
  putNote: PutNote;
  mailboxOf: MailboxOf;
  hasFolded: HasFolded;
}

/** The seq of the latest note of a name, its read mark, and the seq of the latest note that was dropped or cleared. */
export type MailboxOf = (
  tx: Tx,
  owner: string,
) => Promise<{ last_seq: number; read_through: number; dropped_through: number }>;

interface SetInput extends Moment {
  identity: Identity;
  id: string;
  url: string;
  /** A JSON list; null: all. */
  kinds: string | null;
  salt: string;
  authorization_sealed: string | null;
}

/** Sets the webhook of a name, or replaces it. Notes that it has not told of stay due. */
export async function setWebhook(
  tx: Tx,
  { mailboxOf }: MailboxRules,
  { identity, id, url, kinds, salt, authorization_sealed, ...at }: SetInput,
): Promise<Pick<store.WebhookRow, "created" | "previous_until">> {
  const owner = identity.canonical;
  const before = await store.findWebhook(tx, owner);
  const { last_seq } = await mailboxOf(tx, owner);
  const has_previous = before !== undefined && before.url === url;
  const row: store.WebhookRow = {
    ...{ owner, id, url, kinds, salt, authorization_sealed },
    previous_salt: has_previous ? before.salt : null,
    previous_until: has_previous ? later(at, webhook_limits.previous_secret_hours * 3600) : null,
    created: isoTime(at.now_ms),
    through: before?.through ?? last_seq,
    ...awake,
    slow: 0,
    next_at: before ? steadyTime(at) : null,
  };
  await store.deleteCall(tx, owner);
  await store.putWebhook(tx, row);
  tx.announce(webhook_topic + owner);
  return row;
}

const awake = { failing_since: null, failures: 0, asleep: 0 };

/** Deletes a webhook whose receiver wants no calls (410), with a note. */
async function endGone(tx: Tx, rules: MailboxRules, owner: string, id: string, at: Moment): Promise<void> {
  await endWebhookOf(tx, owner);
  await rules.putNote(tx, owner, { id, kind: own_kind, at: isoTime(at.now_ms), content: { how: "gone" } });
}

/** Deletes the webhook of a name. Returns whether there was one. */
export async function endWebhookOf(tx: Tx, canonical: string): Promise<boolean> {
  const has_ended = await store.deleteWebhook(tx, canonical);
  if (has_ended) tx.announce(webhook_topic + canonical);
  return has_ended;
}

export const removeWebhook = (
  tx: Tx,
  { identity }: { identity: Identity; now_ms: number },
): Promise<boolean> => endWebhookOf(tx, identity.canonical);

interface TestedInput extends Moment {
  identity: Identity;
  webhook: string;
  is_accepted: boolean;
  is_slow: boolean;
  /** The status of the answer; absent if there was none. */
  status?: number | undefined;
  note_id: string;
}

/** Wakes a webhook whose receiver has accepted a test, with whether it is slow. Ends one whose receiver wants no calls. */
export async function noteTest(
  tx: Tx,
  rules: MailboxRules,
  { identity, webhook, is_accepted, is_slow, status, note_id, ...at }: TestedInput,
): Promise<null> {
  const found = await store.findWebhook(tx, identity.canonical);
  if (found?.id !== webhook) return null;
  if (status === 410) await endGone(tx, rules, found.owner, note_id, at);
  const slow = is_slow ? 1 : 0;
  // Without a change nothing is announced: that would cut the call that is under way.
  if (!is_accepted || (found.failures === 0 && found.slow <= slow)) return null;
  const next_at = found.failures === 0 ? found.next_at : steadyTime(at);
  await store.setState(tx, found.owner, { ...found, ...awake, slow, next_at });
  tx.announce(webhook_topic + found.owner);
  return null;
}

interface BeginInput extends Moment {
  /** The owner of the webhook. Commands that set or end it have the same member, so that they come before or after. */
  canonical: string;
  /** The node that would make the call; null if there can be no other. */
  node: string | null;
  /** The id of the call, if it is a new one. */
  call_id: string;
  /** The base URL of the service. */
  base: string;
}

/** A call that is to be made now. */
export interface Begun extends Pick<store.WebhookRow, "url" | "authorization_sealed"> {
  webhook: string;
  id: string;
  body: string;
  /** The salts of the secrets that sign. */
  salts: string[];
}

/** What is to be done for a webhook. */
interface Next {
  call: Begun | null;
  /** The steady time when it is looked at again; null: when the call has ended, or when a note comes. */
  next_at: string | null;
}

const nothing: Next = { call: null, next_at: null };

/**
 * Begins the call that is due for a webhook: the one that was not accepted, or a new one if there are unread notes that none has told
 * of. Until `endCall`, the webhook has no time at which it is looked at. Returns null if the node is not the one that makes the calls.
 */
export async function beginCall(
  tx: Tx,
  { mailboxOf, hasFolded }: MailboxRules,
  { canonical: owner, node, call_id, base, ...at }: BeginInput,
): Promise<Next | null> {
  if (node !== null && !(await store.isCaller(tx, node, steadyTime(at)))) return null;
  const webhook = await store.findWebhook(tx, owner);
  if (!webhook) return nothing;
  if (webhook.next_at !== null && webhook.next_at > steadyTime(at))
    return { call: null, next_at: webhook.next_at };
  const { last_seq, read_through, dropped_through } = await mailboxOf(tx, owner);
  const before = await store.findCall(tx, owner);
  const is_open = before !== undefined && before.called === null;
  const pause_ends = before && before.called !== null ? pauseEnd(before.called, at) : "";
  if (pause_ends > steadyTime(at)) {
    await store.setState(tx, owner, { ...webhook, next_at: pause_ends });
    return { call: null, next_at: pause_ends };
  }
  const through = Math.max(webhook.through, is_open ? Math.min(before.through, read_through) : 0);
  if (is_open && through < before.through) {
    if (webhook.next_at !== null) await store.setState(tx, owner, { ...webhook, next_at: null });
    return { call: begunOf(webhook, before, at), next_at: null };
  }
  // What is open was read. If its tries failed, the next call begins anew, unless the webhook sleeps.
  const begun_anew = is_open && webhook.asleep === 0 ? awake : {};
  const covered_through = Math.max(through, read_through);
  const unread = await store.unreadByKind(tx, owner, read_through, through);
  const later = unread.filter(({ later }) => later > 0);
  const isCause = (kind: string) => causesCall(webhook, kind);
  if (
    // An unread note was displaced that no call has covered. Its kind is not known any more: that it causes a call is taken for granted.
    dropped_through > covered_through ||
    later.some(({ kind }) => isCause(kind)) ||
    (later.length > 0 && (await hasFolded(tx, owner, covered_through, isCause)))
  ) {
    const told = { base, unread, through: last_seq, at: isoTime(at.now_ms) };
    return {
      call: await newCall(tx, { ...webhook, ...begun_anew, through }, call_id, told, at),
      next_at: null,
    };
  }
  if (is_open) await store.deleteCall(tx, owner);
  if (is_open || webhook.through < last_seq || webhook.next_at !== null)
    await store.setState(tx, owner, { ...webhook, ...begun_anew, through: last_seq, next_at: null });
  return nothing;
}

/** Stores a new call, which replaces the one before. */
async function newCall(
  tx: Tx,
  webhook: store.WebhookRow,
  id: string,
  told: Omit<Parameters<typeof mailboxCall>[0], "name">,
  at: Moment,
): Promise<Begun> {
  const { owner } = webhook;
  const body = mailboxCall({ ...told, name: await store.nameOf(tx, owner) });
  const call = { id, body, through: told.through, queued: told.at };
  await store.putCall(tx, { owner, ...call, called: null, tries: 0, because: null, status: null });
  await store.setState(tx, owner, { ...webhook, next_at: null });
  return begunOf(webhook, call, at);
}

/** Whether a note of this kind causes a call. One about the webhook itself does not. */
const causesCall = ({ kinds }: store.WebhookRow, kind: string): boolean =>
  kind !== own_kind && (kinds === null || (JSON.parse(kinds) as string[]).includes(kind));

function begunOf(row: store.WebhookRow, { id, body }: { id: string; body: string }, at: Moment): Begun {
  const { id: webhook, url, authorization_sealed } = row;
  return { webhook, id, body, url, authorization_sealed, salts: saltsOf(row, at) };
}

/** The salts of the secrets that sign calls at this time. */
export function saltsOf(
  {
    salt,
    previous_salt,
    previous_until,
  }: Pick<store.WebhookRow, "salt" | "previous_salt" | "previous_until">,
  at: Moment,
): string[] {
  const has_previous = previous_salt !== null && previous_until! > steadyTime(at);
  return has_previous ? [salt, previous_salt] : [salt];
}

interface EndInput extends Moment {
  /** The owner of the webhook, as in `BeginInput`. */
  canonical: string;
  webhook: string;
  /** The id of the call. */
  call: string;
  result: CallResult;
  /** From 0 to 1. */
  chance: number;
  note_id: string;
}

/** Stores how a try ended. Returns when the webhook is looked at again. */
export async function endCall(
  tx: Tx,
  rules: MailboxRules,
  { canonical: owner, webhook: id, call: call_id, result, chance, note_id, ...at }: EndInput,
): Promise<string | null> {
  const webhook = await store.findWebhook(tx, owner);
  const call = await store.findCall(tx, owner);
  // It was set anew or deleted meanwhile, or another node has made the call.
  if (webhook?.id !== id || call?.id !== call_id || call.called !== null) return webhook?.next_at ?? null;
  if (result.is_accepted) return storeAccepted(tx, rules, call, result, at);
  const note = (content: Record<string, unknown>) =>
    rules.putNote(tx, owner, { id: note_id, kind: own_kind, at: isoTime(at.now_ms), content });
  if (result.status === 410) {
    await endGone(tx, rules, owner, note_id, at);
    return null;
  }
  const { because, status = null } = result;
  const state = afterFailure(webhook, result, chance, at);
  // A call of a webhook that sleeps is not tried again: the next one has its notes, too.
  if (state.asleep === 1) await store.deleteCall(tx, owner);
  else await store.putCall(tx, { ...call, tries: call.tries + 1, because, status });
  await store.setState(tx, owner, state);
  if (state.asleep > webhook.asleep)
    await note({ how: "asleep", because, ...(status !== null && { status }) });
  return state.next_at;
}

async function storeAccepted(
  tx: Tx,
  { mailboxOf }: MailboxRules,
  call: store.CallRow,
  { status, is_slow }: CallResult & { is_accepted: true },
  at: Moment,
): Promise<string | null> {
  const { owner, through, tries } = call;
  const called = isoTime(at.now_ms);
  await store.putCall(tx, { ...call, called, because: null, status, tries: tries + 1 });
  // A look that finds nothing would cost another transaction: `beginCall` knows the pause.
  const { last_seq } = await mailboxOf(tx, owner);
  const next_at = last_seq > through ? later(at, webhook_limits.pause_seconds) : null;
  await store.setState(tx, owner, { through, ...awake, slow: is_slow ? 1 : 0, next_at });
  return next_at;
}

interface TakeOverInput extends Moment {
  node: string;
}

/** Makes a node the one that makes the calls, or lets it stay so. Returns which node does. */
export async function takeOver(tx: Tx, { node, ...at }: TakeOverInput): Promise<string> {
  const until = later(at, webhook_internal_limits.caller_silent_seconds_max);
  return (await store.takeOver(tx, { node, until }, steadyTime(at))).node;
}
