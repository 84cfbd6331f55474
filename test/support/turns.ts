/** Counts the work of a turn of the event loop: rows read, and characters read or serialised. */

import { Connection } from "../../src/storage/sqlite/connection.ts";

export interface Work {
  rows: number;
  /** UTF-16 units of texts that were read from the database. */
  chars_read: number;
  /** UTF-16 units of texts that were made into JSON or UTF-8. */
  chars_written: number;
}

const none = (): Work => ({ rows: 0, chars_read: 0, chars_written: 0 });

const charsOf = (row: unknown): number =>
  Object.values((row ?? {}) as object).reduce<number>(
    (chars, value) => chars + (typeof value === "string" ? value.length : 0),
    0,
  );

/** Runs `run`. Returns the maximum of each kind of work in one turn meanwhile, and the number of turns. */
export async function mostPerTurn(run: () => Promise<unknown>): Promise<Work & { turns: number }> {
  let now = none();
  const most = none();
  let turns = 0;
  let is_over = false;
  const { get, all } = Connection.prototype;
  const { stringify } = JSON;
  const { encode } = TextEncoder.prototype;
  const take = (rows: unknown[]) => {
    now.rows += rows.length;
    for (const row of rows) now.chars_read += charsOf(row);
  };
  Connection.prototype.get = async function (this: Connection, ...args) {
    const row = await (get as (...all: unknown[]) => Promise<unknown>).apply(this, args);
    if (row !== undefined) take([row]);
    return row as never;
  };
  Connection.prototype.all = async function (this: Connection, ...args) {
    const rows = await (all as (...all: unknown[]) => Promise<unknown[]>).apply(this, args);
    take(rows);
    return rows as never;
  };
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    now.chars_written += text?.length ?? 0;
    return text;
  }) as typeof stringify;
  TextEncoder.prototype.encode = function (text) {
    now.chars_written += text?.length ?? 0;
    return encode.call(this, text);
  };
  const endTurn = () => {
    turns++;
    for (const kind of Object.keys(most) as (keyof Work)[]) most[kind] = Math.max(most[kind], now[kind]);
    now = none();
    if (!is_over) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  try {
    await run();
  } finally {
    is_over = true;
    endTurn();
    Object.assign(Connection.prototype, { get, all });
    JSON.stringify = stringify;
    TextEncoder.prototype.encode = encode;
  }
  return { ...most, turns };
}
