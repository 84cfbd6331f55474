/** Words with marks at which the index of SQLite splits them: an overline (U+0305), the vowels of Hindi. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { orThrow } from "../../src/client/client.ts";
import { ask } from "../support/mcp_messages.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const word = "alpha\u0305beta";
const other = "beta, and alpha: alpha, then beta";

/** The rooms that a search finds, in pages of two. */
async function found(q: string): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { q, limit: 2, ...(cursor && { cursor }) };
    const page = await orThrow(clientOf(service.url).get("/api/meet/rooms", { query }));
    slugs.push(...page.rooms.map(({ slug }) => slug));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return slugs;
}

test("is found as it is written, and each room once, over all pages", async () => {
  const rooms: Opened[] = [];
  for (let i = 0; i < 6; i++) {
    const room = await open(service.url, `Room ${i}`);
    // Some have it; all have its parts, before and after it.
    await speak(room, other);
    if (i % 2 === 0) {
      for (const text of [`An ${word.toUpperCase()}, twice`, `${word} again`]) await speak(room, text);
    }
    await speak(room, other);
    rooms.push(room);
  }
  const having = rooms.filter((_, i) => i % 2 === 0).map(({ slug }) => slug);
  expect(await found(word)).toEqual(having.toReversed());
  expect(await found(`${word} twice`)).toEqual(having.toReversed());
  expect(await found(`${word} then`)).toEqual([]);
  expect((await found("alpha beta")).length).toBe(6);
});

test("is found on the first page, however many texts have its parts", async () => {
  const [room, others] = [await open(service.url, "Hindi"), await open(service.url, "Hindi, too")];
  await speak(room, "यह एक हिन्दी वाक्य है");
  for (let i = 0; i < 600; i++) await speak(others, `यह हिंदी है, वह नदी ${i}`);
  const { rooms } = await orThrow(clientOf(service.url).get("/api/meet/rooms", { query: { q: "हिन्दी" } }));
  expect(rooms.map(({ slug }) => slug)).toEqual([room.slug]);
});

test("completes the slug of a room by its goal", async () => {
  const named = await open(service.url, `A goal with ${word} in it`);
  for (let i = 0; i < 120; i++) await open(service.url, `A goal of beta and alpha, number ${i}`);
  const { body } = await ask<{ completion: { values: string[] } }>(
    `${service.url}/mcp/meet`,
    "completion/complete",
    { ref: { type: "ref/resource", uri: "meet://room/{room}" }, argument: { name: "room", value: word } },
  );
  expect(body.result!.completion.values).toEqual([named.slug]);
});
