/** Writes that take place once: the answer is kept beside what was written, in the same transaction. */

import { ServiceError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isoTime } from "../clock.ts";
import type { Once, Tx, Written } from "./port.ts";

interface Kept {
  fingerprint: string;
  result: string;
}

/**
 * Runs `act`, or answers with what it gave when it was first called with this key, path and fingerprint. The answer of an
 * act that wrote nothing is not kept: running it again is harmless, and a row for each repetition would fill the disk.
 */
export async function runOnce<Result>(
  tx: Tx,
  once: Once,
  act: () => Promise<Result>,
): Promise<Written<Result>> {
  const oldest = isoTime(Date.parse(once.at) - limits.idempotency_hours * 3_600_000);
  const kept = await tx.get<Kept>(
    "SELECT fingerprint, result FROM answers WHERE key = $1 AND path = $2 AND at >= $3",
    once.key,
    once.path,
    oldest,
  );
  if (kept && kept.fingerprint !== once.fingerprint) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key came with another body within the last 24 hours.",
      {
        hint: "Send the same body again, or take a new key.",
      },
    );
  }
  if (kept) return { result: JSON.parse(kept.result) as Result, repeated: true };
  const rows_before = tx.rows_written;
  const result = await act();
  if (tx.rows_written === rows_before) return { result, repeated: false };
  await tx.run("DELETE FROM answers WHERE at < $1", oldest);
  await tx.run(
    "INSERT INTO answers (key, path, fingerprint, result, at) VALUES ($1, $2, $3, $4, $5)",
    once.key,
    once.path,
    once.fingerprint,
    JSON.stringify(result),
    once.at,
  );
  return { result, repeated: false };
}
