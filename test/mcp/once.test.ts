/** The argument `once`: a repeated call of any tool that writes does nothing twice, and gets the first result again. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "../../src/api/jobs/jobs.ts";
import type { TakenLease } from "../../src/api/leases.ts";
import type { OpenedRoom, RoomRead } from "../../src/api/rooms/rooms.ts";
import { filesIn } from "../support/directories.ts";
import { callJob, postJob, readJob } from "../support/jobs.ts";
import { get, post } from "../support/http.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";
import { withStored } from "../support/stored.ts";

let service: SourceService;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource({ trusted_proxies: ["127.0.0.0/8", "::1/128"] });
  [ada, bob] = [await claim(service.url, "Ada"), await claim(service.url, "Bob")];
});
afterAll(() => service.stop());

const uuid = (): string => crypto.randomUUID();
const call = (name: string, args: object, who?: Holder, path?: string) =>
  callTool(service.url, name, args, who?.pair, path);
const open = async (): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Once", name: "Host" })).body;
const postsIn = async (slug: string): Promise<number> =>
  (await get<RoomRead>(`${service.url}/api/meet/rooms/${slug}`)).body.total;

/** What is stored, but for the indexes that are filled in the background. */
const written = (): Promise<unknown> =>
  withStored(service.directory, async ({ run }) => {
    const tables = [
      "rooms",
      "posts",
      "names",
      "slots",
      "jobs",
      "notes",
      "mailboxes",
      "idempotent_answers",
      "leases",
    ];
    const rows = [];
    for (const table of tables) rows.push(await run(`SELECT * FROM ${table}`));
    return rows;
  });

/** A job that Ada posted, in the given state, held by Bob. */
async function job(state: "open" | "held" | "delivered"): Promise<Job> {
  const { id } = await postJob(service.url, ada);
  if (state !== "open") await callJob(service.url, bob, id, "claim");
  if (state === "delivered") await callJob(service.url, bob, id, "deliver", { result: "Done." });
  return readJob(service.url, id);
}

/** A call of each tool that writes, and who makes it. A second word says which call of the tool it is. */
const calls: Record<string, () => Promise<[args: object, who?: Holder]>> = {
  meet_ask: async () => [{ question: "Once?", name: "Guest" }],
  meet_answer: async () => [{ room: (await open()).slug, name: "Guest", body: "Yes." }],
  meet_open: async () => [{ goal: "Opened once", name: "Guest" }],
  meet_speak: async () => [{ room: (await open()).slug, name: "Guest", body: "Once." }],
  meet_close: async () => {
    const { slug, host_key } = await open();
    return [{ last_word: "Done.", name: "Host", room: slug, host_key }];
  },
  lease_take: async () => [{ purpose: "Once", room: (await open()).slug, paths: ["src"] }, ada],
  lease_release: async () => {
    const { slug } = await open();
    const taken = { paths: ["src"], ttl_seconds: 600 };
    const { body } = await post<TakenLease>(`${service.url}/api/meet/rooms/${slug}/leases`, taken, ada.pair);
    return [{ room: slug, fence: body.fence }, ada];
  },
  name_claim: async () => [{ name: `claimed ${uuid().slice(0, 8)}` }],
  name_recover: async () => {
    const { name, recovery_code } = await claim(service.url, `lost ${uuid().slice(0, 8)}`);
    return [{ recovery_code, name }];
  },
  locker_put: async () => [{ slot: "once", value: "1" }, ada],
  locker_delete: async () => {
    await call("locker_put", { slot: "deleted", value: "1" }, ada);
    return [{ slot: "deleted" }, ada];
  },
  job_post: async () => [{ title: "Once", detail: "Only once." }, ada],
  job_claim: async () => [{ id: (await job("open")).id }, bob],
  job_deliver: async () => [{ id: (await job("held")).id, result: "Done." }, bob],
  job_review: async () => [{ id: (await job("delivered")).id, verdict: "accepted" }, ada],
  "job_update extend": async () => {
    const { id } = await job("held");
    service.clock.advance(60);
    return [{ id, do: "extend" }, bob];
  },
  "job_update release": async () => [{ id: (await job("held")).id, do: "release" }, bob],
  "job_update withdraw": async () => [{ id: (await job("open")).id, do: "withdraw" }, ada],
  mailbox_ack: async () => {
    await job("delivered");
    const { structuredContent } = await call("mailbox_read", { limit: 100 }, ada);
    return [{ through: (structuredContent as { notes: { seq: number }[] }).notes.at(-1)!.seq }, ada];
  },
};

const toolOf = (called: string): string => called.split(" ")[0]!;

test("every tool that writes takes once, and no other", async () => {
  const tools = await toolsOf(service.url);
  const taking = tools.filter(
    ({ inputSchema }) => "once" in ((inputSchema as { properties?: object }).properties ?? {}),
  );
  const writing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(taking.map(({ name }) => name)).toEqual(writing.map(({ name }) => name));
  expect(new Set(Object.keys(calls).map(toolOf))).toEqual(new Set(writing.map(({ name }) => name)));
});

describe.each(Object.keys(calls))("%s", (called) => {
  const name = toolOf(called);

  test("does nothing twice, and says that it is a repetition", async () => {
    const [args, who] = await calls[called]!();
    const once = { ...args, once: uuid() };
    const first = await call(name, once, who);
    expect([codeOf(first), first.structuredContent!.replayed]).toEqual([null, undefined]);
    const before = await written();
    const again = await call(name, once, who);
    expect(codeOf(again)).toBeNull();
    const { replayed, ...same } = again.structuredContent!;
    expect([replayed, same]).toEqual([true, first.structuredContent!]);
    expect(again.content[0]!.text).toContain("\nReplayed: ");
    expect(await written()).toEqual(before);
    // Without the id, the call is a new one or refused: it is not answered from the first one.
    const other = await call(name, args, who);
    expect(other.structuredContent?.replayed).toBeUndefined();
  });

  test("refuses another call with the same id", async () => {
    const [args, who] = await calls[called]!();
    const once = uuid();
    expect(codeOf(await call(name, { ...args, once }, who))).toBeNull();
    const field = Object.keys(args).find((name) => !["room", "id", "do"].includes(name)) ?? "id";
    const value = (args as Record<string, unknown>)[field];
    const changed =
      field === "verdict" ? "disputed" : typeof value === "number" ? value + 1 : `${String(value)}s`;
    const refused = await call(name, { ...args, [field]: changed, once }, who);
    expect(codeOf(refused)).toBe("idempotency_key_reused");
    expect(refused.content[0]!.text).toContain("\nNext: Send a new once");
  });
});

test("speaks once if two calls with one id race", async () => {
  const { slug } = await open();
  const args = { room: slug, name: "Guest", body: "Once.", once: uuid() };
  const answers = await Promise.all([call("meet_speak", args), call("meet_speak", args)]);
  const codes = answers.map(codeOf);
  expect(codes).toContain(null);
  expect(codes.every((code) => code === null || code === "idempotency_in_progress")).toBe(true);
  expect(await postsIn(slug)).toBe(1);
  expect(codeOf(await call("meet_speak", args))).toBeNull();
});

test("answers a repetition while the first call waits for replies", async () => {
  const { slug } = await open();
  const args = { room: slug, name: "Guest", body: "Anybody?", once: uuid() };
  const waiting = call("meet_speak", { ...args, wait_seconds: 50 });
  while ((await postsIn(slug)) === 0) await Bun.sleep(5);
  const again = call("meet_speak", { ...args, wait_seconds: 50 });
  await Bun.sleep(50);
  await call("meet_speak", { room: slug, name: "Other", body: "Yes." });
  expect([codeOf(await waiting), (await again).structuredContent!.replayed]).toEqual([null, true]);
  expect(await postsIn(slug)).toBe(2);
});

test("is the same at the lobby and at the address of the room, and another call in another room", async () => {
  const [here, there] = [await open(), await open()];
  const said = { name: "Guest", body: "Where?", once: uuid() };
  const at = (slug: string) => call("meet_speak", said, undefined, `/mcp/meet/${slug}`);
  expect(codeOf(await at(here.slug))).toBeNull();
  const in_lobby = await call("meet_speak", { ...said, room: here.slug });
  expect(in_lobby.structuredContent!.replayed).toBe(true);
  expect(codeOf(await at(there.slug))).toBe("idempotency_key_reused");
  expect([await postsIn(here.slug), await postsIn(there.slug)]).toEqual([1, 0]);
});

test("does not depend on the order of the arguments, nor on a name that the key tells", async () => {
  const { slug } = await open();
  const once = uuid();
  await call("meet_speak", { room: slug, name: "Ada", body: "Hello.", once }, ada);
  const again = await call("meet_speak", { once, body: "Hello.", room: slug }, ada);
  expect(again.structuredContent!.replayed).toBe(true);
});

test("counts a short id for one address, and one of 22 characters for one credential", async () => {
  const from = (address: string, once: string) =>
    callTool(
      service.url,
      "meet_open",
      { goal: "Guessable", name: "Guest", once },
      { "x-forwarded-for": address },
    );
  const [short, long] = ["1", uuid()];
  for (const id of [short, long]) await from("192.0.2.1", id);
  expect((await from("192.0.2.2", short)).structuredContent!.replayed).toBeUndefined();
  expect((await from("192.0.2.2", long)).structuredContent!.replayed).toBe(true);
  const weak = (await from("192.0.2.1", short)).structuredContent!;
  expect(weak).toMatchObject({ replayed: true, host_key_note: expect.stringContaining("random UUID") });
  expect(weak.host_key).toBeUndefined();
  const named = await call("meet_open", { goal: "Guessable", name: "Ada", once: long }, ada);
  expect(named.structuredContent!.replayed).toBeUndefined();
});

test("returns a working key again, which no file has", async () => {
  const args = { name: "Lost answer", once: uuid() };
  await call("name_claim", args);
  const { key, recovery_code } = (await call("name_claim", args)).structuredContent as unknown as Holder;
  const { pair } = holder("Lost answer", key);
  expect((await post(`${service.url}/api/name/whoami`, undefined, pair)).status).toBe(200);
  const files = filesIn(service.directory).map((file) => readFileSync(join(service.directory, file)));
  for (const text of [key, recovery_code, args.once]) {
    expect(files.some((bytes) => bytes.includes(text))).toBe(false);
  }
});

test("returns the secrets of a recovery again", async () => {
  const { name, recovery_code } = await claim(service.url, "Lost key");
  const args = { name, recovery_code, once: uuid() };
  await call("name_recover", args);
  const { key } = (await call("name_recover", args)).structuredContent as unknown as Holder;
  const { pair } = holder(name, key);
  expect((await post(`${service.url}/api/name/whoami`, undefined, pair)).status).toBe(200);
});

test("refuses an id that no header could carry, and names the argument", async () => {
  const refused = await call("meet_open", { goal: "g", name: "Guest", once: "two words" });
  expect(codeOf(refused)).toBe("invalid_fields");
  expect(refused.content[0]!.text).toContain("once: must be 1 to 255 visible ASCII characters");
});
