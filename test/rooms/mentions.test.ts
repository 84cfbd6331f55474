/** What the author of a post learns of its mentions: which names are claimed, and which got a note. Over HTTP and by every tool that posts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { call, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { stored } from "../support/stored.ts";
import { callTool, wordsOf } from "../support/tools.ts";

interface Mention {
  name: string;
  claimed: boolean;
  notified: boolean;
}
type Spoken = { id: string; n: number; mentions?: Mention[] };

let service: SourceService;
let room: Opened;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  room = await open(service.url, "Who is meant?");
  ada = await claim(service.url, "Ada-1");
  await claim(service.url, "bob");
});
afterAll(() => service.stop());

const say = async (
  body: string,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Spoken> =>
  (await post<Spoken>(`${room.api}/posts`, { name: "Eve", body, ...fields }, headers)).body;
const bob = { name: "bob", claimed: true, notified: true };
const boob = { name: "boob", claimed: false, notified: false };

describe("a post", () => {
  test("returns each name that it mentions as it is written, once, and whether somebody has it", async () => {
    expect((await say("@bob @BOB @boob, and @ada_1")).mentions).toEqual([
      bob,
      boob,
      { name: "ada_1", claimed: true, notified: true },
    ]);
  });

  test("returns nothing of mentions if it has none", async () => {
    for (const body of ["hello", "bob@example.org", "@ bob"])
      expect(await say(body)).not.toHaveProperty("mentions");
    const reply = await say("a reply", { in_reply_to: (await say("x", { name: "Ada-1" }, ada.pair)).n });
    expect(reply).not.toHaveProperty("mentions");
  });

  test("notifies neither its own author by a mention, nor anybody twice", async () => {
    const own = await say("@ada-1 @bob", { name: "Ada-1" }, ada.pair);
    expect(own.mentions).toEqual([{ name: "ada-1", claimed: true, notified: false }, bob]);
    const answered = await say("as @Ada-1 said", { in_reply_to: own.n });
    expect(answered.mentions).toEqual([{ name: "Ada-1", claimed: true, notified: true }]);
  });

  test("returns the first ten names of many, which are those that it may notify", async () => {
    const many = Array.from({ length: 12 }, (_, i) => `nobody-${i}`);
    const { mentions } = await say(many.map((name) => `@${name}`).join(" "));
    expect(mentions!.map(({ name }) => name)).toEqual(many.slice(0, 10));
  });

  test("returns the same with since, with fields=lean and with a receipt", async () => {
    for (const [query, fields] of [
      ["", { since: 0 }],
      ["?fields=lean", {}],
      ["?receipt=1", {}],
    ] as const) {
      const { body } = await post<Spoken>(`${room.api}/posts${query}`, {
        name: "Eve",
        body: "@bob @boob",
        ...fields,
      });
      expect(body.mentions).toEqual([bob, boob]);
    }
  });

  test("that is sent again returns the same, and what is stored for it has no word of its text", async () => {
    const headers = { "idempotency-key": "mentions-0123456789-0123456789" };
    const first = await say("@bob @unheard-of", {}, headers);
    expect(first.mentions).toEqual([bob, { ...boob, name: "unheard-of" }]);
    expect(await say("@bob @unheard-of", {}, headers)).toEqual(first);
    const rows = await stored(service.directory, "SELECT * FROM idempotent_answers");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("unheard-of");
  });

  test("that comes with others in one transaction returns its own mentions", async () => {
    const bodies = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? `${i} @bob` : i % 4 ? `${i} @boob` : `${i}`,
    );
    const posts = await Promise.all(bodies.map((body) => say(body)));
    for (const [i, { mentions }] of posts.entries())
      expect([bodies[i], mentions]).toEqual([bodies[i], i % 2 ? [bob] : i % 4 ? [boob] : undefined]);
  });

  test("of the typed client has them, too", async () => {
    const { data } = await clientOf(service.url).post("/api/meet/rooms/{room}/posts", {
      path: { room: room.slug },
      body: { name: "Eve", body: "@boob" },
    });
    expect(data?.mentions?.[0]?.claimed).toBe(false);
  });
});

test("a last word returns them", async () => {
  const last = await open(service.url, "Closed with a mention");
  const { body } = await call<{ last_word: Spoken }>(
    "POST",
    `${last.api}/close`,
    { last_word: "@boob, that is it", name: "Eve" },
    { "x-meet-key": last.host_key! },
  );
  expect(body.last_word.mentions).toEqual([boob]);
});

test.each([
  ["meet_speak", () => ({ room: room.slug, name: "Eve", body: "@bob @boob" })],
  ["meet_answer", () => ({ room: room.slug, name: "Eve", body: "@bob @boob" })],
  ["meet_ask", () => ({ name: "Eve", question: "@bob @boob, are you there?" })],
])("%s returns them in both forms", async (tool, args) => {
  const answer = await callTool(service.url, tool, args());
  expect(answer.structuredContent!.mentions).toEqual([bob, boob]);
  expect(wordsOf(answer)).toContain(`mentions: ${JSON.stringify([bob, boob])}`);
});

test("meet_close returns those of a last word", async () => {
  const last = await open(service.url, "Closed by a tool");
  const args = { room: last.slug, host_key: last.host_key!, last_word: "@boob", name: "Eve" };
  const answer = await callTool(service.url, "meet_close", args);
  expect(answer.structuredContent!.mentions).toEqual([boob]);
});
