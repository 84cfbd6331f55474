/** The export of a name: everything of it as JSON lines, for its holder alone. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { callJob, notesOf, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import type { Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { sessionOf, tokenOf } from "../support/stand_ins.ts";
import { storedId, withStored, type Row } from "../support/stored.ts";
import { mostPerTurn } from "../support/turns.ts";

type Line = Record<string, unknown> & { kind: string };

let service: SourceService;
beforeAll(async () => {
  service = await startSource({ oauth: true });
});
afterAll(() => service.stop());

const open = async ({ name, pair }: Holder, goal: string, visibility = "public") =>
  (await post<Opened>(`${service.url}/api/meet/rooms`, { goal, name, visibility }, pair)).body;
const say = ({ api }: Opened, { name, pair }: Holder, body: string) =>
  post<{ id: string; salt: string }>(`${api}/posts`, { name, body }, pair);
const exportOf = ({ pair }: Holder) => send("GET", `${service.url}/api/name/export`, pair);
const linesOf = async (who: Holder): Promise<Line[]> =>
  (await exportOf(who)).body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const of = (lines: Line[], kind: string) => lines.filter((line) => line.kind === kind);
const issuedIn = (lines: Line[]) => of(lines, "receipt").map(({ act }) => act);

test("has the posts, rooms, slots, jobs, notes and receipts of a name, each line with its kind", async () => {
  const before = await open({ name: "x" } as Holder, "Before the claim");
  await post(`${before.api}/posts`, { name: "lin", body: "Anybody could be lin then." });
  service.clock.advance(10);
  const [lin, mo] = [await claim(service.url, "lin"), await claim(service.url, "mo")];
  const room = await open(lin, "Mine?");
  const hidden = await open(lin, "Mine, not listed", "unlisted");
  const unlisted = await open(mo, "Not listed", "unlisted");
  const own = (await say(room, lin, "One.\u2028Two.")).body;
  await say(unlisted, lin, "Between us.");
  await post(`${room.api}/posts`, { name: "mo", body: "@lin, look here.", in_reply_to: own.id }, mo.pair);
  await post(`${before.api}/posts`, { name: "lin", body: "Again without the key." });
  const redacted = (await say(room, lin, "I take this back.")).body;
  await call("DELETE", `${room.api}/posts/${redacted.id}`, undefined, lin.pair);
  await call("PUT", `${service.url}/api/locker/notes/a`, { value: "For me." }, lin.pair);
  await call("PUT", `${service.url}/api/locker/shown`, { value: "For all.", public: true }, lin.pair);
  await call("PUT", `${service.url}/api/locker/key`, { value: `Of my room: ${room.host_key}.` }, lin.pair);
  const posted = await postJob(service.url, lin, { title: "Asked" });
  await callJob(service.url, mo, posted.id, "claim");
  await callJob(service.url, mo, posted.id, "deliver", { result: "By mo." });
  await callJob(service.url, lin, posted.id, "review", { verdict: "disputed", reason: "Not quite." });
  const offered = await postJob(service.url, mo, { title: "Offered" });
  await callJob(service.url, lin, offered.id, "claim");
  await callJob(service.url, lin, offered.id, "deliver", { result: "By lin." });
  await callJob(service.url, mo, offered.id, "review", { verdict: "accepted", reason: "Good." });
  const held = await postJob(service.url, mo, { title: "Held" });
  await callJob(service.url, lin, held.id, "claim");

  const answer = await exportOf(lin);
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("vary")).toContain("X-Wf-Key");
  expect(answer.body).not.toMatch(/[\u0085\u2028\u2029]/);
  const lines = answer.body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

  expect(lines[0]).toMatchObject({ kind: "name", format_version: 1, name: "lin", service: service.url });
  expect(lines.at(-1)).toEqual({
    kind: "end",
    lines: { name: 1, room: 2, post: 3, slot: 3, job: 3, note: 4, receipt: 8 },
  });
  expect(of(lines, "room").map(({ slug, goal }) => [slug, goal])).toEqual([
    [room.slug, "Mine?"],
    [hidden.slug, "Mine, not listed"],
  ]);
  expect(of(lines, "post").map(({ room, n, body }) => [room, n, body])).toEqual([
    [room.slug, 1, "One.\u2028Two."],
    [room.slug, 3, null],
    [unlisted.slug, 1, "Between us."],
  ]);
  expect(of(lines, "post")[0]).toEqual({
    ...own,
    kind: "post",
    url: `${service.url}/meet/r/${room.slug}/1`,
  } as never);
  expect(of(lines, "slot").map(({ slot, value, keys_hidden }) => [slot, value, keys_hidden])).toEqual([
    ["key", "Of my room: wfh_….", true],
    ["notes/a", "For me.", undefined],
    ["shown", "For all.", undefined],
  ]);
  const jobs = of(lines, "job").map(({ you, title, state, result, review, of_others }) => {
    const { verdict, reason } = (review ?? {}) as Row;
    return { you, title, state, result, verdict, reason, of_others };
  });
  const texts = ["title", "job", "tags"];
  expect(jobs).toMatchObject([
    { you: "poster", title: "Asked", result: "By mo.", reason: "Not quite.", of_others: ["result"] },
    { you: "holder", title: "Held", state: "held", of_others: texts },
    { you: "holder", title: "Offered", result: "By lin.", reason: "Good.", of_others: [...texts, "review"] },
  ]);
  const notes = await notesOf(service.url, lin);
  expect(of(lines, "note")).toEqual(notes.map((note) => ({ kind: "note", note, of_others: ["note"] })));
  expect(issuedIn(lines)).toEqual([
    ...["name.claim", "meet.open", "meet.open", "meet.speak", "meet.speak"],
    ...["job.post", "job.deliver", "job.accept"],
  ]);
  for (const { receipt, ref } of of(lines, "receipt")) {
    const { body } = await post(`${service.url}/receipt/verify`, { receipt });
    expect(body).toMatchObject({ verdict: "valid", payload: { ref, sub: "lin" } });
  }
  const secrets = [lin.key, lin.recovery_code, room.host_key, mo.key, unlisted.host_key];
  expect(secrets.filter((secret) => answer.body.includes(secret))).toEqual([]);
  expect(lines.every(({ kind }) => typeof kind === "string")).toBe(true);
});

test("is for the holder of the key alone", async () => {
  const url = `${service.url}/api/name/export`;
  const ada = await claim(service.url, "ada");
  expect(await get(url)).toMatchObject({ status: 401, body: { code: "credential_required" } });
  const wrong = { "x-wf-name": "lin", "x-wf-key": ada.key };
  expect(await get(url, wrong)).toMatchObject({ status: 401, body: { code: "unknown_credential" } });
  expect((await send("HEAD", url, ada.pair)).status).toBe(200);
  expect(await post(`${service.url}/api/name`, { name: "Export" })).toMatchObject({
    status: 422,
    body: { code: "name_reserved" },
  });
  expect((await post(`${service.url}/api/name`, { name: "export-bot" })).status).toBe(201);
});

test("has nothing of an earlier holder of the name, and nothing that the operator deleted", async () => {
  const first = await claim(service.url, "ned");
  const room = await open(first, "Of the first ned");
  await say(room, first, "By the first.");
  await postJob(service.url, first);
  const moderate = (path: string) =>
    asOwner(service, "POST", `/api/admin/${path}`, { reason: "For the test" });
  await moderate("names/ned/release");
  service.clock.advance(10);
  const second = await claim(service.url, "ned");
  const gone = await open(second, "To be deleted");
  await say(gone, second, "In a deleted room.");
  await moderate(`rooms/${gone.slug}/delete`);
  const kinds = (await linesOf(second)).map(({ kind }) => kind);
  expect(kinds).toEqual(["name", "receipt", "end"]);
});

describe("of a name with many posts", () => {
  const posts = 3_000;
  const body = "A word ".repeat(500);
  let many: Holder;
  beforeAll(async () => {
    many = await claim(service.url, "many");
    const room = await open(many, "Long");
    await say(room, many, "First.");
    const [{ seq, ts, author } = {} as Row] = await withStored(service.directory, ({ run }) =>
      run("SELECT room AS seq, ts, author FROM posts WHERE author = 'many'"),
    );
    await withStored(service.directory, async ({ run }) => {
      for (let n = 2; n <= posts; n++) {
        const id = storedId(`018f0000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`);
        await run(
          "INSERT INTO posts (id, room, n, ts, name, claimed, author, body, salt, id_indexed) " +
            "VALUES ($1, $2, $3, $4, 'many', 1, $5, $6, $7, 1)",
          ...[id, seq!, n, Number(ts) + n, author!, body, storedId(crypto.randomUUID())],
        );
      }
    });
    service.clock.advance(60_000);
  });

  test("has each post once, in the order of time", async () => {
    const lines = of(await linesOf(many), "post");
    expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: posts }, (_, i) => i + 1));
  });

  test("reads and writes little in a turn of the event loop", async () => {
    const most = await mostPerTurn(() => exportOf(many));
    expect(most.rows).toBeLessThan(200);
    expect(most.chars_read).toBeLessThan(200_000);
    expect(most.chars_written).toBeLessThan(1_000_000);
  });

  const suspend = (path = "suspend") =>
    asOwner(service, "POST", `/api/admin/names/many/${path}`, { reason: "For the test" });
  const byKey = (end: () => Promise<unknown>) => () => Promise.resolve({ headers: many.pair, end });
  test.each<[string, () => Promise<{ headers: Record<string, string>; end: () => Promise<unknown> }>]>([
    ["the name is suspended", byKey(() => suspend())],
    ["the grant of a program ends", () => tokenOf(service.url, many)],
    ["the session of a browser ends", () => sessionOf(service.url, many)],
    ["the key is replaced", byKey(() => post(`${service.url}/api/name/rotate`, undefined, many.pair))],
  ])("ends without its last line when %s meanwhile", async (_what, start) => {
    const { headers, end } = await start();
    const response = await fetch(`${service.url}/api/name/export`, { headers });
    const reader = response.body!.getReader();
    let text = new TextDecoder().decode((await reader.read()).value);
    await end();
    for (let read = await reader.read(); !read.done; read = await reader.read())
      text += new TextDecoder().decode(read.value);
    // Not the text itself: it is very long.
    expect([response.status, ...["post", "end"].map((kind) => text.includes(`"kind":"${kind}"`))]).toEqual([
      200,
      true,
      false,
    ]);
    await suspend("unsuspend");
  });
});

test("counts as more reads of its address, the longer it is", async () => {
  const limited = await startSource({ rate_limit: true });
  const { pair } = await claim(limited.url, "ada");
  const room = (await post<Opened>(`${limited.url}/api/meet/rooms`, { goal: "Long", name: "ada" }, pair))
    .body;
  for (let i = 0; i < 40; i++)
    await post(`${room.api}/posts`, { name: "ada", body: `${i} ${"word ".repeat(790)}` }, pair);
  const left = async () => {
    const { headers } = await get(`${limited.url}/api/name/ada`);
    return Number(/;r=(\d+)/.exec(headers.get("ratelimit")!)![1]);
  };
  const before = await left();
  const { body } = await send("GET", `${limited.url}/api/name/export`, pair);
  const used = before - (await left());
  expect(body.length).toBeGreaterThan(150_000);
  // The export, the look-up, and a read for each 64 KB.
  expect(used).toBe(2 + Math.floor(Buffer.byteLength(body) / (64 * 1024)));
  await limited.stop();
});
