/** The page of a search in rooms: the posts that match, with the words marked. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RoomList } from "../../src/api/rooms/rooms.ts";
import { get } from "../support/http.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const pageOf = async (q: string, more = ""): Promise<string> =>
  (
    await fetch(`${service.url}/meet?q=${encodeURIComponent(q)}${more}`, { headers: { accept: "text/html" } })
  ).text();
/** The items of the list of rooms. */
const itemsOf = (page: string): string[] =>
  page.split('id="rooms"')[1]!.split("</ul>")[0]!.split("<li>").slice(1);
const matchesIn = (item: string) =>
  Array.from(item.matchAll(/\/(\d+)">#\d+<\/a> <span[^>]*>(.*?)<\/span>/g), ([, n, text]) => [
    Number(n),
    text,
  ]);
const marksIn = (page: string) => Array.from(page.matchAll(/<mark>(.*?)<\/mark>/g), ([, word]) => word);

describe("a search on the page", () => {
  test("shows up to three posts of each room that match, the newest first, and the API one, as before", async () => {
    const [many, one] = [await open(service.url, "Boats"), await open(service.url, "Ships")];
    for (let n = 1; n <= 5; n++) await speak(many, n === 3 ? "Something else." : `The quokka number ${n}.`);
    await speak(one, "A quokka on a ship.");
    const items = itemsOf(await pageOf("quokka"));
    expect(items.map(matchesIn)).toEqual([
      [[1, "A <mark>quokka</mark> on a ship."]],
      [5, 4, 2].map((n) => [n, `The <mark>quokka</mark> number ${n}.`]),
    ]);
    const { body } = await get<RoomList>(`${service.url}/api/meet/rooms?q=quokka`);
    expect(body.rooms.map(({ match }) => match)).toEqual([
      { n: 1, excerpt: "A quokka on a ship." },
      { n: 5, excerpt: "The quokka number 5." },
    ]);
    expect(JSON.stringify(body)).not.toContain("matches");
    const markdown = await (await fetch(`${service.url}/meet.md?q=quokka`)).text();
    expect(markdown.match(/quokka number/g)).toHaveLength(1);
  });

  test("marks the words in a goal, and shows the posts of such a room that match", async () => {
    const room = await open(service.url, "Who counts wombats?");
    await speak(room, "I count WOMBATS, and one wombat-cub.");
    await speak(room, "Nobody does.");
    const [item] = itemsOf(await pageOf("wombats"));
    expect(item).toContain("Who counts <mark>wombats</mark>?");
    expect(matchesIn(item!)).toEqual([[1, "I count <mark>WOMBATS</mark>, and one wombat-cub."]]);
  });

  test("has as many rooms on a page as before, each once over all pages", async () => {
    const rooms: Opened[] = [];
    for (let i = 0; i < 60; i++) {
      const room = await open(service.url, `Room ${i}`);
      rooms.push(room);
      await speak(room, `numbat ${i}`);
    }
    for (let i = 59; i >= 0; i -= 20) await speak(rooms[i]!, `numbat again ${i}`);
    const first = await pageOf("numbat");
    const next = /href="([^"]*)">More rooms/.exec(first)![1]!.replaceAll("&amp;", "&");
    const second = await (await fetch(next, { headers: { accept: "text/html" } })).text();
    const slugs = [first, second].flatMap((page) =>
      itemsOf(page).map((item) => /\/meet\/r\/([a-z0-9-]+)"/.exec(item)![1]!),
    );
    expect([itemsOf(first).length, slugs.length, new Set(slugs).size]).toEqual([50, 60, 60]);
    expect(itemsOf(first).filter((item) => matchesIn(item).length === 2)).toHaveLength(3);
  });

  test("escapes what strangers wrote, with marks in it", async () => {
    const room = await open(service.url, "Escapes <b>dingo</b> & co");
    await speak(room, `<img src=x onerror=alert(1)> dingo" <mark>dingo</mark> &lt; dingo`);
    const page = await pageOf("dingo");
    expect(page).toContain("Escapes &lt;b&gt;<mark>dingo</mark>&lt;/b&gt; &amp; co");
    expect(page).toContain(
      "&lt;img src=x onerror=alert(1)&gt; <mark>dingo</mark>&quot; &lt;mark&gt;<mark>dingo</mark>&lt;/mark&gt; &amp;lt; <mark>dingo</mark>",
    );
    expect(await pageOf("<img dingo")).not.toContain("<img");
  });

  test.each([
    ["Łódź", "łódź", "Łódź"],
    ["Im CAFÉ, im cafe\u0301 und im Cafe.", "café", "CAFÉ|cafe\u0301|Cafe"],
    ["ΑΘΗΝΑ και Αθήνα", "αθηνα", "ΑΘΗΝΑ|Αθήνα"],
    ["Привет, ПРИВЕТ!", "привет", "Привет|ПРИВЕТ"],
    ["אמר שלום לכולם", "שלום", "שלום"],
    ["مرحبا بالجميع", "بالجميع", "بالجميع"],
    ["هو می‌خواهم بود", "بود", "بود"],
    ["यह हिन्दी है", "हिन्दी", "हिन्दी"],
    ["東京 は 大きい", "東京", "東京"],
    ["안녕 세계", "세계", "세계"],
    ["𝐁𝐨𝐥𝐝 👩‍🚀 text", "text", "text"],
  ])("marks words in any script: %s", async (text, q, marked) => {
    const room = await open(service.url, `Scripts ${q.length}`);
    await speak(room, text);
    const page = await pageOf(q);
    const item = itemsOf(page).find((one) => one.includes(`/meet/r/${room.slug}"`))!;
    expect(marksIn(item)).toEqual(marked.split("|"));
    // Emoji and joined letters are as they were.
    expect(item.replaceAll(/<\/?mark>/g, "")).toContain(text);
  });

  test("marks nothing in a list without a search", async () => {
    await open(service.url, "A plain goal");
    const page = await (await fetch(`${service.url}/meet`, { headers: { accept: "text/html" } })).text();
    expect(page).not.toContain("<mark>");
  });
});
