/** The tools of leases: both forms of every result, every refusal with the next call, and the life of a lease at each address. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeaseList, TakenLease } from "../../../src/api/leases.ts";
import { lease_limits } from "../../../src/api/limits.ts";
import { get, post } from "../../support/http.ts";
import type { ToolAnswer } from "../../support/mcp_clients.ts";
import { ask } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { closeRoom, open, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { testCalls, type GoodCall, type RefusedCall } from "../../support/tool_calls.ts";
import { callTool, codeOf, toolsOf } from "../../support/tools.ts";

let service: SourceService;
let url: string;
let room: Opened;
let closed: Opened;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [room, closed] = [await open(url, "Who edits what?"), await open(url, "Done")];
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  await closeRoom(closed);
});
afterAll(() => service.stop());

let count = 0;
/** A path that nobody has held before. */
const fresh = (): string => `src/file-${++count}.ts`;
const leases = (slug = room.slug): string => `${url}/api/meet/rooms/${slug}/leases`;

/** Takes a lease over HTTP. Returns its number. */
async function taken(who: Holder, paths: string[], more: object = {}): Promise<number> {
  const answer = await post<TakenLease>(leases(), { paths, ttl_seconds: 600, ...more }, who.pair);
  expect(answer.status).toBe(201);
  return answer.body.fence;
}

const done_or_longer =
  /^lease_release {"room":"[\w-]+","fence":\d+} when you are done; lease_take {"room":"[\w-]+","extend":\d+} before until/;

const good_calls: GoodCall[] = [
  ["lease_take", () => [{ room: room.slug, paths: [fresh()] }, ada], done_or_longer],
  [
    "lease_take",
    () => [
      {
        room: `${url}/meet/r/${room.slug}`,
        paths: [`./${fresh()}/`, fresh()],
        ttl_seconds: 30,
        purpose: 'To\n"say" it',
        wait_seconds: 10,
      },
      ada,
    ],
    done_or_longer,
  ],
  [
    "lease_take",
    async () => [{ room: room.slug, extend: await taken(ada, [fresh()]), ttl_seconds: 3_600 }, ada],
    done_or_longer,
  ],
  [
    "lease_release",
    async () => [{ room: room.slug, fence: await taken(ada, [fresh(), fresh()]) }, ada],
    null,
  ],
  [
    "lease_release",
    async () => {
      const [done, undone] = [fresh(), fresh()];
      return [{ room: room.slug, fence: await taken(ada, [done, undone]), paths: [done] }, ada];
    },
    null,
  ],
];

const refused_calls: RefusedCall[] = [
  [
    "lease_take",
    "lease_held",
    async () => {
      await taken(bob, ["held/by-bob"], { purpose: "Renaming\n> it" });
      return [{ room: room.slug, paths: ["held", fresh()] }, ada];
    },
    /until 2026.*\npath: "held\/by-bob"\nholder: "Bob"\npurpose: "Renaming\\n> it"\nuntil: "2026-\S+"\nNext: Work on something else, or wait in line: lease_take, the same with wait_seconds: 280\.$/,
  ],
  [
    "lease_take",
    "lease_held",
    async () => {
      await taken(ada, ["held/by-ada"]);
      return [{ room: room.slug, paths: ["held/by-ada/below"] }, ada];
    },
    /yourself.*\npath: "held\/by-ada"\nholder: "Ada"\nuntil: "\S+"\nyours: true\nfence: \d+\nNext: If it is you .* lease_release/,
  ],
  ["lease_take", "credential_required", () => [{ room: room.slug, paths: ["a"] }], /Next: .*name_claim/],
  ["lease_take", "invalid_fields", () => [{ room: room.slug }, ada], /paths: is required, or extend\nNext:/],
  ["lease_take", "invalid_fields", () => [{ paths: ["a"] }, ada], /room: is required/],
  ["lease_take", "invalid_fields", () => [{ room: room.slug, paths: [] }, ada], /paths: /],
  [
    "lease_take",
    "invalid_fields",
    () => [{ room: room.slug, paths: ["a", "../b"], ttl_seconds: 60 }, ada],
    /: paths\/1: /,
  ],
  [
    "lease_take",
    "invalid_fields",
    () => [{ room: room.slug, paths: ["a"], ttl_seconds: lease_limits.lease_seconds_max + 1 }, ada],
    /ttl_seconds: must be a whole number from 30 to 86400/,
  ],
  [
    "lease_take",
    "invalid_fields",
    () => [{ room: room.slug, extend: 1, paths: ["a"], purpose: "More" }, ada],
    /paths: cannot be sent with extend.*purpose: cannot be sent with extend/,
  ],
  [
    "lease_take",
    "lease_lost",
    async () => [{ room: room.slug, extend: await taken(bob, [fresh()]), ttl_seconds: 60 }, ada],
    /Next: Stop what you do under it\. meet_read shows who holds what\. lease_take takes it again/,
  ],
  ["lease_take", "room_closed", () => [{ room: closed.slug, paths: ["a"] }, ada], /Next: meet_read/],
  ["lease_take", "room_not_found", () => [{ room: "nowhere", paths: ["a"] }, ada], /Next: meet_rooms/],
  [
    "lease_take",
    "contains_key",
    () => [{ room: room.slug, paths: ["a"], purpose: bob.key }, ada],
    /Next: Take the key out/,
  ],
  ["lease_release", "lease_lost", () => [{ room: room.slug, fence: 999_999 }, ada], /Next: Stop what/],
  [
    "lease_release",
    "lease_lost",
    async () => [{ room: room.slug, fence: await taken(ada, [fresh()]), paths: ["other"] }, ada],
    /does not have all of these paths/,
  ],
  ["lease_release", "invalid_fields", () => [{ room: room.slug }, ada], /fence: is required/],
  ["lease_release", "credential_required", () => [{ room: room.slug, fence: 1 }], /Next: .*name_claim/],
];

testCalls(() => service, /^lease_/, good_calls, refused_calls);

describe("a lease, by tools", () => {
  const call = async (name: string, args: object, who: Holder, path?: string) => {
    const answer = await callTool(url, name, args, who.pair, path);
    return {
      code: codeOf(answer),
      text: answer.content[0]!.text,
      result: answer.structuredContent as unknown as TakenLease & { next: string },
    };
  };

  test("is held for ten minutes if nothing else is said, and then by nobody", async () => {
    const args = { room: room.slug, paths: [fresh()] };
    const { fence, until } = (await call("lease_take", args, ada)).result;
    expect(Date.parse(until) - service.clock.now()).toBe(lease_limits.lease_seconds_default * 1000);
    service.clock.advance(lease_limits.lease_seconds_default - 1);
    expect((await call("lease_take", args, bob)).code).toBe("lease_held");
    service.clock.advance(1);
    expect((await call("lease_take", { room: room.slug, extend: fence }, ada)).code).toBe("lease_lost");
    expect((await call("lease_take", args, bob)).code).toBeNull();
  });

  test("is extended from now on, by its fence, and keeps its paths", async () => {
    const paths = [fresh(), fresh()];
    const { fence } = (await call("lease_take", { room: room.slug, paths }, ada)).result;
    service.clock.advance(500);
    const longer = await call("lease_take", { room: room.slug, extend: fence, ttl_seconds: 200 }, ada);
    expect(longer.result).toMatchObject({ fence, paths });
    expect(Date.parse(longer.result.until) - service.clock.now()).toBe(200_000);
  });

  test("is given back in parts, and what is left is still held", async () => {
    const [first, second] = [fresh(), fresh()];
    const { fence } = (await call("lease_take", { room: room.slug, paths: [first, second] }, ada)).result;
    const released = await call("lease_release", { room: room.slug, fence, paths: [first] }, ada);
    expect<object>(released.result).toEqual({ released: [first], paths: [second] });
    expect((await call("lease_take", { room: room.slug, paths: [first] }, bob)).code).toBeNull();
    expect((await call("lease_take", { room: room.slug, paths: [second] }, bob)).code).toBe("lease_held");
  });

  test("is the same lease over HTTP", async () => {
    const path = fresh();
    const args = { room: room.slug, paths: [path], purpose: "Both ways" };
    const { fence } = (await call("lease_take", args, ada)).result;
    const { body } = await get<LeaseList>(`${leases()}?prefix=${path}`, ada.pair);
    expect(body.leases).toMatchObject([{ holder: "Ada", paths: [path], purpose: "Both ways", fence }]);
    expect((await post(`${leases()}/release`, { fence }, ada.pair)).status).toBe(200);
    expect((await call("lease_take", { room: room.slug, extend: fence }, ada)).code).toBe("lease_lost");
  });

  test("at the address of a room needs no room, and says so of another", async () => {
    const at = `/mcp/meet/${room.slug}`;
    const path = fresh();
    const { result, text } = await call("lease_take", { paths: [path] }, ada, at);
    const { fence } = result;
    const next = `lease_release {"fence":${fence}} when you are done; lease_take {"extend":${fence}} before until, if you need longer.`;
    expect([result.next, text]).toEqual([next, expect.stringMatching(/\nNext: lease_release/)]);
    const sent = { name: "lease_take", arguments: { room: closed.slug, paths: [path] } };
    const other = await ask<ToolAnswer>(url + at, "tools/call", sent, ada.pair);
    expect(other.body.result!.content[0]!.text).toContain("room: is another room than the one at this");
    expect<object>((await call("lease_release", { fence, room: room.slug }, ada, at)).result).toEqual({
      released: [path],
      paths: [],
    });
  });

  test("is offered at the addresses of everything and of one room, not where no room is chosen", async () => {
    const offered = async (path: string) =>
      (await toolsOf(url, path)).flatMap(({ name, annotations, inputSchema }) =>
        name.startsWith("lease_")
          ? [[name, annotations, (inputSchema as { required?: string[] }).required ?? []]]
          : [],
      );
    expect(await offered("/mcp")).toEqual([
      ["lease_take", { destructiveHint: false }, ["room"]],
      ["lease_release", { destructiveHint: false }, ["room", "fence"]],
    ]);
    expect(await offered(`/mcp/meet/${room.slug}`)).toEqual([
      ["lease_take", { destructiveHint: false }, []],
      ["lease_release", { destructiveHint: false }, ["fence"]],
    ]);
    expect(await offered("/mcp/meet")).toEqual([]);
  });

  test("is taken once by a call that is made again", async () => {
    const args = { room: room.slug, paths: [fresh()], once: crypto.randomUUID() };
    const first = await call("lease_take", args, ada);
    const again = await call("lease_take", args, ada);
    expect(again.result).toMatchObject({ ...first.result, replayed: true });
  });

  test("is taken with the key among the arguments", async () => {
    const args = { room: room.slug, paths: [fresh()], key: bob.key };
    const answer = await callTool(url, "lease_take", args);
    expect(codeOf(answer)).toBeNull();
  });
});
