/** SQL of the beacon. */

import type { Tx } from "../core/storage.ts";
import { insertOf, upsertOf } from "../storage/rows.ts";

export interface SecretRow {
  id: string;
  secret: string;
  created: string;
}

export interface DayRow {
  day: string;
  first_round: number;
  rounds: number;
  secret_id: string;
  root: string;
  prev: string | null;
  statement: string;
  published: string;
}

/** Days that are not issued, from the first to the last. */
export interface GapRow {
  first: string;
  last: string;
}

export interface AnchorRow {
  boot: string;
  uptime_ms: number;
  wall: string;
}

/** The newest secret. */
export const latestSecret = (tx: Tx) =>
  tx.get<SecretRow>("SELECT * FROM beacon_secrets ORDER BY created DESC, id DESC LIMIT 1");

export const insertSecret = (tx: Tx, row: SecretRow) => tx.run(...insertOf("beacon_secrets", row));

/** A published day with its secret. */
export const findDay = (tx: Tx, day: string) =>
  tx.get<DayRow & { secret: string }>(
    "SELECT beacon_days.*, secret FROM beacon_days JOIN beacon_secrets ON id = secret_id WHERE day = $1",
    day,
  );

export const latestDay = (tx: Tx) => tx.get<DayRow>("SELECT * FROM beacon_days ORDER BY day DESC LIMIT 1");

export const firstDay = (tx: Tx) => tx.get<DayRow>("SELECT * FROM beacon_days ORDER BY day LIMIT 1");

export const insertDay = (tx: Tx, row: DayRow) => tx.run(...insertOf("beacon_days", row));

export const allGaps = (tx: Tx) => tx.all<GapRow>("SELECT first, last FROM beacon_gaps ORDER BY first");

/** Adds a gap after all published days. Replaces the gap that ends there. */
export const putGap = async (tx: Tx, { first, last }: GapRow) => {
  await tx.run("DELETE FROM beacon_gaps WHERE first >= $1", first);
  await tx.run("INSERT INTO beacon_gaps (first, last) VALUES ($1, $2)", first, last);
};

export const findMark = (tx: Tx) => tx.get<{ mark: string }>("SELECT mark FROM beacon_mark");

/** Sets the mark to the later of `mark` and the stored mark. Returns it. */
export const moveMark = async (tx: Tx, mark: string) =>
  (await tx.get<{ mark: string }>(
    "INSERT INTO beacon_mark (id, mark) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET mark = " +
      "CASE WHEN excluded.mark > beacon_mark.mark THEN excluded.mark ELSE beacon_mark.mark END RETURNING mark",
    mark,
  ))!;

export const findAnchor = (tx: Tx, boot: string) =>
  tx.get<AnchorRow>("SELECT * FROM beacon_anchors WHERE boot = $1", boot);

export const putAnchor = (tx: Tx, row: AnchorRow) => tx.run(...upsertOf("beacon_anchors", row, "boot"));
