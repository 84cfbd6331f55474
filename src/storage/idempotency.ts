/** Runs a write once for each idempotency key. The result is stored in the transaction of the write. */

import { call_errors } from "../core/error_codes.ts";
import { ServiceError } from "../core/errors.ts";
import { storage_limits } from "./limits.ts";
import { isoTime } from "../core/clock.ts";
import type { IdempotentCall, Tx, Written } from "../core/storage.ts";

interface StoredAnswer {
  fingerprint: string;
  result: string;
  at: string;
}

/** Answers from before this time have expired. */
const oldestValid = ({ at }: IdempotentCall): string =>
  isoTime(Date.parse(at) - storage_limits.idempotency_hours * 3_600_000);

const findAnswer = (tx: Tx, call: IdempotentCall): Promise<StoredAnswer | undefined> =>
  tx.get<StoredAnswer>(
    "SELECT fingerprint, result, at FROM idempotent_answers WHERE key_hash = $1 AND at >= $2",
    call.key_hash,
    oldestValid(call),
  );

/** The answer that an earlier release stored in its own table. */
const findEarlier = async (tx: Tx, call: IdempotentCall): Promise<StoredAnswer | undefined> =>
  call.earlier &&
  tx.get<StoredAnswer>(
    "SELECT fingerprint, result, at FROM answers WHERE key = $1 AND path = $2 AND at >= $3",
    call.earlier.key,
    call.earlier.path,
    oldestValid(call),
  );

function checkSame(stored: StoredAnswer, fingerprint: string): void {
  if (stored.fingerprint === fingerprint) return;
  throw new ServiceError(
    call_errors.idempotency_key_reused,
    "Another call had this idempotency key within the last 24 hours.",
    { hint: "Send the first call again as it was, or this one with a new key." },
  );
}

/** Whether the same call was answered within the last 24 hours. */
export async function wasAnswered(tx: Tx, call: IdempotentCall): Promise<boolean> {
  return (await findAnswer(tx, call))?.fingerprint === call.fingerprint;
}

/** Replaces stored answers that contain `text`, an id, by what `change` makes of them. Reads all of the last 24 hours. */
export async function changeAnswers(
  tx: Tx,
  text: string,
  change: (answer: unknown) => unknown,
): Promise<void> {
  for (const [table, key] of [
    ["idempotent_answers", "key_hash"],
    ["answers", "key"],
  ] as const) {
    const found = await tx.all<{ key: string; result: string }>(
      `SELECT ${key} AS key, result FROM ${table} WHERE result LIKE $1 LIMIT ${storage_limits.changed_answers_max}`,
      `%${text}%`,
    );
    for (const { key: value, result } of found) {
      const changed = JSON.stringify(change(JSON.parse(result)));
      await tx.run(
        `UPDATE ${table} SET result = $1 WHERE ${key} = $2 AND result = $3`,
        changed,
        value,
        result,
      );
    }
  }
}

/** Deletes the answers from before `oldest`. Returns how many. */
export const deleteExpiredAnswers = async (tx: Tx, oldest: string): Promise<number> =>
  (await tx.run("DELETE FROM idempotent_answers WHERE at < $1", oldest)) +
  (await tx.run("DELETE FROM answers WHERE at < $1", oldest));

/** The number of answers from before `oldest`. */
export const countExpiredAnswers = async (tx: Tx, oldest: string): Promise<number> =>
  (await tx.get<{ count: number }>(
    "SELECT (SELECT COUNT(*) FROM idempotent_answers WHERE at < $1) + (SELECT COUNT(*) FROM answers WHERE at < $1) AS count",
    oldest,
  ))!.count;

/**
 * Runs `command`, or returns the stored result of the first call with this key. Throws `idempotency_key_reused` if the
 * first call had another body. Stores no result if the command wrote nothing: running it again is harmless, and a row for
 * each repetition would fill the disk.
 */
export async function runIdempotent<Result>(
  tx: Tx,
  call: IdempotentCall,
  command: () => Promise<Result>,
): Promise<Written<Result>> {
  const stored = await findAnswer(tx, call);
  if (stored) {
    checkSame(stored, call.fingerprint);
    return { result: JSON.parse(stored.result) as Result, repeated: true, first_at: stored.at };
  }
  const earlier = await findEarlier(tx, call);
  if (earlier) {
    checkSame(earlier, call.earlier!.fingerprint);
    return { result: JSON.parse(earlier.result) as Result, repeated: true };
  }
  const rows_before = tx.rows_written;
  const result = await command();
  if (tx.rows_written === rows_before) return { result, repeated: false };
  await deleteExpiredAnswers(tx, oldestValid(call));
  await tx.run(
    "INSERT INTO idempotent_answers (key_hash, fingerprint, result, at) VALUES ($1, $2, $3, $4)",
    call.key_hash,
    call.fingerprint,
    JSON.stringify(result),
    call.at,
  );
  return { result, repeated: false };
}
