/** Runs a write once for each idempotency key. The result is stored in the transaction of the write. */

import { call_errors } from "../core/error_codes.ts";
import { ServiceError } from "../core/errors.ts";
import { storage_limits } from "./limits.ts";
import { isoTime } from "../core/clock.ts";
import type { Once, Tx, Written } from "../core/storage.ts";

interface StoredAnswer {
  fingerprint: string;
  result: string;
  at: string;
}

/** Answers from before this time have expired. */
const oldestValid = ({ at }: Once): string =>
  isoTime(Date.parse(at) - storage_limits.idempotency_hours * 3_600_000);

const findAnswer = (tx: Tx, once: Once): Promise<StoredAnswer | undefined> =>
  tx.get<StoredAnswer>(
    "SELECT fingerprint, result, at FROM idempotent_answers WHERE key_hash = $1 AND at >= $2",
    once.key_hash,
    oldestValid(once),
  );

/** The answer that an earlier release stored in its own table. */
const findEarlier = async (tx: Tx, once: Once): Promise<StoredAnswer | undefined> =>
  once.earlier &&
  tx.get<StoredAnswer>(
    "SELECT fingerprint, result, at FROM answers WHERE key = $1 AND path = $2 AND at >= $3",
    once.earlier.key,
    once.earlier.path,
    oldestValid(once),
  );

function checkSame(stored: StoredAnswer, fingerprint: string): void {
  if (stored.fingerprint === fingerprint) return;
  throw new ServiceError(
    call_errors.idempotency_key_reused,
    "This Idempotency-Key came with another body within the last 24 hours.",
    { hint: "Send the same body again, or take a new key." },
  );
}

/** Whether the same call was answered within the last 24 hours. */
export async function wasAnswered(tx: Tx, once: Once): Promise<boolean> {
  return (await findAnswer(tx, once))?.fingerprint === once.fingerprint;
}

/** Deletes the answers that have expired at the time of `once`. */
async function deleteExpired(tx: Tx, once: Once): Promise<void> {
  const oldest = oldestValid(once);
  await tx.run("DELETE FROM idempotent_answers WHERE at < $1", oldest);
  await tx.run("DELETE FROM answers WHERE at < $1", oldest);
}

/**
 * Runs `command`, or returns the stored result of the first call with this key. Throws `idempotency_key_reused` if the
 * first call had another body. Stores no result if the command wrote nothing: running it again is harmless, and a row for
 * each repetition would fill the disk.
 */
export async function runOnce<Result>(
  tx: Tx,
  once: Once,
  command: () => Promise<Result>,
): Promise<Written<Result>> {
  const stored = await findAnswer(tx, once);
  if (stored) {
    checkSame(stored, once.fingerprint);
    return { result: JSON.parse(stored.result) as Result, repeated: true, first_at: stored.at };
  }
  const earlier = await findEarlier(tx, once);
  if (earlier) {
    checkSame(earlier, once.earlier!.fingerprint);
    return { result: JSON.parse(earlier.result) as Result, repeated: true };
  }
  const rows_before = tx.rows_written;
  const result = await command();
  if (tx.rows_written === rows_before) return { result, repeated: false };
  await deleteExpired(tx, once);
  await tx.run(
    "INSERT INTO idempotent_answers (key_hash, fingerprint, result, at) VALUES ($1, $2, $3, $4)",
    once.key_hash,
    once.fingerprint,
    JSON.stringify(result),
    once.at,
  );
  return { result, repeated: false };
}
