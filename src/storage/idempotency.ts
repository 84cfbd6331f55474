/** Writes that take place once: the answer is kept beside what was written, in the same transaction. */

import { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { isoTime } from "../core/clock.ts";
import type { Once, Tx, Written } from "../core/storage.ts";

interface Kept {
  fingerprint: string;
  result: string;
  at: string;
}

/** Answers from before this time are no longer valid. */
const oldestValid = ({ at }: Once): string => isoTime(Date.parse(at) - limits.idempotency_hours * 3_600_000);

const findKept = (tx: Tx, once: Once): Promise<Kept | undefined> =>
  tx.get<Kept>(
    "SELECT fingerprint, result, at FROM idempotent_answers WHERE key_hash = $1 AND at >= $2",
    once.key_hash,
    oldestValid(once),
  );

/** The answer that a version before this one kept, in its own table. */
const findEarlier = async (tx: Tx, once: Once): Promise<Kept | undefined> =>
  once.earlier &&
  tx.get<Kept>(
    "SELECT fingerprint, result, at FROM answers WHERE key = $1 AND path = $2 AND at >= $3",
    once.earlier.key,
    once.earlier.path,
    oldestValid(once),
  );

function checkSame(kept: Kept, fingerprint: string): void {
  if (kept.fingerprint === fingerprint) return;
  throw new ServiceError(
    "idempotency_key_reused",
    "This Idempotency-Key came with another body within the last 24 hours.",
    { hint: "Send the same body again, or take a new key." },
  );
}

/** Whether the same call was answered within the last 24 hours. */
export async function wasAnswered(tx: Tx, once: Once): Promise<boolean> {
  return (await findKept(tx, once))?.fingerprint === once.fingerprint;
}

/** Deletes the answers that are no longer valid at the time of `once`. */
async function deleteExpired(tx: Tx, once: Once): Promise<void> {
  const oldest = oldestValid(once);
  await tx.run("DELETE FROM idempotent_answers WHERE at < $1", oldest);
  await tx.run("DELETE FROM answers WHERE at < $1", oldest);
}

/**
 * Runs `act`, or answers with what it gave when it was first called with this mark. Throws `idempotency_key_reused` where
 * something else was sent then. The answer of an act that wrote nothing is not kept: running it again is harmless, and a row
 * for each repetition would fill the disk.
 */
export async function runOnce<Result>(
  tx: Tx,
  once: Once,
  act: () => Promise<Result>,
): Promise<Written<Result>> {
  const kept = await findKept(tx, once);
  if (kept) {
    checkSame(kept, once.fingerprint);
    return { result: JSON.parse(kept.result) as Result, repeated: true, first_at: kept.at };
  }
  const earlier = await findEarlier(tx, once);
  if (earlier) {
    checkSame(earlier, once.earlier!.fingerprint);
    return { result: JSON.parse(earlier.result) as Result, repeated: true };
  }
  const rows_before = tx.rows_written;
  const result = await act();
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
