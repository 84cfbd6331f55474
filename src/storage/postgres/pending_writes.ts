/**
 * The statements of a transaction that write and whose results no command needs. They wait for each other, and are sent as one
 * statement with common table expressions: before the next statement that needs a result, or with the commit. A statement costs both
 * sides more than most of what it does.
 */

import type { SqlValue } from "../../core/storage.ts";

/** Sends a statement at once. */
type Send = (sql: string, values: SqlValue[]) => Promise<Record<string, unknown>[]>;

interface Part {
  /** The table that it changes. */
  table: string;
  sql: string;
  values: SqlValue[];
  /** How many rows it has to change; null: any number. */
  rows: number | null;
}

export class PendingWrites {
  #parts: Part[] = [];
  /** What has been sent. Who commits awaits it. */
  readonly sent: Promise<unknown>[] = [];

  constructor(private readonly send: Send) {}

  /** Adds a statement, an INSERT, UPDATE or DELETE without RETURNING. If it changes fewer than `rows` rows, the transaction fails. */
  add(sql: string, values: SqlValue[], rows: number | null = null): void {
    const table = /^(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)![1]!;
    // The parts of a statement do not see what the others change.
    if (this.#parts.some((part) => part.table === table)) this.flush();
    this.#parts.push({ table, sql, values, rows });
  }

  /** Sends the statements that wait. */
  flush(): void {
    if (this.#parts.length > 0) void this.#sendAll(this.#parts);
  }

  /** Sends the statements that wait with one that records these topics. Resolves to the id of the transaction. */
  async record(topics: readonly string[]): Promise<string> {
    const recorded: Part = {
      table: "changed_topics",
      sql: "INSERT INTO changed_topics (topic) SELECT json_array_elements_text(CAST(CAST($1 AS TEXT) AS JSON))",
      values: [JSON.stringify(topics)],
      rows: null,
    };
    const [row] = await this.#sendAll([...this.#parts, recorded], "pg_current_xact_id()::text AS xid");
    return row!["xid"] as string;
  }

  #sendAll(parts: Part[], ...results: string[]): Promise<Record<string, unknown>[]> {
    this.#parts = [];
    const sent = this.send(...oneOf(parts, results));
    sent.catch(() => undefined);
    this.sent.push(sent);
    return sent;
  }
}

/** One statement for all parts, and its values. A part that changes too few rows fails it by a division by zero. */
function oneOf(parts: readonly Part[], results: readonly string[]): [string, SqlValue[]] {
  const values: SqlValue[] = [];
  const expressions: string[] = [];
  const selected = [...results];
  for (const [i, part] of parts.entries()) {
    const offset = values.length;
    const sql = offset === 0 ? part.sql : part.sql.replaceAll(/\$(\d+)/g, (_, n) => `$${offset + Number(n)}`);
    values.push(...part.values);
    if (part.rows === null) expressions.push(`part${i} AS (${sql})`);
    else {
      expressions.push(`part${i} AS (${sql} RETURNING 1)`);
      selected.push(`1 / ((SELECT COUNT(*) FROM part${i}) / $${values.push(part.rows)}::int)`);
    }
  }
  return [`WITH ${expressions.join(", ")} SELECT ${selected.join(", ") || "1"}`, values];
}
