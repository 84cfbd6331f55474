/** How SQLite runs the statements of leases: each is a search by paths, holders, numbers or ends, however many leases a room has. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../../src/app/commands.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { SqlValue } from "../../../src/core/storage.ts";
import * as store from "../../../src/rooms/leases/store.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { TransactionRunner } from "../../../src/storage/sqlite/group_commit.ts";
import { lease_reads } from "../../support/lease_simulation.ts";
import { sha256Hex } from "../../../src/core/secrets.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const now_ms = Date.parse("2026-03-01T12:00:00.000Z");
const at = { now_ms, ahead_ms: 0, room: "the-room" };
const identity = { name: "ada", canonical: "ada", key_sha256: sha256Hex("key") };
const place_until = "2026-03-01T13:00:00.000Z";
const take = { ...at, identity, ttl_seconds: 600, purpose: null };

/** Calls that run every statement of leases. */
const calls: [string, object][] = [
  ["leases.take", { ...take, paths: ["a/b", "c/d"] }],
  ["leases.get_in_line", { ...at, identity, paths: ["a", "x"], place_until }],
  ["leases.leave_line", { ...at, name: "ada", paths: ["a", "x"], place_until: "2026-03-01T12:00:01.000Z" }],
  ["leases.extend", { ...at, identity, fence: 1, ttl_seconds: 700 }],
  ["test.lease_check", { ...at, paths: ["a", "a/b", "c"], fences: [["a", 1]], own: "ada" }],
  ["test.lease_list", { ...at, prefix: "a", limit: 10, own: "ada" }],
  ["test.lease_list", { ...at, limit: 10, own: "ada" }],
  ["leases.release", { ...at, identity, fence: 1, paths: ["a/b"] }],
  ["leases.settle", at],
];

/** Its places in line, the first one first. */
const reads_the_line_of_a_room = /FROM lease_places LEFT JOIN names .* ORDER BY lease_places\.place LIMIT/;

let directory: string;
let connection: Connection;
beforeAll(async () => {
  directory = newDirectory();
  const file = join(directory, "wharf.db");
  const writer = TransactionRunner.open(file, commands, systemClock);
  const person = {
    name: "ada",
    look: "ada",
    key_sha256: identity.key_sha256,
    recovery_sha256: sha256Hex("code"),
    claims: "open",
  };
  const room = { name: "host", goal: "g", visibility: "unlisted", identity: null, slugs: ["the-room"] };
  await writer.commit([
    { name: "names.claim", input: { ...person, now_ms }, call: undefined },
    { name: "rooms.open", input: { ...room, host_key_sha256: sha256Hex("host"), now_ms }, call: undefined },
  ]);
  writer.close();
  connection = new Connection(file, { busy_ms: 0 });
});
afterAll(() => {
  connection.close();
  removeDirectory(directory);
});

test("reads no more leases of a room than a call is about", async () => {
  const statements = new Map<string, SqlValue[]>();
  const { database } = connection;
  const recorded = new Proxy(connection, {
    get(target, member: keyof Connection) {
      const value: unknown = target[member];
      if (typeof value !== "function") return value;
      return (sql: string, ...values: SqlValue[]): unknown => {
        if (/^[A-Z]+ .*(?:lease|awaited)/.test(sql)) statements.set(sql, values);
        return (value as (...given: unknown[]) => unknown).call(target, sql, ...values);
      };
    },
  });
  const run = { ...commands, ...lease_reads } as unknown as Record<
    string,
    (tx: Connection, input: object) => Promise<unknown>
  >;
  for (const [name, input] of calls) await run[name]!(recorded, input);
  await store.nextEnd(recorded);
  await store.roomsWithEnded(recorded, place_until, 10);
  await store.leasesOf(recorded, "ada", { room: 0, fence: 0 }, place_until, 10);
  await store.deleteLeasesOf(recorded, "ada");
  const wrong = [...statements].flatMap(([sql, values]) => {
    const plan = database
      .query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql.replace(/\$(\d+)/g, "+?$1")}`)
      .all(...values);
    const whole = plan.filter(({ detail }) =>
      /SCAN (?:leases|leased_paths|lease_places|awaited_paths|rooms)\b|\(room=\?\)|\(room=\? AND place<\?\)/.test(
        detail,
      ),
    );
    return whole.length === 0 || reads_the_line_of_a_room.test(sql) ? [] : [{ sql, whole }];
  });
  expect(wrong).toEqual([]);
  expect(statements.size).toBeGreaterThan(25);
});
