/** A post reads only what its answer contains: nothing without `since`, and nothing if its author has missed nothing. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { openStorage } from "../../src/app/storage.ts";
import type { SqlValue, Tx } from "../../src/core/storage.ts";
import { post } from "../support/http.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, codeOf } from "../support/tools.ts";

let service: SourceService;
let room: Opened;
let slug = "";
/** How often the room was read. */
let reads = 0;

/** `tx`, with reads of the room counted. */
const counting = (tx: Tx): Tx =>
  new Proxy(tx, {
    get(target, name: keyof Tx) {
      const member: unknown = target[name];
      if (name !== "get") return typeof member === "function" ? (member.bind(target) as unknown) : member;
      return (sql: string, ...values: SqlValue[]) => {
        if (values.includes(slug)) reads++;
        return target.get(sql, ...values);
      };
    },
  });

beforeAll(async () => {
  service = await startSource({}, undefined, undefined, async (directory, clock, log) => {
    const storage = await openStorage(directory, clock, log);
    const read: typeof storage.read = (query) => storage.read((tx) => query(counting(tx)));
    return new Proxy(storage, {
      get: (target, name: keyof typeof storage) => {
        const member: unknown = name === "read" ? read : target[name];
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  });
});
afterAll(() => service.stop());

beforeEach(async () => {
  room = await open(service.url, "Reads");
  slug = room.slug;
  await post(`${room.api}/posts`, { name: "Bob", body: "one" });
});

const speak = async (more: object) => {
  const before = reads;
  const answer = await callTool(service.url, "meet_speak", {
    room: slug,
    name: "Lin",
    body: "two",
    ...more,
  });
  return { answer, reads: reads - before };
};

const next_year = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`;

test.each([
  ["no since", {}, { earlier: 1 }],
  ["since the latest post", { since: 1 }, { missed: [] }],
  ["since the latest post, as text", { since: "#1" }, { missed: [] }],
  ["since a later time", { since: next_year }, { missed: [] }],
])("reads nothing for a post with %s", async (_, more, members) => {
  const { answer, reads } = await speak(more);
  expect(answer.structuredContent).toMatchObject({ n: 2, next_since: 2, ...members });
  expect(reads).toBe(0);
});

test.each([0, "0", "2020-01-01T00:00:00.000Z"])("reads once what was missed since %p", async (since) => {
  const { answer, reads } = await speak({ since });
  expect(answer.structuredContent).toMatchObject({ n: 2, missed: [{ n: 1, body: "one" }], next_since: 2 });
  expect(reads).toBe(1);
});

test.each([2, "#2", -1, "yesterday"])("posts nothing with since %p, which is no position", async (since) => {
  const { answer } = await speak({ since });
  expect(codeOf(answer)).toBe("invalid_fields");
  expect((await speak({})).answer.structuredContent).toMatchObject({ n: 2 });
});

test("says that a room does not exist, whatever since is", async () => {
  for (const since of [0, 5, next_year, "yesterday"]) {
    const answer = await callTool(service.url, "meet_speak", {
      room: "no-such",
      name: "Lin",
      body: "?",
      since,
    });
    expect(codeOf(answer)).toBe("room_not_found");
  }
});

test("checks since against the posts that are stored with it", async () => {
  const url = `${room.api}/posts`;
  const answers = await Promise.all(
    [1, 1, 9, 1].map((since) => post(url, { name: "Lin", body: `since ${since}`, since })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 201]);
  // They may arrive in any order.
  const missed = answers.flatMap(({ body }) => (body.missed as unknown[] | undefined)?.length ?? []);
  expect(missed.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
});
