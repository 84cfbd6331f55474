/**
 * The identity of a data directory: a random number, stored as `application_id` in the database and in the file `wharf.id`.
 * Copies of a directory have the same identity until they are started.
 */

import type { Database } from "bun:sqlite";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory, writeDurably } from "./durable.ts";

/** Eight hexadecimal digits. */
export type Identity = string;

const identityFile = (directory: string): string => join(directory, "wharf.id");

/** The identity for an `application_id`; null for 0, the value in a new database. */
export const identityOf = (application_id: number): Identity | null =>
  application_id === 0 ? null : (application_id >>> 0).toString(16).padStart(8, "0");

/** The text of the identity file; null if there is no file. */
export function readIdentityFile(directory: string): string | null {
  try {
    return readFileSync(identityFile(directory), "latin1");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

/** The identity in the text of an identity file; null if the text is not valid. */
export const parseIdentity = (text: string): Identity | null => /^([0-9a-f]{8})\n$/.exec(text)?.[1] ?? null;

export const writeIdentityFile = (directory: string, identity: Identity): void =>
  writeDurably(identityFile(directory), `${identity}\n`);

/**
 * Gives an open database another identity, in a transaction of its own. First its file is removed: a start without that file
 * accepts either identity, and writes it again.
 */
export function changeIdentity(database: Database, directory: string): Identity {
  rmSync(identityFile(directory), { force: true });
  syncDirectory(directory);
  return database.transaction(() => {
    database.run("PRAGMA application_id = 0");
    return identify(database);
  })();
}

/** Returns the identity of an open database. Stores a new one if it has none. */
export function identify(database: Database): Identity {
  const read = () =>
    (database.query("PRAGMA application_id").get() as { application_id: number }).application_id;
  while (read() === 0) {
    // SQLite's own random numbers: the writer has no `Random`.
    const { drawn } = database.query("SELECT random() >> 32 AS drawn").get() as { drawn: number };
    database.run(`PRAGMA application_id = ${drawn}`);
  }
  return identityOf(read())!;
}
