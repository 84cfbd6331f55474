/** Stored MCP sessions: no more than the limit, the most recently used ones, and no id or address in the clear. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AppCommands } from "../../src/app/commands.ts";
import { createCommandRunner } from "../../src/core/commands.ts";
import { sessionOfTopic } from "../../src/mcp/sessions/commands.ts";
import { session_commands } from "../../src/mcp/sessions/feature.ts";
import { mcp_limits } from "../../src/mcp/limits.ts";
import { createLog } from "../../src/core/log.ts";
import { networksOf } from "../../src/core/rate_limit/caller_networks.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { anonymous } from "../../src/names/authentication.ts";
import { createSessions, type Sessions } from "../../src/mcp/sessions/sessions.ts";
import type { Storage } from "../../src/core/storage.ts";
import { openStorage } from "../../src/app/storage.ts";
import { default_config } from "../../src/core/settings.ts";
import { createRateLimiter } from "../../src/core/rate_limit/rate_limit.ts";
import { FakeClock } from "../support/clock.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const clock = new FakeClock();
const directory = newDirectory();
let storage: Storage<AppCommands>;
let sessions: Sessions;
/** The number of stored sessions of a network; 0 while networks are not counted. */
let network_max = 0;
const quotaOf = (address: string) =>
  network_max === 0
    ? null
    : { networks: networksOf(address), narrow_max: network_max, wide_max: 8 * network_max };
const from = (address: string) => anonymous(() => address);
const caller = anonymous(() => "192.0.2.1");
beforeAll(async () => {
  storage = await openStorage(
    directory,
    clock,
    createLog(clock, "error", () => {}),
  );
  const commands = createCommandRunner(
    session_commands,
    storage,
    createRateLimiter({ ...default_config, rate_limit: false }, clock),
  );
  sessions = createSessions({
    storage,
    commands,
    clock: { steady: () => clock.now() },
    random: seededRandom(1),
    quotaOf,
    server_secret: "00".repeat(32),
  });
});
afterAll(async () => {
  await storage.close();
  removeDirectory(directory);
});

test("returns a session with its client information until it ends", async () => {
  const handshake = { protocolVersion: "2025-11-25", capabilities: {} };
  const begun = await sessions.begin(caller, "/mcp/meet/a-room", handshake);
  const record = {
    id: begun,
    address: "/mcp/meet/a-room",
    handshake,
    subscriptions: {},
    read_ms: clock.now(),
  };
  expect(await sessions.find(begun)).toEqual(record);
  const files = ["wharf.db", "wharf.db-wal"].map((name) => readFileSync(join(directory, name), "latin1"));
  expect(files.join("")).not.toContain(begun);
  await sessions.end(caller, begun);
  expect(await sessions.find(begun)).toBeNull();
  expect(await sessions.find("\u0000 no id")).toBeNull();
});

test("keeps the most recently used session if there are too many", async () => {
  const old = await sessions.begin(caller, "/mcp/meet", {});
  const used = await sessions.begin(caller, "/mcp/meet", {});
  clock.advance(2 * 3600);
  expect(await sessions.find(used)).not.toBeNull();
  const begin = () => sessions.begin(caller, "/mcp/meet", {});
  await Promise.all(Array.from({ length: mcp_limits.mcp_sessions_max - 1 }, begin));
  expect(await sessions.find(old)).toBeNull();
  expect(await sessions.find(used)).not.toBeNull();
  await begin();
  expect(await sessions.find(used)).toBeNull();
});

test("ends the least recently used session of the largest network if there are too many in all", async () => {
  network_max = 1_000_000;
  const victim = await sessions.begin(from("192.0.2.7"), "/mcp/meet", {});
  const first = await sessions.begin(from("198.51.100.1"), "/mcp/meet", {});
  const begin = (n: number) => sessions.begin(from(`198.51.100.${n % 20}`), "/mcp/meet", {});
  // Twice the limit. At first most are sessions of the tests before, whose network is not known.
  await Promise.all(Array.from({ length: 2 * mcp_limits.mcp_sessions_max }, (_, n) => begin(n)));
  expect(await sessions.find(victim)).not.toBeNull();
  expect(await sessions.find(first)).toBeNull();
});

test("ends the oldest session of a network that exceeds its share, and publishes which", async () => {
  network_max = 3;
  const ended: (string | null)[] = [];
  storage.onChange("notify", (topic) => void ended.push(topic && sessionOfTopic(topic)));
  const neighbour = await sessions.begin(from("192.0.2.8"), "/mcp/meet", {});
  const own: string[] = [];
  for (let n = 0; n < 4; n++) {
    expect(ended).not.toContain(sha256Hex(own[0] ?? ""));
    own.push(await sessions.begin(from("203.0.113.5"), "/mcp/meet", {}));
  }
  expect(ended).toContain(sha256Hex(own[0]!));
  expect(await Promise.all(own.map(async (id) => (await sessions.find(id)) !== null))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(await sessions.find(neighbour)).not.toBeNull();
});

test("allows an IPv6 /48 eight times as many, limits each /64 in it, and stores no address", async () => {
  network_max = 2;
  const begun: string[] = [];
  for (let subnet = 0; subnet < 9; subnet++) {
    for (let n = 0; n < 2; n++) {
      begun.push(await sessions.begin(from(`2001:db8:7:${subnet}::${n + 1}`), "/mcp/meet", {}));
    }
  }
  const are_stored = await Promise.all(begun.map(async (id) => (await sessions.find(id)) !== null));
  expect(are_stored).toEqual([false, false, ...Array.from({ length: 16 }, () => true)]);
  const files = ["wharf.db", "wharf.db-wal"].map((name) => readFileSync(join(directory, name), "latin1"));
  expect(files.join("")).not.toContain("20010db80007");
  expect(files.join("")).not.toContain("203.0.113.5");
  network_max = 0;
});

test("deletes a session that is not used for a week", async () => {
  const id = await sessions.begin(caller, "/mcp/meet", {});
  clock.advance(mcp_limits.mcp_session_idle_hours * 3600);
  expect(await sessions.find(id)).not.toBeNull();
  clock.advance(mcp_limits.mcp_session_idle_hours * 3600 + 1);
  expect(await sessions.find(id)).toBeNull();
});
