/** What the house remembers of MCP sessions: no more than the limit, the ones used last, and nothing in the clear. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HouseActs } from "../src/acts.ts";
import { createCommands } from "../src/commands.ts";
import { limits } from "../src/limits.ts";
import { createLog } from "../src/log.ts";
import { anonymous } from "../src/names/authentication.ts";
import { createSessions, type Sessions } from "../src/sessions/sessions.ts";
import type { Storage } from "../src/storage/port.ts";
import { openStorage } from "../src/open.ts";
import { default_config } from "../src/settings.ts";
import { createUsage } from "../src/usage.ts";
import { FakeClock } from "./support/clock.ts";
import { seededRandom } from "./support/random.ts";
import { newDirectory, removeDirectory } from "./support/service.ts";

const clock = new FakeClock();
const directory = newDirectory();
let storage: Storage<HouseActs>;
let sessions: Sessions;
const caller = anonymous(() => "192.0.2.1");
beforeAll(async () => {
  storage = await openStorage(
    directory,
    clock,
    createLog(clock, "error", () => {}),
  );
  const commands = createCommands(storage, createUsage({ ...default_config, rate_limit: false }, clock));
  sessions = createSessions({ storage, commands, clock, random: seededRandom(1) });
});
afterAll(async () => {
  await storage.close();
  removeDirectory(directory);
});

test("a session is found with what its client said, until it ends", async () => {
  const handshake = { protocolVersion: "2025-11-25", capabilities: {} };
  const begun = await sessions.begin(caller, "/mcp/meet/a-room", handshake);
  const record = { id: begun.id, address: "/mcp/meet/a-room", handshake, subscriptions: {} };
  expect(await sessions.find(begun.id)).toEqual(record);
  const files = ["wharf.db", "wharf.db-wal"].map((name) => readFileSync(join(directory, name), "latin1"));
  expect(files.join("")).not.toContain(begun.id);
  await sessions.end(caller, begun.id);
  expect(await sessions.find(begun.id)).toBeNull();
  expect(await sessions.find("\u0000 no id")).toBeNull();
});

test("the session that was used last stays when there are too many", async () => {
  const old = await sessions.begin(caller, "/mcp/meet", {});
  const used = await sessions.begin(caller, "/mcp/meet", {});
  clock.advance(2 * 3600);
  expect(await sessions.find(used.id)).not.toBeNull();
  const begin = () => sessions.begin(caller, "/mcp/meet", {});
  await Promise.all(Array.from({ length: limits.mcp_sessions_max - 1 }, begin));
  expect(await sessions.find(old.id)).toBeNull();
  expect(await sessions.find(used.id)).not.toBeNull();
  await begin();
  expect(await sessions.find(used.id)).toBeNull();
});

test("a session that is not used for a week is forgotten", async () => {
  const { id } = await sessions.begin(caller, "/mcp/meet", {});
  clock.advance(limits.mcp_session_idle_hours * 3600);
  expect(await sessions.find(id)).not.toBeNull();
  clock.advance(limits.mcp_session_idle_hours * 3600 + 1);
  expect(await sessions.find(id)).toBeNull();
});
