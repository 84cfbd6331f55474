/** SQL of the signing keys. */

import type { Tx } from "../core/storage.ts";
import { insertOf } from "../storage/rows.ts";

export interface KeyRow {
  kid: string;
  x: string;
  d: string;
  created: string;
  retired_at: string | null;
}

/** All keys: the active one, then the retired ones from the newest to the oldest. */
export const allKeys = (tx: Tx) =>
  tx.all<KeyRow>(
    "SELECT * FROM signing_keys ORDER BY CASE WHEN retired_at IS NULL THEN 0 ELSE 1 END, created DESC",
  );

export const activeKey = (tx: Tx) => tx.get<KeyRow>("SELECT * FROM signing_keys WHERE retired_at IS NULL");

export const retireKey = (tx: Tx, kid: string, at: string) =>
  tx.run("UPDATE signing_keys SET retired_at = $1 WHERE kid = $2", at, kid);

export const insertKey = (tx: Tx, key: KeyRow) => tx.run(...insertOf("signing_keys", key));
