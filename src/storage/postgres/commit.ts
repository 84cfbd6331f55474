/** The end of a transaction whose statements were sent without waiting for all of their results. */

import type { ReservedSQL } from "bun";
import { Overtaken } from "../../core/storage.ts";
import type { PendingWrites } from "./pending_writes.ts";

/**
 * Sends what is pending, records the topics and commits, without waiting for the statements that were sent before. Returns the id of
 * the transaction if it has topics. Throws why a statement failed, or `Overtaken`.
 */
export async function commit(
  handle: ReservedSQL,
  topics: string[],
  pending: PendingWrites,
): Promise<string | null> {
  const recording = topics.length === 0 ? null : pending.record(topics);
  pending.flush();
  const [recorded, committed] = await Promise.allSettled([recording, handle`COMMIT`]);
  const failure = await firstFailure(pending.sent);
  if (failure !== undefined) throw failure;
  if (recorded.status === "rejected") throw recorded.reason;
  if (committed.status === "rejected") throw committed.reason;
  if ((committed.value as { command?: string }).command !== "COMMIT") throw new Overtaken();
  return recorded.value ?? null;
}

/** Why the first of these statements failed; undefined if none did. */
export async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(sent);
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

/** The values of promises that have settled. Throws the reason of the first that was rejected. */
export function fulfilled<Value>(settled: PromiseSettledResult<Value>[]): Value[] {
  return settled.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
