/** Databases of every schema version since 0.1.0, made by the code that had that schema (test/fixtures/make.ts). */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type oldest from "../fixtures/schemas/09.json";
import { FakeClock } from "./clock.ts";

const folder = join(import.meta.dir, "../fixtures/schemas");

/** What is known of a fixture: keys, receipts, addresses. Only the oldest has names that are reserved today. */
export type Fixture = typeof oldest & {
  /** A program that signs in by OAuth, from schema version 28 on. */
  program?: {
    /** The base URL of the service that issued its tokens. */
    base: string;
    client_id: string;
    client_secret: string;
    access_token: string;
    refresh_token: string;
  };
  /** A lease of ada on `src` and `issue/12` in the open room, from schema version 29 on. */
  lease?: { fence: number };
  /** How ada was reached last, from schema version 30 on. */
  reach?: { by: string; at: string; after_seconds: number };
};

export const fixture_schemas: number[] = readdirSync(folder)
  .filter((name) => name.endsWith(".db.zst"))
  .map((name) => Number.parseInt(name, 10))
  .sort((a, b) => a - b);

const pathOf = (schema: number, end: string): string =>
  join(folder, `${String(schema).padStart(2, "0")}.${end}`);

export const fixtureOf = (schema: number): Fixture =>
  JSON.parse(readFileSync(pathOf(schema, "json"), "utf8")) as Fixture;

/** The database file of a fixture. */
export const fixtureDatabase = (schema: number): Buffer =>
  Bun.zstdDecompressSync(readFileSync(pathOf(schema, "db.zst")));

/** Puts the database of a fixture into `directory`. */
export const placeFixture = (schema: number, directory: string): void =>
  writeFileSync(join(directory, "wharf.db"), fixtureDatabase(schema));

/** A clock five minutes after a fixture was made: leases hold, and repeated calls are still recognised. */
export const clockAfter = ({ made_at }: Fixture): FakeClock =>
  new FakeClock(new Date(Date.parse(made_at) + 300_000).toISOString());
