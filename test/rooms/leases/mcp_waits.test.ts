/** Calls of lease_take that wait in line: how long, with progress, and what ends them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeaseList, TakenLease } from "../../../src/api/leases.ts";
import { asOwner } from "../../support/admin.ts";
import { startBridge } from "../../support/bridge.ts";
import { get, post } from "../../support/http.ts";
import type { ToolAnswer } from "../../support/mcp_clients.ts";
import { message } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { open, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { callTool, codeOf } from "../../support/tools.ts";

let service: SourceService;
let url: string;
let room: Opened;
let ada: Holder;
let bob: Holder;
let carol: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  room = await open(url, "Who edits what?");
  [ada, bob, carol] = [await claim(url, "Ada"), await claim(url, "Bob"), await claim(url, "Carol")];
});
afterAll(() => service.stop());

let count = 0;
const fresh = (): string => `src/file-${++count}.ts`;
const leases = (): string => `${url}/api/meet/rooms/${room.slug}/leases`;
const argsOf = (path: string, more: object = {}) => ({ room: room.slug, paths: [path], ...more });

/** Takes a lease over HTTP. Returns the function that releases it. */
async function held(who: Holder, path: string, ttl_seconds = 3_600): Promise<() => Promise<unknown>> {
  const { body } = await post<TakenLease>(leases(), { paths: [path], ttl_seconds }, who.pair);
  return () => post(`${leases()}/release`, { fence: body.fence }, who.pair);
}

const holderOf = async (path: string): Promise<string | undefined> =>
  (await get<LeaseList>(`${leases()}?prefix=${path}`)).body.leases[0]?.holder;

/** When what is in the way of a lease ends, as its refusal says. */
const endOf = async (who: Holder, path: string): Promise<string> =>
  (await post<{ until: string }>(leases(), { paths: [path], ttl_seconds: 60 }, who.pair)).body.until;

/** Calls with a token for progress, and takes an answer on a stream. */
const withToken = (who: Holder, args: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...who.pair,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(
      message("tools/call", { name: "lease_take", arguments: args, _meta: { progressToken: "t" } }, "w"),
    ),
    ...(signal && { signal }),
  });

interface Said {
  params?: { progress: number };
  result?: ToolAnswer;
}
async function messagesOf(response: Response): Promise<Said[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as Said);
}

const waiting = async (): Promise<void> => {
  while (service.open().waits === 0) await service.clock.turn();
};

/** Lets time pass, a second at a time, while a wait is open; resolves to how long it was. */
async function passing(seconds_max = Infinity): Promise<number> {
  await waiting();
  let seconds = 0;
  while (service.open().waits > 0 && seconds < seconds_max) {
    service.clock.advance(1);
    seconds++;
    await service.clock.turn();
  }
  return seconds;
}

describe("a wait in line", () => {
  test("is held for 50 seconds without a token, says so, and says who is in the way", async () => {
    const path = fresh();
    await held(ada, path);
    const answer = callTool(url, "lease_take", argsOf(path, { wait_seconds: 280 }), bob.pair);
    expect(await passing()).toBe(50);
    const refused = await answer;
    expect([codeOf(refused), refused.content[0]!.text]).toEqual([
      "lease_held",
      expect.stringMatching(
        /\nholder: "Ada"\nuntil: "\S+"\nplace_until: "\S+"\nwaited_seconds: 50, the most without progress on an event stream\nNext: /,
      ),
    ]);
  });

  test("is held for 280 seconds with one, with progress every 15", async () => {
    const path = fresh();
    await held(ada, path);
    const answer = withToken(bob, argsOf(path, { wait_seconds: 280 }));
    expect(await passing()).toBe(280);
    const messages = await messagesOf(await answer);
    const shown = messages.flatMap(({ params }) => (params ? [params.progress] : []));
    expect(shown).toEqual(Array.from({ length: 18 }, (_, i) => 15 * (i + 1)));
    const refused = messages.at(-1)!.result!;
    expect(codeOf(refused)).toBe("lease_held");
    expect(refused.content[0]!.text).not.toContain("waited_seconds");
  });

  test("gets the lease as soon as its holder gives it back, and does not say how long it was", async () => {
    const path = fresh();
    const release = await held(ada, path);
    const answer = callTool(url, "lease_take", argsOf(path, { wait_seconds: 280 }), bob.pair);
    await passing(20);
    await release();
    const { structuredContent } = await answer;
    expect(structuredContent).toMatchObject({ paths: [path] });
    expect(structuredContent).not.toHaveProperty("waited_seconds");
    expect(await holderOf(path)).toBe("Bob");
  });

  test("gets the lease when the time of its holder is up", async () => {
    const path = fresh();
    await held(ada, path, 30);
    const answer = callTool(url, "lease_take", argsOf(path, { wait_seconds: 50 }), bob.pair);
    await passing(29);
    expect(service.open().waits).toBe(1);
    service.clock.advance(1);
    expect((await answer).structuredContent).toMatchObject({ paths: [path] });
  });

  test("keeps its place for the next call, which goes on from there", async () => {
    const path = fresh();
    const release = await held(ada, path);
    const first = callTool(url, "lease_take", argsOf(path, { wait_seconds: 10 }), bob.pair);
    expect(await passing()).toBe(10);
    expect(codeOf(await first)).toBe("lease_held");
    await release();
    const carols = await callTool(url, "lease_take", argsOf(path), carol.pair);
    expect(carols.content[0]!.text).toMatch(/in line.*\npath: .*\nholder: "Bob"\n(.*\n)*in_line: true\n/);
    expect(codeOf(await callTool(url, "lease_take", argsOf(path), bob.pair))).toBeNull();
  });

  test("ends when its client leaves, and its place a minute later", async () => {
    const path = fresh();
    const release = await held(ada, path);
    const left = new AbortController();
    const answer = withToken(bob, argsOf(path, { wait_seconds: 280 }), left.signal);
    await passing(20);
    expect((await answer).status).toBe(200);
    left.abort();
    while (service.open().waits > 0) await service.clock.turn();
    await release();
    const carols = () => callTool(url, "lease_take", argsOf(path), carol.pair);
    expect(codeOf(await carols())).toBe("lease_held");
    // Time must not pass before it is stored that the place ends soon.
    while (Date.parse(await endOf(carol, path)) > service.clock.now() + 60_000) await service.clock.turn();
    service.clock.advance(61);
    expect(codeOf(await carols())).toBeNull();
  });

  test("goes through the bridge of standard input, and is cancelled there", async () => {
    const path = fresh();
    const release = await held(ada, path);
    const client = startBridge(`${url}/mcp`, { headers: bob.pair });
    await client.begin();
    const answer = client.call("lease_take", argsOf(path, { wait_seconds: 280 }));
    await waiting();
    await release();
    const { fence } = (await answer).result!.structuredContent as { fence: number };
    const again = client.call("lease_release", { room: room.slug, fence });
    expect((await again).result!.structuredContent).toEqual({ released: [path], paths: [] });
    await held(ada, path);
    const params = { name: "lease_take", arguments: argsOf(path, { wait_seconds: 50 }) };
    client.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params });
    await waiting();
    client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
    while (service.open().waits > 0) await service.clock.turn();
    expect(client.said.filter(({ id }) => id === "long")).toEqual([]);
    await client.end();
  });
});

describe("a wait in line ends with a refusal, and takes nothing,", () => {
  const reason = "Spam";
  let address = 0;
  /** Each way to wait in line from an address of its own: resolves to the text of the answer. */
  const ways: [string, (who: Holder, path: string, from: string) => Promise<string>][] = [
    [
      "over HTTP",
      async ({ pair }, path, from) => {
        const sent = { paths: [path], ttl_seconds: 60, wait_seconds: 50 };
        return JSON.stringify((await post(leases(), sent, { ...pair, "x-forwarded-for": from })).body);
      },
    ],
    [
      "over MCP",
      async ({ pair }, path, from) => {
        const headers = { ...pair, "x-forwarded-for": from };
        return JSON.stringify(await callTool(url, "lease_take", argsOf(path, { wait_seconds: 50 }), headers));
      },
    ],
  ];

  test.each(ways)("%s, when its address is banned", async (_way, wait) => {
    const path = fresh();
    const release = await held(ada, path);
    const from = `198.51.100.${++address}`;
    const answer = wait(bob, path, from);
    await waiting();
    await asOwner(service, "POST", "/api/admin/bans", { network: from, reason });
    expect(await answer).toContain("address_banned");
    await release();
    expect(await holderOf(path)).toBeUndefined();
  });

  test.each(ways)("%s, when its name is suspended", async (way, wait) => {
    const path = fresh();
    const release = await held(ada, path);
    const dora = await claim(url, `Dora ${way}`);
    const answer = wait(dora, path, `198.51.100.${++address}`);
    await waiting();
    const at = `/api/admin/names/${encodeURIComponent(dora.name)}/suspend`;
    expect((await asOwner(service, "POST", at, { reason })).status).toBe(200);
    expect(await answer).toContain("name_suspended");
    await release();
    expect(await holderOf(path)).toBeUndefined();
  });
});
