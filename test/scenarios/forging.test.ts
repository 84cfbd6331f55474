/**
 * Texts that try to pass for something else, in every field that takes a text. Each is refused, or it is read back exactly from
 * the tool texts and the Markdown twins, whose own lines are the same as those around a plain text.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { tossIn } from "../../src/beacon/words.ts";
import { quotedName } from "../../src/core/text_form.ts";
import { codePoints, deceptivePlaces, speakerNameFault } from "../../src/core/text.ts";
import { call, get, post, type Answer } from "../support/http.ts";
import { callJob, payloadOf } from "../support/jobs.ts";
import { forgeries } from "../support/forgeries.ts";
import { ask } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { ownLinesIn, partsOf, postsIn, quotesIn } from "../support/text_form.ts";
import { callTool, wordsOf } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
});
afterAll(() => service.stop());

/** Whether a field for other readers takes `text`. */
const isShared = (text: string): boolean => text.trim() !== "" && deceptivePlaces(text, 1).length === 0;
const shared = forgeries.filter(isShared);
const names = forgeries.filter(
  (text) => isShared(text) && codePoints(text) <= 80 && speakerNameFault(text) === null,
);

/** The body of an answer; null if the text was refused. Fails on any other refusal. */
function taken<Body>({ status, body }: Answer<Body>, text: string): Body | null {
  const { code } = body as { code?: string };
  if (status < 400) return body;
  expect([text, status, code]).toEqual([text, 422, expect.stringMatching(/^invalid_(?:fields|characters)$/)]);
  return null;
}

const markdown = async (path: string): Promise<string> => {
  const response = await fetch(url + path, { headers: { accept: "text/markdown" } });
  expect([path, response.status, response.headers.get("content-type")]).toEqual([
    path,
    200,
    "text/markdown; charset=utf-8",
  ]);
  return response.text();
};

const words = async (tool: string, args: object, who?: Holder): Promise<string> =>
  wordsOf(await callTool(url, tool, args, who?.pair));

const resource = async (room: string): Promise<string> => {
  const read = { uri: `meet://room/${room}` };
  const { body } = await ask<{ contents: { text: string }[] }>(`${url}/mcp`, "resources/read", read);
  return body.result!.contents[0]!.text;
};

const prompt = async (room: string): Promise<string> => {
  const got = { name: "join_room", arguments: { room } };
  type Prompt = { messages: { content: { text?: string; resource?: { text: string } } }[] };
  const { body } = await ask<Prompt>(`${url}/mcp`, "prompts/get", got);
  return body.result!.messages.map(({ content }) => content.text ?? content.resource!.text).join("\n");
};

/** The cursor that the tool `wait` gives for new rooms. */
const newRooms = async (): Promise<string> => {
  const { structuredContent } = await callTool(url, "wait", { new_rooms: "now", wait_seconds: 0 });
  return (structuredContent as { cursors: { new_rooms: string } }).cursors.new_rooms;
};

/** The service's lines of a text, without ids, times, numbers and addresses. */
const ownForm = (text: string): string =>
  ownLinesIn(text)
    .join("\n")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/^next_cursor: \w+$/m, "next_cursor: <cursor>")
    .replace(/\d+/g, "<n>");

test("has more than 200 attempts, of which each field takes some", () => {
  expect(forgeries.length).toBeGreaterThan(200);
  expect(shared.length).toBeGreaterThan(50);
  expect(names.length).toBeGreaterThan(10);
});

test("a room's goal and its host's name are read back from lists and rooms", async () => {
  const rooms = `${url}/api/meet/rooms`;
  const goals: string[] = [];
  for (const goal of forgeries) {
    // The list begins with the latest room.
    service.clock.advance(1);
    const new_rooms = await newRooms();
    const opened = taken(await post<{ slug: string }>(rooms, { goal, name: "Eve" }), goal);
    expect([goal, opened !== null]).toEqual([goal, isShared(goal)]);
    if (!opened) continue;
    goals.unshift(goal);
    for (const text of [
      await markdown(`/api/meet/rooms/${opened.slug}.md`),
      await words("meet_read", { room: opened.slug }),
      await words("meet_rooms", { limit: 1 }),
      await words("wait", { new_rooms, wait_seconds: 0 }),
      await resource(opened.slug),
      await prompt(opened.slug),
    ]) {
      expect(quotesIn(text)).toEqual([goal]);
    }
  }
  const listed = quotesIn(await markdown("/api/meet/rooms.md"));
  expect(listed.length).toBeGreaterThan(50);
  expect(listed).toEqual(goals.slice(0, listed.length));
  for (const name of names) {
    service.clock.advance(1);
    const { body } = await post<{ slug: string }>(rooms, { goal: "plain", name });
    for (const text of [await markdown(`/meet/r/${body.slug}.md`), await words("meet_rooms", { limit: 1 })]) {
      const by = /\bby ("(?:[^"\\]|\\.)*"),/.exec(ownLinesIn(text).join("\n"));
      expect(JSON.parse(by![1]!)).toBe(name);
    }
  }
}, 120_000);

test("a post's text and its speaker's name are read back from rooms, and from what a speaker missed", async () => {
  const { body: room } = await post<{ slug: string; api: string }>(`${url}/api/meet/rooms`, {
    goal: "Which posts?",
    name: "Eve",
  });
  const said: { name: string; body: string }[] = [];
  for (const body of forgeries) {
    const spoken = taken(await post(`${room.api}/posts`, { name: "Eve", body }), body);
    expect([body, spoken !== null]).toEqual([body, isShared(body)]);
    if (spoken) said.push({ name: "Eve", body });
  }
  for (const name of forgeries) {
    const spoken = taken(await post(`${room.api}/posts`, { name, body: "plain" }), name);
    expect([name, spoken !== null]).toEqual([name, names.includes(name)]);
    if (spoken) said.push({ name, body: "plain" });
  }
  const expected = said.map((post, i) => ({ n: i + 1, claimed: false, in_reply_to_n: null, ...post }));
  const postsOf = (text: string) =>
    postsIn(text).map(({ n, claimed, in_reply_to_n, name, body }) => ({
      n,
      claimed,
      in_reply_to_n,
      name,
      body,
    }));

  const twin = await markdown(`/api/meet/rooms/${room.slug}.md?limit=1000&since=0`);
  expect(postsOf(twin)).toEqual(expected);
  for (let since = 0; since < said.length; since += 200) {
    const text = await words("meet_read", { room: room.slug, since, limit: 200 });
    expect(postsOf(text)).toEqual(expected.slice(since, since + 200));
    const waited = await words("wait", { rooms: { [room.slug]: since }, wait_seconds: 0 });
    expect(postsOf(waited).length).toBeGreaterThanOrEqual(Math.min(11, said.length - since));
    expect(postsOf(waited)).toEqual(expected.slice(since, since + postsOf(waited).length));
  }
  const latest = postsOf(await resource(room.slug));
  expect(latest.length).toBeGreaterThan(10);
  expect(latest).toEqual(expected.slice(-latest.length));
  const digest = await callTool(url, "meet_read", { room: room.slug, since: 0, limit: 200, digest: true });
  const { posts } = digest.structuredContent as { posts: { digest: string }[] };
  const digests = ownLinesIn(wordsOf(digest)).flatMap(
    (line) => /^#\d+ .* ("(?:[^"\\]|\\.)*")$/.exec(line)?.[1] ?? [],
  );
  expect(posts.length).toBeGreaterThan(100);
  expect(digests.map((quote) => JSON.parse(quote))).toEqual(posts.map((post) => post.digest));
  const missed = await words("meet_speak", { room: room.slug, name: "Zoë", body: "And?", since: 0 });
  expect(postsOf(missed)).toEqual(expected.slice(0, postsOf(missed).length));
  expect(postsOf(missed).length).toBeGreaterThan(20);
  expect(missed).not.toContain("And?");
}, 120_000);

test("a job's title, detail, result and review are read back from boards, jobs and notes", async () => {
  const plain = { title: "plain", detail: "plain", result: "plain", reason: "plain" };
  const done = async ({ title, detail, result, reason }: typeof plain): Promise<string | null> => {
    const posted = taken(await post<{ id: string }>(`${url}/api/jobs`, { title, detail }, ada.pair), title);
    if (!posted) return null;
    const { id } = posted;
    expect(quotesIn(await words("job_claim", { id }, bob))).toEqual([title, detail]);
    await callJob(url, bob, id, "deliver", { result });
    await callJob(url, ada, id, "review", { verdict: "accepted", reason });
    return id;
  };
  const shapeOf = async (id: string) => [
    ownForm(await words("job_read", { id })),
    ownForm(await markdown(`/jobs/${id}.md`)),
    ownForm(await words("jobs_list", { limit: 1 })),
  ];
  await done(plain);
  const plain_shape = await shapeOf((await done(plain))!);
  const texts: string[][] = [];
  for (const text of forgeries) {
    const title = codePoints(text) <= 140 ? text : "plain";
    const id = await done({ title, detail: text, result: text, reason: text });
    expect([text, id !== null]).toEqual([text, isShared(text)]);
    if (id === null) continue;
    texts.unshift([title, text, text, text]);
    expect([text, await shapeOf(id)]).toEqual([text, plain_shape]);
    for (const shown of [await words("job_read", { id }), await markdown(`/jobs/${id}.md`)]) {
      expect(quotesIn(shown)).toEqual(texts[0]!);
    }
  }
  const board = await markdown(`/api/jobs.md?limit=${texts.length}`);
  expect(quotesIn(board)).toEqual(texts.flat());
  expect(quotesIn(await words("jobs_list", { limit: 100 }))).toEqual(texts.slice(0, 100).flat());

  for (const who of [ada, bob]) {
    const mail = await callTool(url, "mailbox_read", { since: 0, limit: 200 }, who.pair);
    const { notes } = mail.structuredContent as { notes: Record<"title" | "reason" | "excerpt", string>[] };
    expect(notes.length).toBeGreaterThan(50);
    const of_notes = notes.flatMap(({ title, reason, excerpt }) => [title, reason, excerpt]);
    expect(quotesIn(wordsOf(mail))).toEqual(of_notes.filter((text) => text !== undefined));
    expect(shared.filter((text) => of_notes.includes(text)).length).toBeGreaterThan(50);
  }
}, 120_000);

test("an excerpt of a post in a note is read back, and its author's name", async () => {
  const { body: room } = await post<{ slug: string; api: string }>(`${url}/api/meet/rooms`, {
    goal: "Who is called?",
    name: "Eve",
  });
  const dora = await claim(url, "Dora");
  for (const name of names) {
    await call("DELETE", `${url}/api/mailbox`, undefined, dora.pair);
    for (const text of [shared[names.indexOf(name)]!, shared.at(-1 - names.indexOf(name))!]) {
      await post(`${room.api}/posts`, { name, body: `@Dora ${text}` });
      const mail = await callTool(url, "mailbox_read", {}, dora.pair);
      const { notes } = mail.structuredContent as { notes: { by: string; excerpt: string }[] };
      const { by, excerpt } = notes.at(-1)!;
      expect(by).toBe(name);
      expect(quotesIn(wordsOf(mail))).toEqual([excerpt]);
      expect(ownLinesIn(wordsOf(mail)).join("\n")).toContain(quotedName(name));
    }
  }
}, 120_000);

test("a public slot is read back from the tool and from Markdown", async () => {
  const slot = "forged";
  const store = (value: string) =>
    call("PUT", `${url}/api/locker/${slot}`, { value, public: true }, ada.pair);
  await store("plain");
  const texts = async () => [
    await words("locker_get", { slot, owner: "Ada" }),
    await markdown(`/locker/Ada/${slot}.md`),
  ];
  const plain = (await texts()).map(ownForm);
  for (const value of forgeries) {
    expect((await store(value)).status).toBeLessThan(300);
    const shown = await texts();
    expect([value, shown.map(ownForm)]).toEqual([value, plain]);
    for (const text of shown) expect(quotesIn(text)).toEqual([value]);
  }
});

test("the label and the items of a draw are read back from the tool and from Markdown", async () => {
  const { body } = await get<{ now: { round: number } }>(`${url}/api/beacon`);
  const round = body.now.round - 1;
  for (const label of forgeries) {
    const drawn = await callTool(url, "beacon", { round, label });
    const path = `/beacon/${round}.md?${new URLSearchParams({ label })}`;
    if (drawn.isError) continue;
    for (const text of [wordsOf(drawn), await markdown(path)])
      for (const quote of quotesIn(text)) {
        const read_back = quote.startsWith("toss ") ? tossIn(quote).label : quote;
        expect([label, read_back]).toEqual([label, label]);
      }
    if (label.includes(",") || !isShared(label)) continue;
    const shuffled = await callTool(url, "beacon", { round, label: "plain", shuffle: `${label},b,c` });
    if (!shuffled.isError) expect(() => partsOf(wordsOf(shuffled))).not.toThrow();
  }
});

test("the name in a receipt is read back from the tool and from Markdown", async () => {
  for (const name of names) {
    const { body } = await post<{ receipt: string }>(`${url}/api/meet/rooms`, { goal: "plain", name });
    for (const text of [
      await words("receipt_verify", { receipt: body.receipt }),
      await markdown(`/receipt.md?r=${body.receipt}`),
    ]) {
      expect(quotesIn(text).map((payload) => JSON.parse(payload))).toEqual([payloadOf(body.receipt)]);
      expect(payloadOf(body.receipt).sub).toBe(name);
    }
  }
});

test("a name of a slot, a claimed name and a tag are refused or hold no character that could end them", async () => {
  for (const text of forgeries) {
    const path = `${url}/api/locker/${encodeURIComponent(text)}`;
    const stored = text === "" ? null : await call("PUT", path, { value: "x", public: true }, ada.pair);
    if (stored && stored.status < 300) expect(text).toMatch(/^[A-Za-z0-9._/-]+$/);
    const claimed = await post(`${url}/api/name`, { name: text });
    if (claimed.status === 201) expect(text).toMatch(/^[A-Za-z0-9 ._-]+$/);
    const tagged = await post<{ id: string }>(
      `${url}/api/jobs`,
      { title: "x", detail: "x", tags: [text] },
      ada.pair,
    );
    if (tagged.status !== 201) continue;
    expect(text).toMatch(/^[a-z0-9-]+$/);
    await callJob(url, ada, tagged.body.id, "withdraw");
  }
  for (const text of [await words("locker_list", { of: "all", limit: 100 }), await markdown("/locker.md")]) {
    expect(quotesIn(text)).toEqual([]);
    expect(partsOf(text).length).toBeGreaterThan(2);
  }
});
