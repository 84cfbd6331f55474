/** What a service under test has stored, in either engine: tests read it, and change it as an operator may. */

import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf as bytesOfId, idText } from "../../src/storage/packed.ts";
import { filesIn } from "./directories.ts";
import { databaseOf, is_on_postgres } from "./postgres.ts";

type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

export interface Stored {
  /** Runs a statement with `$1` parameters. Returns its rows. */
  run(sql: string, ...values: Value[]): Promise<Row[]>;
  /** The names of the tables. */
  tables(): Promise<string[]>;
}

/** Opens the database of a data directory for `use`, in one transaction. */
export async function withStored<Result>(
  directory: string,
  use: (stored: Stored) => Promise<Result>,
): Promise<Result> {
  return is_on_postgres ? inPostgres(databaseOf(directory).database!, use) : inSqlite(directory, use);
}

/** Runs one statement on the database of a data directory. Returns its rows. */
export const stored = (directory: string, sql: string, ...values: Value[]): Promise<Row[]> =>
  withStored(directory, ({ run }) => run(sql, ...values));

/**
 * Everything that is stored of a service: the bytes of its files, and the rows of its tables in Postgres. Without the `-shm` file, which contains no
 * text: closing it would release the locks that a database of this process has on it (POSIX, fcntl).
 */
export async function storedTexts(directory: string): Promise<Buffer[]> {
  const files = filesIn(directory)
    .filter((file) => !file.endsWith("-shm"))
    .flatMap((file) => bytesOf(join(directory, file)));
  if (!is_on_postgres) return files;
  return [...files, Buffer.from(await storedRows(directory))];
}

/** The rows of all tables as one text; in SQLite without the tables of text indexes. */
export const storedRows = (directory: string): Promise<string> =>
  withStored(directory, async ({ run, tables }) => {
    const of_index = /^(?:(?:job|private)_)?search(?:_(?!progress)|$)/;
    const read = (await tables())
      .filter((table) => is_on_postgres || !of_index.test(table))
      .map((table) => run(`SELECT ${is_on_postgres ? "stored::text" : "*"} FROM ${table} AS stored`));
    const values = (await Promise.all(read)).flat().flatMap((row) => Object.values<unknown>(row));
    return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)).join("\n");
  });

/** The bytes of a file; none if it has disappeared since its directory was read. */
function bytesOf(file: string): Buffer[] {
  try {
    return [readFileSync(file)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** An id of a post as its column has it. */
export const storedId = (id: string): Value => (is_on_postgres ? id : bytesOfId(id));

/** Whether bytes hold a text, in any case. A salt, 32 hex digits, is also stored as 16 bytes, and as a UUID in rows of Postgres. */
export function isStoredIn(bytes: Buffer, text: string): boolean {
  const forms = [text];
  if (/^[0-9a-f]{32}$/.test(text)) {
    const packed = Buffer.from(text, "hex");
    forms.push(packed.toString("latin1"), idText(packed));
  }
  const stored = bytes.toString("latin1").toLowerCase();
  return forms.some((form) => stored.includes(form.toLowerCase()));
}

/** Resolves when nothing that is stored holds one of these texts: after the writer's next idle time. */
export async function untilErased(directory: string, ...texts: string[]): Promise<void> {
  const isIn = (bytes: Buffer) => texts.some((text) => isStoredIn(bytes, text));
  while ((await storedTexts(directory)).some(isIn)) await Bun.sleep(10);
}

async function inSqlite<Result>(
  directory: string,
  use: (stored: Stored) => Promise<Result>,
): Promise<Result> {
  const database = new Database(join(directory, "wharf.db"));
  let has_begun = false;
  const run: Stored["run"] = async (sql, ...values) => {
    // The text index reads before a statement writes: a transaction that has read does not wait for a writer, but fails.
    if (!has_begun) database.run(/^SELECT\b/i.test(sql) ? "BEGIN" : "BEGIN IMMEDIATE");
    has_begun = true;
    return database.query(sql.replace(/\$(\d+)/g, "?$1")).all(...values) as Row[];
  };
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const result = await use({
      run,
      tables: async () =>
        (await run("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")).map(
          ({ name }) => name as string,
        ),
    });
    if (has_begun) database.run("COMMIT");
    return result;
  } finally {
    database.close();
  }
}

async function inPostgres<Result>(url: string, use: (stored: Stored) => Promise<Result>): Promise<Result> {
  const place = new URL(url);
  const schema = place.searchParams.get("schema")!;
  place.searchParams.delete("schema");
  const sql = new Bun.SQL(place.href, { max: 1, connection: { search_path: schema } });
  const run: Stored["run"] = async (text, ...values) => [...((await sql.unsafe(text, values)) as Row[])];
  try {
    await sql.unsafe("BEGIN");
    const result = await use({
      run,
      tables: async () =>
        (await run("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", schema)).map(
          ({ name }) => name as string,
        ),
    });
    await sql.unsafe("COMMIT");
    return result;
  } finally {
    await sql.close();
  }
}
