/** The write commands of admins on names. One that changes nothing writes no line of the audit log. */

import { refusedTopic } from "../core/caller.ts";
import type { Admin, AdminAction, Audit } from "../core/admin.ts";
import { isoTime, type Moment } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { canonicalName } from "./canonical.ts";
import { name_errors } from "./errors.ts";
import { standingOf, type Standing } from "./standing.ts";
import * as store from "./store.ts";

/** What these commands need from other features. `owner` and `holder` are canonical forms. */
export interface NameAdminRules {
  audit: Audit;
  /** Returns the jobs that a name holds to the board. `name`: its claimed spelling, for the notes to their posters. */
  releaseHeldJobs(tx: Tx, holder: string, name: string, at: Moment): Promise<void>;
  /** Ends the leases of a name, and its places in line. */
  endLeases(tx: Tx, canonical: string, at: Moment): Promise<void>;
  /** Ends the memberships of a name in private rooms. */
  endMemberships(tx: Tx, canonical: string): Promise<unknown>;
  /** Lets the jobs that a name posted and delivered refer to another row of names. */
  moveJobs(tx: Tx, from: string, to: string): Promise<void>;
  /** Throws `scope_missing` if this admin may not erase this locker. */
  eraseLocker(tx: Tx, by: Admin, owner: string): Promise<void>;
  eraseMailbox(tx: Tx, owner: string): Promise<void>;
  endSessions(tx: Tx, canonical: string): Promise<unknown>;
  /** Returns the time of the latest post under a name in this canonical form; null if none of the latest posts is under it. */
  lastPostBy(tx: Tx, canonical: string): Promise<string | null>;
}

export interface NameActionInput extends AdminAction, Pick<Admin, "scopes">, Moment {
  /** In any spelling. */
  name: string;
  /** Its canonical form. It is here so that these commands and those of the holder run one after the other. */
  canonical: string;
  /** Its look key, for the same reason: a claim of a name that looks like it waits. */
  look: string;
}

interface SuspendInput extends NameActionInput {
  /** ISO time; null: without end. */
  until: string | null;
}

/** A name before an action of an admin. */
interface NameFound extends Standing {
  claimed_at: string | null;
  last_post: string | null;
}

/** A name after an action of an admin. */
export interface NameStanding extends Standing {
  name: string;
  claimed: boolean;
  found: NameFound;
}

/** Suspends a name, claimed or not, or changes the end of its suspension. Returns the jobs that it holds to the board. */
export async function suspendName(tx: Tx, rules: NameAdminRules, input: SuspendInput): Promise<NameStanding> {
  const { canonical, row } = await nameOf(tx, input);
  const found = await foundOf(tx, rules, input);
  const rule = await store.findRule(tx, canonical, "suspended");
  if (rule?.until === input.until) return standing(tx, input, found);
  await store.putRule(tx, ruleOf(input, "suspended", input.until));
  if (row) await rules.releaseHeldJobs(tx, canonical, row.name, input);
  await rules.endLeases(tx, canonical, input);
  await rules.endSessions(tx, canonical);
  const end = input.until === null ? "" : ` until ${input.until}`;
  await rules.audit(tx, input, "name.suspend", `name ${canonical}${end}`);
  tx.announce(refusedTopic(canonical));
  return standing(tx, input, found);
}

/** Ends the suspension of a name. */
export const unsuspendName = (tx: Tx, rules: NameAdminRules, input: NameActionInput): Promise<NameStanding> =>
  lift(tx, rules, input, "suspended", "name.unsuspend");

/** Lets nobody claim a name, and nobody without its key speak under it. The holder of a claimed name is not affected. */
export async function reserveName(
  tx: Tx,
  rules: NameAdminRules,
  input: NameActionInput,
): Promise<NameStanding> {
  const canonical = canonicalName(input.name);
  const found = await foundOf(tx, rules, input);
  if (!(await store.findRule(tx, canonical, "reserved"))) {
    await store.putRule(tx, ruleOf(input, "reserved", null));
    await rules.audit(tx, input, "name.reserve", `name ${canonical}`);
  }
  return standing(tx, input, found);
}

/** Ends the reservation of a name. */
export const unreserveName = (tx: Tx, rules: NameAdminRules, input: NameActionInput): Promise<NameStanding> =>
  lift(tx, rules, input, "reserved", "name.unreserve");

/**
 * Frees a claimed name for others. The key and the recovery code stop working; locker and mailbox are erased; held jobs are open
 * again; it is a member of no room. Jobs that it posted or delivered show its name, but belong to nobody: the next holder of the name has no control of
 * them. Ends a suspension. Throws `name_not_claimed`, and `scope_missing` if a moderator would erase a private slot.
 */
export async function releaseName(
  tx: Tx,
  rules: NameAdminRules,
  input: NameActionInput,
): Promise<NameStanding> {
  const { canonical, row } = await nameOf(tx, input);
  const found = await foundOf(tx, rules, input);
  if (!row) {
    throw new ServiceError(name_errors.name_not_claimed, "Nobody has claimed that name.", {
      members: { claimed: false },
    });
  }
  await rules.eraseLocker(tx, input, canonical);
  await rules.releaseHeldJobs(tx, canonical, row.name, input);
  await rules.endLeases(tx, canonical, input);
  await rules.endMemberships(tx, canonical);
  // No name that a caller can have has a space in its canonical form.
  const former = `${canonical} until ${isoTime(input.now_ms)}`;
  await store.insertFormer(tx, canonical, former);
  await rules.moveJobs(tx, canonical, former);
  await rules.eraseMailbox(tx, canonical);
  await rules.endSessions(tx, canonical);
  await store.deleteName(tx, canonical);
  await store.deleteRule(tx, canonical, "suspended");
  await rules.audit(tx, input, "name.release", `name ${canonical}`);
  tx.erases();
  tx.announce(refusedTopic(canonical));
  return standing(tx, input, found);
}

async function lift(
  tx: Tx,
  rules: NameAdminRules,
  input: NameActionInput,
  rule: store.RuleRow["rule"],
  action: string,
): Promise<NameStanding> {
  const canonical = canonicalName(input.name);
  const found = await foundOf(tx, rules, input);
  if ((await store.deleteRule(tx, canonical, rule)) > 0)
    await rules.audit(tx, input, action, `name ${canonical}`);
  return standing(tx, input, found);
}

async function nameOf(tx: Tx, { name }: NameActionInput) {
  const canonical = canonicalName(name);
  return { canonical, row: await store.findName(tx, canonical) };
}

const ruleOf = (
  { name, look, reason, now_ms }: NameActionInput,
  rule: store.RuleRow["rule"],
  until: string | null,
): store.RuleRow => ({
  canonical: canonicalName(name),
  rule,
  name,
  look,
  until,
  reason,
  created: isoTime(now_ms),
});

/** The name before the action. */
async function foundOf(tx: Tx, rules: NameAdminRules, input: NameActionInput): Promise<NameFound> {
  const { canonical, row } = await nameOf(tx, input);
  return {
    claimed_at: row?.created ?? null,
    last_post: await rules.lastPostBy(tx, canonical),
    ...standingOf(await store.readStanding(tx, canonical), isoTime(input.now_ms)),
  };
}

async function standing(tx: Tx, input: NameActionInput, found: NameFound): Promise<NameStanding> {
  const { canonical, row } = await nameOf(tx, input);
  const stored = await store.readStanding(tx, canonical);
  return {
    name: row?.name ?? input.name,
    claimed: row !== undefined,
    ...standingOf(stored, isoTime(input.now_ms)),
    found,
  };
}
