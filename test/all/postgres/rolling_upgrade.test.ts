/** A rolling upgrade over Postgres: a node of a newer schema joins while one of the older works, across one migration. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { migrations } from "../../../src/storage/migrations.ts";
import { findings, of } from "../../support/doctor.ts";
import { get, send } from "../../support/http.ts";
import { openPrivate, sayAs } from "../../support/members.ts";
import { claim } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { open } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startBinary, startProgram } from "../../support/service.ts";
import { expectReadAtOnce, expectSeenAtOther } from "../../support/two_nodes.ts";

const root = join(import.meta.dir, "../../..");
const next = String(migrations.length + 1).padStart(4, "0");

/** Copies the source to `folder`. */
function copySource(folder: string): void {
  for (const name of ["src", "views", "docs", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** Makes the source of a release in `folder` that has schema version 32 and knows no private rooms. */
function makeReleaseBefore(folder: string): void {
  copySource(folder);
  const storage = join(folder, "src/storage");
  for (const migration of ["0033_members.sql", "0034_webhooks.sql", "0035_networks_and_activity.sql"])
    for (const engine of ["migrations", "migrations/postgres"]) rmSync(join(storage, engine, migration));
  const replaceIn = (file: string, from: string, to: string) => {
    const text = readFileSync(file, "utf8");
    expect(text).toContain(from);
    writeFileSync(file, text.replaceAll(from, to));
  };
  for (const name of ["changes", "chores", "messages", "pending_writes"])
    replaceIn(join(storage, `postgres/${name}.ts`), "changed_topics", "changes");
  replaceIn(join(folder, "src/api/rooms/visibility.ts"), '"private--"', '"none--"');
}

/** Makes the source of the next release in `folder`: with one more migration, which adds a column to each table that posts need. */
function makeNextRelease(folder: string): void {
  copySource(folder);
  const sql = ["rooms", "posts", "names", "answers", "counters", "changed_topics"].map(
    (table) => `ALTER TABLE ${table} ADD COLUMN made_up TEXT;\n`,
  );
  const storage = join(folder, "src/storage");
  writeFileSync(
    join(storage, `migrations/${next}_made_up.sql`),
    "ALTER TABLE posts ADD COLUMN made_up TEXT;\n",
  );
  writeFileSync(join(storage, `migrations/postgres/${next}_made_up.sql`), sql.join(""));
}

describe.skipIf(lacks_postgres)("a rolling upgrade", () => {
  let server: PostgresServer;
  const folder = newDirectory();
  beforeAll(async () => {
    server = await startPostgres();
    makeNextRelease(folder);
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(folder);
  });

  test("a node of the newer schema joins one of the older, and both work; the older does not start again", async () => {
    const settings = { database: server.url };
    const older = await startBinary(settings);
    // Statements that the older has prepared are prepared for the older schema.
    await expectReadAtOnce(() => older.url, 5);
    const newer = await startProgram([process.execPath, join(folder, "src/main.ts")], settings);
    const urls = [older.url, newer.url];
    await expectReadAtOnce((i) => urls[i % 2]!, 50);
    await expectSeenAtOther(older.url, newer.url, { posts: 200, writers: 16 });
    await expectSeenAtOther(newer.url, older.url, { posts: 200, writers: 16 });
    await older.stop();
    expect(startBinary(settings)).rejects.toThrow("Run the newer build");
    await expectReadAtOnce(() => newer.url, 5);
    await newer.stop();
  }, 120_000);

  test("a node that knows no private rooms refuses every call from the moment at which the first one is opened", async () => {
    const settings = { database: `${server.url}?schema=private` };
    const before = newDirectory();
    makeReleaseBefore(before);
    const older = await startProgram([process.execPath, join(before, "src/main.ts")], settings);
    const of_before = await open(older.url, "Opened before");
    const newer = await startBinary(settings);
    const urls = [older.url, newer.url];
    await expectReadAtOnce((i) => urls[i % 2]!, 20);
    await expectSeenAtOther(older.url, newer.url, { posts: 50, writers: 4 });
    await expectSeenAtOther(newer.url, older.url, { posts: 50, writers: 4 });

    const [host, stranger] = [await claim(newer.url, "Hana"), await claim(newer.url, "Sten")];
    const room = await openPrivate(newer.url, host, "Goal heron-51");
    await sayAs(room, host, "Text heron-51");
    const at = `${older.url}/api/meet/rooms/${room.slug}`;
    for (const who of [{}, stranger.pair, host.pair] as Record<string, string>[])
      for (const [method, url, body] of [
        ["GET", at],
        ["GET", `${older.url}/meet/r/${room.slug}`],
        ["GET", `${at}/export.jsonl`],
        ["POST", `${at}/posts`, { name: "Sten", body: "Hello?" }],
        ["GET", `${older.url}/api/meet/rooms/${of_before.slug}`],
        ["GET", `${older.url}/api/meet/rooms`],
      ] as const) {
        const answer = await send(
          method,
          url,
          { "content-type": "application/json", ...who },
          JSON.stringify(body),
        );
        expect([method, url, answer.status, answer.body.includes("heron-51")]).toEqual([
          method,
          url,
          503,
          false,
        ]);
      }
    expect((await send("GET", `${older.url}/readyz`)).status).toBe(503);
    const { body } = await get<{ posts: { body: string }[] }>(room.api, host.pair);
    expect(body.posts.map((one) => one.body)).toEqual(["Text heron-51"]);
    await expectReadAtOnce(() => newer.url, 5);
    const found = await findings(newer.directory, settings, { clock: systemClock });
    expect(of(found, "schema")).toMatchObject({ status: "ok" });
    await older.stop();
    await newer.stop();
    removeDirectory(before);
  }, 120_000);
});
