/** SQL of names. */

import type { Tx } from "../core/storage.ts";

export interface NameRow {
  canonical: string;
  name: string;
  created: string;
  key_sha256: string | null;
  key_changed: string;
  recovery_sha256: string;
  acts: number;
  last_act: string;
}

export const hasNames = async (tx: Tx): Promise<boolean> =>
  (await tx.get("SELECT 1 FROM names LIMIT 1")) !== undefined;

export const findName = (tx: Tx, canonical: string) =>
  tx.get<NameRow>("SELECT * FROM names WHERE canonical = $1", canonical);

/**
 * Finds a name by its canonical form, in the same time whether or not it exists: for a missing name the query reads the
 * next one in order.
 */
export async function findNameSteadily(tx: Tx, canonical: string): Promise<NameRow | undefined> {
  const row = await tx.get<NameRow>(
    "SELECT * FROM names WHERE canonical >= $1 ORDER BY canonical LIMIT 1",
    canonical,
  );
  return row?.canonical === canonical ? row : undefined;
}

/** A name with this look key (`lookKey`). */
export const findLookalike = (tx: Tx, look_key: string) =>
  tx.get<{ canonical: string }>(
    "SELECT canonical FROM names WHERE replace(replace(canonical, 'i', 'l'), 'm', 'rn') = $1 LIMIT 1",
    look_key,
  );

export const findNameByKey = (tx: Tx, key_sha256: string) =>
  tx.get<NameRow>("SELECT * FROM names WHERE key_sha256 = $1", key_sha256);

/** A name by its previous key. */
export const findNameByPreviousKey = (tx: Tx, key_sha256: string) =>
  tx.get<NameRow>("SELECT * FROM names WHERE previous_key_sha256 = $1", key_sha256);

/** Inserts a name; undefined if its canonical form is taken. */
export const insertName = (
  tx: Tx,
  name: Pick<NameRow, "canonical" | "name" | "created" | "key_sha256" | "recovery_sha256">,
) =>
  tx.get<NameRow>(
    "INSERT INTO names (canonical, name, created, key_sha256, key_changed, recovery_sha256, acts, last_act) " +
      "VALUES ($1, $2, $3, $4, $3, $5, 1, $3) ON CONFLICT (canonical) DO NOTHING RETURNING *",
    name.canonical,
    name.name,
    name.created,
    name.key_sha256,
    name.recovery_sha256,
  );

/** Replaces the key `was` by another key or by none. Undefined if `was` is no longer the key. */
export const replaceKey = (tx: Tx, canonical: string, was: string, key_sha256: string | null, at: string) =>
  tx.get<NameRow>(
    "UPDATE names SET previous_key_sha256 = key_sha256, key_sha256 = $1, key_changed = $2 " +
      "WHERE canonical = $3 AND key_sha256 = $4 RETURNING *",
    key_sha256,
    at,
    canonical,
    was,
  );

/** Replaces the key and the recovery code. Undefined if `was` is no longer the code. */
export const replaceRecovery = (
  tx: Tx,
  canonical: string,
  was: string,
  next: { key_sha256: string; recovery_sha256: string; at: string },
) =>
  tx.get<NameRow>(
    "UPDATE names SET previous_key_sha256 = COALESCE(key_sha256, previous_key_sha256), key_sha256 = $1, " +
      "recovery_sha256 = $2, key_changed = $3 " +
      "WHERE canonical = $4 AND recovery_sha256 = $5 RETURNING *",
    next.key_sha256,
    next.recovery_sha256,
    next.at,
    canonical,
    was,
  );

/** Counts an activity of a name. */
export const countCommand = (tx: Tx, canonical: string, at: string) =>
  tx.get<NameRow>(
    "UPDATE names SET acts = acts + 1, last_act = CASE WHEN last_act < $1 THEN $1 ELSE last_act END " +
      "WHERE canonical = $2 RETURNING *",
    at,
    canonical,
  );
