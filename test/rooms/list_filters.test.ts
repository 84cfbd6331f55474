/**
 * Each parameter that filters the list of rooms, everywhere: in the SQL of pages, of the whole list and of searches, in the total, in
 * the key of the cache, and in the links to further pages. A new parameter needs a value in test/support/rooms.ts.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RoomList } from "../../src/api/rooms/rooms.ts";
import { ListInput } from "../../src/api/rooms/tools.ts";
import { get, send } from "../support/http.ts";
import { list_filters, open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

/** One more than a page for browsers has. */
const count = 51;

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
  // The first is on the last page of all rooms, the second on the first page.
  await open(service.url, "A plain room");
  service.clock.advance(1);
  for (const [name, filter] of Object.entries(list_filters))
    for (let i = 0; i < count; i++) await filter.open(service.url, `A ${name} room`);
  service.clock.advance(1);
  await open(service.url, "A plain room");
});
afterAll(() => service.stop());

/** How many rooms of each kind a text names. */
function kindsIn(text: string): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const [, kind] of text.matchAll(/A (\w+) room/g)) kinds[kind!] = (kinds[kind!] ?? 0) + 1;
  return kinds;
}
const html = { accept: "text/html" };
const read = async (path: string, headers = {}) => (await send("GET", service.url + path, headers)).body;
const list = async (query: string) => (await get<RoomList>(`${service.url}/api/meet/rooms?${query}`)).body;

/** The list in every form, as a text. `sent`: parameters. */
const forms: Record<string, (sent: Record<string, string>) => Promise<string>> = {
  "a page": (sent) => read(`/api/meet/rooms?${new URLSearchParams({ ...sent, limit: "50" })}`),
  "the whole list": (sent) => read(`/api/meet/rooms?${new URLSearchParams(sent)}`),
  "a search": (sent) => read(`/api/meet/rooms?${new URLSearchParams({ ...sent, q: "room" })}`),
  Markdown: (sent) => read(`/meet.md?${new URLSearchParams(sent)}`),
  "the page": (sent) => read(`/meet?${new URLSearchParams(sent)}`, html),
  meet_rooms: async (sent) =>
    (await callTool(service.url, "meet_rooms", { ...sent, limit: 50 })).content[0]!.text,
};
const is_left_out = (name: string, form: string) => form === "meet_rooms" && !(name in ListInput.properties);

describe.each(Object.entries(list_filters))("%s", (name, { value }) => {
  const sent = { [name]: value };
  const query = `${name}=${value}`;

  test.each(Object.keys(forms).filter((form) => !is_left_out(name, form)))(
    "filters %s, and neither answer is that to the other request",
    async (form) => {
      const all = kindsIn(await forms[form]!({}));
      const filtered = kindsIn(await forms[form]!(sent));
      expect(Object.keys(filtered)).toEqual([name]);
      expect(filtered[name]).toBeGreaterThanOrEqual(50);
      expect(all).not.toEqual(filtered);
      expect(kindsIn(await forms[form]!({}))).toEqual(all);
    },
  );

  test("is in the total, and holds for the next page", async () => {
    const { next, total } = await list(`${query}&limit=50`);
    expect(total).toBe(count);
    const rest = await list(`${query}&limit=50&cursor=${next}`);
    expect([rest.rooms.map(({ goal }) => goal), rest.next]).toEqual([[`A ${name} room`], null]);
  });

  test("is in the links to the next page, and in the form of the search", async () => {
    const markdown = /^More: GET (\S+)$/m.exec(await forms.Markdown!(sent))![1]!;
    expect(kindsIn((await send("GET", markdown)).body)).toEqual({ [name]: 1 });
    const page = await forms["the page"]!(sent);
    const more = /<a[^>]* href="([^"]*cursor=[^"]*)"/.exec(page)![1]!.replaceAll("&amp;", "&");
    expect(kindsIn((await send("GET", more, html)).body)).toEqual({ [name]: 1 });
    expect(page).toContain(`<input type="hidden" name="${name}" value="${value}"`);
  });
});
