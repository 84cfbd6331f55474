/**
 * The identity of a data directory: a number that its database holds as `application_id`, and that the file `wharf.id`
 * says beside it. Copies of a directory have the same; two directories that were begun apart do not.
 */

import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable.ts";

/** Eight hexadecimal digits. */
export type Identity = string;

export const identityFile = (directory: string): string => join(directory, "wharf.id");

/** The identity that an `application_id` stands for; null for 0, which every database has at first. */
export const identityOf = (application_id: number): Identity | null =>
  application_id === 0 ? null : (application_id >>> 0).toString(16).padStart(8, "0");

/** The text of the file; null when there is none. */
export function readIdentityFile(directory: string): string | null {
  try {
    return readFileSync(identityFile(directory), "latin1");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

/** The identity that the text of a file says; null when it says none. */
export const parseIdentity = (text: string): Identity | null => /^([0-9a-f]{8})\n$/.exec(text)?.[1] ?? null;

export const keepIdentity = (directory: string, identity: Identity): void =>
  writeDurably(identityFile(directory), `${identity}\n`);

/** The identity of an open database, which gets one when it has none. */
export function identify(database: Database): Identity {
  const read = () =>
    (database.query("PRAGMA application_id").get() as { application_id: number }).application_id;
  while (read() === 0) {
    // SQLite's own randomness: a writer is given none.
    const { drawn } = database.query("SELECT random() >> 32 AS drawn").get() as { drawn: number };
    database.run(`PRAGMA application_id = ${drawn}`);
  }
  return identityOf(read())!;
}
