/** SQL of webhooks. */

import type { Tx } from "../core/storage.ts";
import { countRows, insertOf, upsertOf } from "../storage/rows.ts";

export interface WebhookRow {
  owner: string;
  /** Another one each time that the webhook is set. */
  id: string;
  url: string;
  /** A JSON list; null: all kinds. */
  kinds: string | null;
  salt: string;
  previous_salt: string | null;
  /** Steady time. */
  previous_until: string | null;
  authorization_sealed: string | null;
  created: string;
  /** Notes up to this seq were told of by a call, or need none. */
  through: number;
  /** Steady time. */
  failing_since: string | null;
  /** Failures since the last success. */
  failures: number;
  asleep: number;
  /** 1: its receiver failed or took long at the last call. */
  slow: number;
  /** Steady time; null: when a note comes. */
  next_at: string | null;
}

export interface CallRow {
  owner: string;
  id: string;
  body: string;
  through: number;
  queued: string;
  called: string | null;
  tries: number;
  because: string | null;
  status: number | null;
}

export const findWebhook = (tx: Tx, owner: string) =>
  tx.get<WebhookRow>("SELECT * FROM webhooks WHERE owner = $1", owner);

export const findCall = (tx: Tx, owner: string) =>
  tx.get<CallRow>("SELECT * FROM webhook_calls WHERE owner = $1", owner);

export const putWebhook = (tx: Tx, row: WebhookRow) => tx.run(...upsertOf("webhooks", row, "owner"));

export const putCall = (tx: Tx, row: CallRow) => tx.run(...upsertOf("webhook_calls", row, "owner"));

/** Deletes the webhook of a name with its call. Returns whether there was one. */
export async function deleteWebhook(tx: Tx, owner: string): Promise<boolean> {
  await deleteCall(tx, owner);
  return (await tx.run("DELETE FROM webhooks WHERE owner = $1", owner)) > 0;
}

export const deleteCall = (tx: Tx, owner: string) =>
  tx.run("DELETE FROM webhook_calls WHERE owner = $1", owner);

/** The columns that say when a webhook is called next. */
export type State = Pick<
  WebhookRow,
  "through" | "failing_since" | "failures" | "asleep" | "slow" | "next_at"
>;

export const setState = (tx: Tx, owner: string, state: State) =>
  tx.run(
    "UPDATE webhooks SET through = $2, failing_since = $3, failures = $4, asleep = $5, slow = $6, next_at = $7 WHERE owner = $1",
    owner,
    state.through,
    state.failing_since,
    state.failures,
    state.asleep,
    state.slow,
    state.next_at,
  );

/** What decides about the queue of a webhook. */
export type Queued = Pick<WebhookRow, "owner" | "id" | "url" | "slow" | "next_at"> & {
  /** 1 if a call was not accepted, or no call has told of a note. */
  due: number;
};

const select_queued =
  "SELECT webhooks.owner, webhooks.id, url, slow, next_at, CASE WHEN last_seq > webhooks.through " +
  "OR (webhook_calls.id IS NOT NULL AND called IS NULL) THEN 1 ELSE 0 END AS due FROM webhooks " +
  "LEFT JOIN mailboxes ON mailboxes.owner = webhooks.owner LEFT JOIN webhook_calls ON webhook_calls.owner = webhooks.owner";

/** The first `limit` webhooks after `owner`. */
export const webhooksAfter = (tx: Tx, owner: string, limit: number) =>
  tx.all<Queued>(`${select_queued} WHERE webhooks.owner > $1 ORDER BY webhooks.owner LIMIT $2`, owner, limit);

export const queuedOf = (tx: Tx, owner: string) =>
  tx.get<Queued>(`${select_queued} WHERE webhooks.owner = $1`, owner);

/** The first `limit` names after `owner` whose webhooks are to be looked at by now, a steady time. */
export const plannedAfter = (tx: Tx, now: string, owner: string, limit: number) =>
  tx.all<{ owner: string }>(
    "SELECT owner FROM webhooks WHERE next_at <= $1 AND owner > $2 ORDER BY owner LIMIT $3",
    now,
    owner,
    limit,
  );

/** When the next webhook after `now` is to be looked at; null if none is. Steady times. */
export const nextPlanned = async (tx: Tx, now: string): Promise<string | null> =>
  (await tx.get<{ next: string | null }>(
    "SELECT MIN(next_at) AS next FROM webhooks WHERE next_at > $1",
    now,
  ))!.next;

/** The unread notes of a kind, and how many of them came after `through`. */
export interface UnreadOfKind {
  kind: string;
  unread: number;
  later: number;
}

export const unreadByKind = (tx: Tx, owner: string, read_through: number, through: number) =>
  tx.all<UnreadOfKind>(
    "SELECT kind, COUNT(*) AS unread, SUM(CASE WHEN seq > $3 THEN 1 ELSE 0 END) AS later " +
      "FROM notes WHERE owner = $1 AND seq > $2 GROUP BY kind ORDER BY kind",
    owner,
    read_through,
    through,
  );

export const nameOf = async (tx: Tx, owner: string): Promise<string> =>
  (await tx.get<{ name: string }>("SELECT name FROM names WHERE canonical = $1", owner))!.name;

export const countWebhooks = (tx: Tx) => countRows(tx, "FROM webhooks");

export const countAsleep = (tx: Tx) => countRows(tx, "FROM webhooks WHERE asleep = 1");

/**
 * How many webhooks have a call that is due, and since when the first of them: one that no receiver has accepted yet, or one that has not
 * begun although there are notes that none has told of. What was read needs no call. Nor do webhooks that sleep count, also during their
 * daily call: their receivers have failed for a day, so their notes wait for the receiver or for a reader.
 */
export const outstanding = async (tx: Tx) =>
  (await tx.get<{ count: number; oldest: string | null }>(
    "SELECT COUNT(*) AS count, MIN(CASE WHEN is_open = 1 THEN queued ELSE " +
      "(SELECT MIN(at) FROM notes WHERE notes.owner = due.owner AND seq > untold) END) AS oldest FROM (" +
      "SELECT webhooks.owner, queued, last_seq, " +
      "CASE WHEN called IS NULL AND webhook_calls.through > read_through THEN 1 ELSE 0 END AS is_open, " +
      "CASE WHEN webhooks.through > read_through THEN webhooks.through ELSE read_through END AS untold " +
      "FROM webhooks JOIN mailboxes ON mailboxes.owner = webhooks.owner " +
      "LEFT JOIN webhook_calls ON webhook_calls.owner = webhooks.owner WHERE asleep = 0" +
      ") AS due WHERE is_open = 1 OR last_seq > untold",
  ))!;

/** The node that makes the calls. */
interface CallerRow {
  node: string;
  /** Steady time. */
  until: string;
}

export const findCaller = (tx: Tx) =>
  tx.get<CallerRow>("SELECT node, until FROM webhook_caller WHERE id = 1");

/** Whether `node` is the one that makes the calls at `now`. */
export async function isCaller(tx: Tx, node: string, now: string): Promise<boolean> {
  const caller = await findCaller(tx);
  return caller?.node === node && caller.until > now;
}

/** Makes `node` the one that makes the calls, unless another one is at `now`. Returns the one that does. */
export async function takeOver(tx: Tx, { node, until }: CallerRow, now: string): Promise<CallerRow> {
  const [sql, ...values] = insertOf(
    "webhook_caller",
    { id: 1, node, until },
    "ON CONFLICT (id) DO UPDATE SET node = excluded.node, until = excluded.until " +
      "WHERE webhook_caller.node = excluded.node OR webhook_caller.until <= $4",
  );
  await tx.run(sql, ...values, now);
  return (await findCaller(tx))!;
}
