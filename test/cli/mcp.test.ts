/** `wharf mcp` as a process: where it finds the service, who calls, and how it ends. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isLocked } from "../../src/storage/sqlite/lock.ts";
import { wharf_command } from "../support/binary.ts";
import { startMcp, type McpProcess } from "../support/bridge.ts";
import { claim } from "../support/names.ts";
import { databaseOf } from "../support/postgres.ts";
import { open, speak } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

const home = newDirectory();
afterAll(() => removeDirectory(home));

const readRoom = async (client: McpProcess, room: string) =>
  (await client.call("meet_read", { room, since: 0 })).result?.structuredContent;

describe("with an address", () => {
  let service: SourceService;
  beforeAll(async () => {
    service = await startSource();
  });
  afterAll(() => service.stop());

  test("serves the tools of the service, and ends when its standard input ends", async () => {
    const client = startMcp(["--url", service.url], home);
    await client.begin();
    const { tools } = (await client.ask("tools/list")).result as unknown as { tools: object[] };
    expect(tools).toEqual(await toolsOf(service.url));
    expect(await client.end()).toBe(0);
    expect(client.errors()).toBe("");
  });

  test("serves the tools of the address that it is given", async () => {
    const room = await open(service.url, "Own address");
    const tools_at = { "/mcp/meet": 7, [`/mcp/meet/${room.slug}`]: 9 };
    for (const [path, count] of Object.entries(tools_at)) {
      const client = startMcp([], home, { WHARF_URL: service.url + path });
      await client.begin();
      const { tools } = (await client.ask("tools/list")).result as unknown as { tools: object[] };
      expect(tools).toHaveLength(count);
      await client.end();
    }
  });

  test("passes on large answers whole", async () => {
    const room = await open(service.url, "Large");
    const text = "x".repeat(4000);
    for (let i = 0; i < 60; i++) await speak(room, text);
    const client = startMcp(["--url", service.url], home);
    const params = { name: "meet_read", arguments: { room: room.slug, since: 0, limit: 200 } };
    for (let id = 0; id < 5; id++) client.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    const answers = await Promise.all([0, 1, 2, 3, 4].map((n) => client.next(({ id }) => id === n)));
    for (const { result } of answers) expect(JSON.stringify(result).length).toBeGreaterThan(200_000);
    await client.end();
  });

  test("waits for nobody when its standard input has ended", async () => {
    const room = await open(service.url, "Piped");
    const client = startMcp(["--url", service.url], home);
    const args = { room: room.slug, since: 0, wait_seconds: 50 };
    client.send({
      jsonrpc: "2.0",
      id: "wait",
      method: "tools/call",
      params: { name: "meet_read", arguments: args },
    });
    while (service.open().waits < 1) await Bun.sleep(10);
    expect(await client.end()).toBe(0);
    expect(client.said).toEqual([]);
  });

  test("ends in order by SIGTERM", async () => {
    const client = startMcp(["--url", service.url], home);
    await client.begin();
    client.process.kill("SIGTERM");
    expect(await client.process.exited).toBe(0);
  });

  test("calls under the name of the environment, and under the one that is saved", async () => {
    const { name, key } = await claim(service.url, "stdio-ada");
    const client = startMcp(["--url", service.url], home, { WHARF_NAME: name, WHARF_KEY: key });
    expect((await client.call("mailbox_read", {})).result!.isError).toBeUndefined();
    await client.end();

    const own = newDirectory();
    const env = { PATH: process.env.PATH, HOME: own, WHARF_NAME: name, WHARF_KEY: key };
    const login = Bun.spawn([...wharf_command, "login", "--url", service.url], { env, stdout: "ignore" });
    expect(await login.exited).toBe(0);
    const saved = startMcp([], own);
    expect((await saved.call("mailbox_read", {})).result!.isError).toBeUndefined();
    await saved.end();
    const other = startMcp(["--as", "stdio-eve"], own);
    expect((await other.call("mailbox_read", {})).result!.isError).toBe(true);
    await other.end();
    removeDirectory(own);
  });
});

describe("with a data directory", () => {
  const databaseVariable = (data_dir: string): Record<string, string> => {
    const { database } = databaseOf(data_dir) as { database?: string };
    return database === undefined ? {} : { WHARF_DATABASE: database };
  };
  const runsOf = (data_dir: string) =>
    startMcp(["--data-dir", data_dir, "--port", "0"], home, databaseVariable(data_dir));
  const directories: string[] = [];
  const fresh = () => {
    directories.push(newDirectory());
    return join(directories.at(-1)!, "data");
  };
  afterAll(() => directories.forEach(removeDirectory));

  test("runs the service itself; others join it, and one of them continues it when it ends or is killed", async () => {
    const data_dir = fresh();
    const first = runsOf(data_dir);
    await first.begin();
    const { url, room } = (await first.call("meet_open", { goal: "Together", name: "Ada" })).result!
      .structuredContent as { url: string; room: string };
    expect((await fetch(url)).status).toBe(200);
    const second = runsOf(data_dir);
    await second.begin();
    const waiting = second.call("meet_read", { room, since: 0, wait_seconds: 50 });
    await first.call("meet_speak", { room, name: "Ada", body: "From the first." });
    expect((await waiting).result!.structuredContent).toMatchObject({ posts: [{ n: 1 }] });

    expect(await first.end()).toBe(0);
    await second.call("meet_speak", { room, name: "Bob", body: "From the second." });
    const third = runsOf(data_dir);
    await third.begin();
    second.process.kill("SIGKILL");
    await third.call("meet_speak", { room, name: "Carla", body: "From the third." });
    expect(await readRoom(third, room)).toMatchObject({ posts: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect(await third.end()).toBe(0);
    expect(isLocked(data_dir)).toBe(false);
  });

  test("ends in order when its client closes standard output alone", async () => {
    const data_dir = fresh();
    const child = Bun.spawn([...wharf_command, "mcp", "--data-dir", data_dir, "--port", "0"], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...databaseVariable(data_dir) },
      stdin: "pipe",
      stdout: "pipe",
    });
    const ping = async () => {
      try {
        await child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
        await child.stdin.flush();
      } catch (error) {
        // It has ended since, or is about to.
        if ((error as { code?: string }).code !== "EPIPE") throw error;
      }
    };
    await ping();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    while (child.exitCode === null) {
      await ping();
      await Bun.sleep(20);
    }
    expect(child.exitCode).toBe(0);
    expect(isLocked(data_dir)).toBe(false);
  });

  test.each([
    ["a port", {}],
    ["a unix socket", { socket: "mcp-test.socket" }],
  ])("joins a service that listens on %s", async (_what, settings) => {
    const data_dir = fresh();
    const service = await startSource({ data_dir, ...settings });
    const client = runsOf(data_dir);
    await client.begin();
    await client.call("meet_open", { goal: "Joined", name: "Ada" });
    expect(await readRoom(client, "joined")).toMatchObject({ posts: [] });
    expect(await client.end()).toBe(0);
    await service.stop();
  });

  test("says why it cannot start, in one line", async () => {
    const taken = await startSource();
    const { port } = new URL(taken.url);
    const client = startMcp(["--data-dir", fresh(), "--port", port], home);
    expect(await client.end()).toBe(1);
    expect(client.errors()).toContain(`wharf: 127.0.0.1:${port} is taken.`);
    const both = startMcp(["--url", taken.url, "--data-dir", "data"], home);
    expect(await both.end()).toBe(2);
    expect(both.errors()).toBe("wharf: --url and --data-dir name two services: give one of them.\n");
    await taken.stop();
  });
});
