/** What the house remembers of MCP sessions: no more than the limit, the ones used last, and nothing in the clear. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HouseActs } from "../src/acts.ts";
import { limits } from "../src/limits.ts";
import { createLog } from "../src/log.ts";
import { createSessions, type Sessions } from "../src/sessions/sessions.ts";
import type { Storage } from "../src/storage/port.ts";
import { openSqlite } from "../src/storage/sqlite/engine.ts";
import { FakeClock } from "./support/clock.ts";
import { seededRandom } from "./support/random.ts";
import { newDirectory, removeDirectory } from "./support/service.ts";

const clock = new FakeClock();
const directory = newDirectory();
let storage: Storage<HouseActs>;
let sessions: Sessions;
beforeAll(async () => {
  storage = await openSqlite<HouseActs>({
    directory,
    startWriter: () => new Worker(new URL("../src/writer.ts", import.meta.url).href),
    log: createLog(clock, "error", () => {}),
  });
  sessions = createSessions({ storage, clock, random: seededRandom(1) });
});
afterAll(async () => {
  await storage.close();
  removeDirectory(directory);
});

test("a session is found with what its client said, until it ends", async () => {
  const handshake = { protocolVersion: "2025-11-25", capabilities: {} };
  const begun = await sessions.begin("/mcp/meet/a-room", handshake);
  const record = { id: begun.id, address: "/mcp/meet/a-room", handshake, subscriptions: {} };
  expect(await sessions.find(begun.id)).toEqual(record);
  const files = ["wharf.db", "wharf.db-wal"].map((name) => readFileSync(join(directory, name), "latin1"));
  expect(files.join("")).not.toContain(begun.id);
  await sessions.end(begun.id);
  expect(await sessions.find(begun.id)).toBeNull();
  expect(await sessions.find("\u0000 no id")).toBeNull();
});

test("the session that was used last stays when there are too many", async () => {
  const old = await sessions.begin("/mcp/meet", {});
  const used = await sessions.begin("/mcp/meet", {});
  clock.advance(2 * 3600);
  expect(await sessions.find(used.id)).not.toBeNull();
  const begin = () => sessions.begin("/mcp/meet", {});
  await Promise.all(Array.from({ length: limits.mcp_sessions_max - 1 }, begin));
  expect(await sessions.find(old.id)).toBeNull();
  expect(await sessions.find(used.id)).not.toBeNull();
  await begin();
  expect(await sessions.find(used.id)).toBeNull();
});

test("a session that is not used for a week is forgotten", async () => {
  const { id } = await sessions.begin("/mcp/meet", {});
  clock.advance(limits.mcp_session_idle_hours * 3600);
  expect(await sessions.find(id)).not.toBeNull();
  clock.advance(limits.mcp_session_idle_hours * 3600 + 1);
  expect(await sessions.find(id)).toBeNull();
});
