/** SQL of names. */

import type { Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import type { SuspensionColumns } from "./standing.ts";
import { insertOf, upsertOf } from "../storage/rows.ts";

export interface NameRow {
  canonical: string;
  name: string;
  /** Its look key (`lookKey`). */
  look: string;
  /** 1 if the name is not in ASCII and looks like one that is. */
  looks_ascii: number;
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

const select_claims = statementOf(
  ({ places }) => `SELECT canonical, created FROM names WHERE canonical IN (${places})`,
);

/** The claimed names among these canonical forms. */
export const findClaims = (tx: Tx, canonicals: readonly string[]) =>
  tx.all<Pick<NameRow, "canonical" | "created">>(...select_claims(canonicals));

const suspension =
  "CASE WHEN suspension.canonical IS NULL THEN 0 ELSE 1 END AS suspended, suspension.until AS suspended_until";
const join_suspension =
  "LEFT JOIN name_rules AS suspension ON suspension.canonical = names.canonical AND suspension.rule = 'suspended'";

type NameWithSuspension = NameRow & SuspensionColumns;

/** The row of a name, claimed or not. `canonical` is null if it is not claimed. */
export interface StandingRow extends SuspensionColumns {
  canonical: string | null;
  created: string | null;
  key_sha256: string | null;
  reserved: number;
  /** The canonical form of a claimed name that is not in ASCII and looks like this one, which is in ASCII; else null. */
  twin: string | null;
}

// One statement, because each post reads it.
const select_standings = statementOf(
  ({ rows }) =>
    `SELECT wanted.column1 AS wanted, names.canonical, names.created, names.key_sha256, ${suspension}, ` +
    "CASE WHEN reservation.canonical IS NULL THEN 0 ELSE 1 END AS reserved, twin.canonical AS twin " +
    `FROM (VALUES ${rows}) AS wanted LEFT JOIN names ON names.canonical = wanted.column1 ` +
    // As lookKey has it for a name in ASCII.
    "LEFT JOIN names AS twin ON twin.looks_ascii = 1 AND " +
    "twin.look = replace(replace(replace(wanted.column1, 'i', 'l'), '|', 'l'), 'm', 'rn') " +
    "LEFT JOIN name_rules AS suspension ON suspension.canonical = wanted.column1 AND suspension.rule = 'suspended' " +
    "LEFT JOIN name_rules AS reservation ON reservation.canonical = wanted.column1 AND reservation.rule = 'reserved'",
);

/** The claims and the standings of names, by their canonical forms. */
export const readStandings = (tx: Tx, canonicals: readonly string[]) =>
  tx.all<StandingRow & { wanted: string }>(...select_standings(canonicals));

/** The claim and the standing of a name. */
export const readStanding = async (tx: Tx, canonical: string): Promise<StandingRow> =>
  (await readStandings(tx, [canonical]))[0]!;

/**
 * Finds a name by its canonical form, in the same time whether or not it exists: for a missing name the query reads the
 * next one in order.
 */
export async function findNameSteadily(tx: Tx, canonical: string): Promise<NameWithSuspension | undefined> {
  const row = await tx.get<NameWithSuspension>(
    `SELECT names.*, ${suspension} FROM names ${join_suspension} WHERE names.canonical >= $1 ` +
      "ORDER BY names.canonical LIMIT 1",
    canonical,
  );
  return row?.canonical === canonical ? row : undefined;
}

/** Whether other names with the same look key (`lookKey`) are claimed or under a rule. */
interface LookalikeRow {
  look: string;
  canonical: string;
  /** 1 if another claimed name has it. */
  claimed: number;
  /** When the last rule of a name with it ends (reserved or suspended): an ISO time, "~" if never, null if there is no rule. */
  ruled_until: string | null;
}

// One statement, because each post under a name that is not in ASCII reads it.
const select_lookalikes = statementOf(
  ({ rows }) =>
    "SELECT wanted.column1 AS look, wanted.column2 AS canonical, CASE WHEN EXISTS (" +
    "SELECT 1 FROM names WHERE names.look = wanted.column1 AND names.canonical <> wanted.column2) THEN 1 ELSE 0 END AS claimed, " +
    "(SELECT MAX(CASE WHEN rule = 'reserved' THEN '~' ELSE COALESCE(until, '~') END) FROM name_rules " +
    "WHERE name_rules.look = wanted.column1 AND name_rules.canonical <> wanted.column2) AS ruled_until " +
    `FROM (VALUES ${rows}) AS wanted`,
  2,
);

/** What other names have these look keys. Each name: its look key and its canonical form. */
export const findLookalikes = (tx: Tx, names: readonly [look: string, canonical: string][]) =>
  tx.all<LookalikeRow>(...select_lookalikes(names as [string, string][]));

/** The rules for names with this look key. */
export const findRulesOfLook = (tx: Tx, look: string) =>
  tx.all<RuleRow>("SELECT * FROM name_rules WHERE look = $1", look);

export const findNameByKey = (tx: Tx, key_sha256: string) =>
  tx.get<NameWithSuspension>(
    `SELECT names.*, ${suspension} FROM names ${join_suspension} WHERE names.key_sha256 = $1`,
    key_sha256,
  );

/** A name by its previous key. */
export const findNameByPreviousKey = (tx: Tx, key_sha256: string) =>
  tx.get<NameRow>("SELECT * FROM names WHERE previous_key_sha256 = $1", key_sha256);

/** Inserts a name; undefined if its canonical form is taken. */
export const insertName = (
  tx: Tx,
  name: Pick<
    NameRow,
    "canonical" | "name" | "look" | "looks_ascii" | "created" | "key_sha256" | "recovery_sha256"
  >,
) =>
  tx.get<NameRow>(
    ...insertOf(
      "names",
      { ...name, key_changed: name.created, acts: 1, last_act: name.created },
      "ON CONFLICT (canonical) DO NOTHING RETURNING *",
    ),
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

/** Counts activities of a name, the latest of them at `at`. */
export const countCommand = (tx: Tx, canonical: string, at: string, times = 1) =>
  tx.change(
    1,
    "UPDATE names SET acts = acts + $3, last_act = CASE WHEN last_act < $1 THEN $1 ELSE last_act END " +
      "WHERE canonical = $2",
    at,
    canonical,
    times,
  );

/** A rule of the operator for a name. */
export interface RuleRow {
  canonical: string;
  rule: "suspended" | "reserved";
  name: string;
  look: string;
  until: string | null;
  reason: string;
  created: string;
}

export const findRule = (tx: Tx, canonical: string, rule: RuleRow["rule"]) =>
  tx.get<RuleRow>("SELECT * FROM name_rules WHERE canonical = $1 AND rule = $2", canonical, rule);

/** Inserts a rule, or replaces the one of the same kind. */
export const putRule = (tx: Tx, rule: RuleRow) =>
  tx.run(...upsertOf("name_rules", rule, "canonical", "rule"));

/** Deletes a rule. Returns 0 if there is none. */
export const deleteRule = (tx: Tx, canonical: string, rule: RuleRow["rule"]) =>
  tx.run("DELETE FROM name_rules WHERE canonical = $1 AND rule = $2", canonical, rule);

/**
 * Copies a name to the canonical form `former`, which no caller can have, without its secrets: what refers to the name can refer
 * to that. `released` in place of the hash of a recovery code marks such a name.
 */
export const insertFormer = (tx: Tx, canonical: string, former: string) =>
  tx.run(
    "INSERT INTO names (canonical, name, look, created, key_sha256, key_changed, recovery_sha256, acts, last_act) " +
      "SELECT $2, name, $2, created, NULL, key_changed, 'released', acts, last_act FROM names WHERE canonical = $1",
    canonical,
    former,
  );

export const deleteName = (tx: Tx, canonical: string) =>
  tx.run("DELETE FROM names WHERE canonical = $1", canonical);
