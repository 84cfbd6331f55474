/** The pages of a room over HTTP: which posts a page has, permalinks, texts, fragments, and forms that are refused. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { post } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

const open = async (goal: string, more = {}): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal, name: "Ada", ...more })).body;
const say = async ({ api }: OpenedRoom, body: string, more = {}): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: "Ada", body, ...more })).body;
/** Posts with the numbers as texts, or with `text`. */
const fill = async (room: OpenedRoom, count: number, text?: string): Promise<Post[]> => {
  const posts: Post[] = [];
  for (let n = 1; n <= count; n++) posts.push(await say(room, text ?? `post ${n}`));
  return posts;
};
const read = (url: string) => fetch(url, { headers: { accept: "text/html" }, redirect: "manual" });
const textOf = async (url: string): Promise<string> => (await read(url)).text();
const numbers = (page: string): number[] =>
  Array.from(page.matchAll(/ data-n="(\d+)"/g), ([, n]) => Number(n)).sort((a, b) => a - b);
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const linkIn = (page: string, text: string): string | undefined =>
  new RegExp(`<a[^>]* href="([^"]*)"[^>]*>(?:<span>)?${text}(?:</span>)?</a>`).exec(page)?.[1];
const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, {
    method: "POST",
    headers: { origin: service.url, accept: "text/html" },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });

describe("a page of a room", () => {
  test("has the newest 50 posts, and links to all others", async () => {
    const room = await open("Many posts");
    await fill(room, 120);
    const newest = await textOf(room.url);
    expect(numbers(newest)).toEqual([1, ...from(71, 120)]);
    expect(newest).toContain('<ol class="posts" id="posts" data-last="120">');
    const middle = await textOf(linkIn(newest, "Earlier posts")!);
    expect(numbers(middle)).toEqual(from(21, 70));
    const first = await textOf(linkIn(middle, "Earlier posts")!);
    expect(numbers(first)).toEqual(from(1, 20));
    expect(linkIn(first, "Earlier posts")).toBeUndefined();
    expect(numbers(await textOf(linkIn(first, "Newer posts")!))).toEqual(from(21, 70));
    expect(linkIn(middle, "Newest")).toBe(`${room.url}/120`);
    expect(numbers(await textOf(`${room.url}?before=121`))).toEqual([1, ...from(71, 120)]);
    expect(numbers(await textOf(`${room.url}?before=1`))).toEqual([]);
    expect((await read(`${room.url}?before=x`)).status).toBe(422);
  });

  test("has fewer posts if their texts are long, and its links skip none", async () => {
    const room = await open("Long posts");
    await fill(room, 40, `${"long ".repeat(599)}end`);
    const seen: number[] = [];
    for (let url: string | undefined = room.url; url;) {
      const page = await textOf(url);
      // Beside them the newest page has the first post.
      const shown = numbers(page).filter((n) => n > 1 || url !== room.url);
      expect(shown.length).toBeLessThanOrEqual(16);
      seen.unshift(...shown);
      url = linkIn(page, "Earlier posts");
    }
    expect(seen).toEqual(from(1, 40));
    const later: number[] = [];
    for (let url = linkIn(await textOf(`${room.url}?before=5`), "Newer posts"); url;) {
      const page = await textOf(url);
      later.push(...numbers(page).filter((n) => n > (later.at(-1) ?? 4)));
      url = linkIn(page, "Newer posts") ?? (numbers(page).includes(40) ? undefined : room.url);
    }
    expect(later).toEqual(from(5, 40));
  });

  test("quotes the post of another page that is answered", async () => {
    const room = await open("Across pages");
    const posts = await fill(room, 60);
    await say(room, "to the second", { in_reply_to: 2 });
    const page = await textOf(room.url);
    expect(page).toContain('<p class="quoted">');
    expect(page).toContain(`<a class="number" href="${room.url}/2">#2</a> <q dir="auto">post 2</q>`);
    expect(page).not.toContain(`id="p-${posts[1]!.id}"`);
  });

  test("takes at most 30 KB gzipped with 50 posts of ordinary prose", async () => {
    const room = await open("Prose");
    const words = (await Bun.file("docs/contract.md").text()).replaceAll(/[^A-Za-z ,.\n]/g, "");
    for (let n = 0; n < 50; n++) await say(room, words.slice(n * 900, n * 900 + 900).trim() || "end");
    const page = await textOf(room.url);
    expect(numbers(page)).toHaveLength(50);
    expect(gzipSync(page).length).toBeLessThanOrEqual(30_000);
  });

  test("arrives whole without compression, also when it is large", async () => {
    const room = await open("Large");
    await fill(room, 50, "- item\n".repeat(130));
    const headers = { accept: "text/html", "accept-encoding": "identity" };
    const page = await (await fetch(room.url, { headers })).text();
    expect(page.length).toBeGreaterThan(70_000);
    expect(page).toEndWith("</html>");
  });

  test("says that a closed room is closed, in place of the form", async () => {
    const room = await open("Closed");
    await fill(room, 1);
    await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
    const page = await textOf(room.url);
    expect(page).toContain("This room is closed.");
    expect(page).not.toContain('id="speak"');
    expect(page).not.toContain(">Reply</a>");
  });
});

describe("a permalink", () => {
  test("leads to the page that has the post", async () => {
    const room = await open("Permalinks");
    const posts = await fill(room, 120);
    for (const n of [1, 20, 50, 51, 70, 71, 120]) {
      const { status, headers } = await read(`${room.url}/${n}`);
      const location = headers.get("location")!;
      expect([status, location.endsWith(`#p-${posts[n - 1]!.id}`)]).toEqual([302, true]);
      expect(numbers(await textOf(location))).toContain(n);
    }
    expect((await read(`${room.url}/71`)).headers.get("location")).toBe(`${room.url}#p-${posts[70]!.id}`);
  });

  test("leads to a page with the post where texts are long", async () => {
    const room = await open("Long permalinks");
    await fill(room, 60, "x".repeat(3_900));
    for (const n of [1, 20, 37, 49, 50, 51]) {
      const location = (await read(`${room.url}/${n}`)).headers.get("location")!;
      expect(numbers(await textOf(location))).toContain(n);
    }
  });

  test("with .txt is the text of the post, byte for byte", async () => {
    const room = await open("Raw", { visibility: "unlisted" });
    const text = "# A <b>title</b>\n\n\u200e* item\n";
    const said = await say(room, text);
    for (const ref of ["1", said.id]) {
      const answer = await read(`${room.url}/${ref}.txt`);
      expect(await answer.text()).toBe(text);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    }
    expect((await read(`${room.url}/2.txt`)).status).toBe(404);
  });
});

describe("a fragment", () => {
  test("has the posts after a number as list items that name their parents", async () => {
    const room = await open("Fragments");
    const [first] = await fill(room, 60);
    await say(room, "a reply", { in_reply_to: 1 });
    const items = await textOf(`${room.url}/after/0`);
    expect(numbers(items)).toEqual(from(1, 50));
    expect(items).toStartWith('<li class="post"');
    expect(items.match(/data-more="true"/g)).toHaveLength(1);
    expect(items).toMatch(/data-n="50" data-more="true"/);
    const rest = await textOf(`${room.url}/after/50`);
    expect(numbers(rest)).toEqual(from(51, 61));
    expect(rest).not.toContain("data-more");
    expect(rest).toContain(`data-n="61" data-parent="${first!.id}"`);
    expect(rest).toContain('<p class="quoted">');
    expect(await textOf(`${room.url}/after/61`)).toBe("");
    expect((await read(`${room.url}/after/62`)).status).toBe(422);
    expect((await read(`${room.url}/after/x`)).status).toBe(422);
  });

  test("of one post has that post, also when it is redacted", async () => {
    const room = await open("One post");
    await fill(room, 2, "some words");
    expect(numbers(await textOf(`${room.url}/post/2`))).toEqual([2]);
    const headers = { "x-meet-key": room.host_key! };
    await fetch(`${room.api}/posts/2`, { method: "DELETE", headers });
    const item = await textOf(`${room.url}/post/2`);
    expect(item).toContain("Redacted by the host.");
    expect(item).not.toContain("some words");
    expect((await read(`${room.url}/post/3`)).status).toBe(404);
  });
});

describe("the forms of a room", () => {
  test("show the post that is answered or reported", async () => {
    const room = await open("Answering");
    await fill(room, 3);
    const page = await textOf(`${room.url}?reply=2`);
    expect(page).toContain("Reply to #2");
    expect(page).toContain('<input type="hidden" name="in_reply_to" value="2"/>');
    expect(page).toMatch(/<form id="speak"[^]*<q dir="auto">post 2<\/q>/);
    const reporting = await textOf(`${room.url}?report=3`);
    expect(reporting).toContain('<input type="hidden" name="post" value="3"/>');
    const plain = await textOf(`${room.url}?reply=9&report=9`);
    expect(plain).not.toContain('id="report"');
    expect(plain).not.toContain('<input type="hidden" name="in_reply_to"');
  });

  test("are above the posts when they were refused, with the message beside its field", async () => {
    const room = await open("Refusing");
    await fill(room, 3);
    const answer = await submit(room.url, { name: "Bob", body: "x".repeat(4_001), in_reply_to: "2" });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page.indexOf('id="speak"')).toBeLessThan(page.indexOf('id="posts"'));
    expect(page).toContain('aria-invalid="true"');
    const faults = page.match(/<p class="fault"[^>]*>/g);
    expect(faults).toEqual(['<p class="fault" id="body-fault" role="alert" tabindex="-1" autofocus>']);
    expect(page).toContain("Your post is 4,001 characters long; at most 4,000 fit.");
    expect(page).toContain("x".repeat(4_001));
    expect(page).toContain('name="in_reply_to" value="2"');
    expect(page).toContain('value="Bob"');
  });

  test("put the message beside the field of a room that was not opened", async () => {
    const answer = await submit(`${service.url}/meet`, { goal: "", name: "Bob", visibility: "public" });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toMatch(
      /<p class="fault" id="goal-fault"[^>]*><span>Question or goal must not be empty\./,
    );
  });
});

describe("the list of rooms", () => {
  test("has closed rooms behind a link, and searches both kinds", async () => {
    const open_one = await open("Zebra crossings");
    const closed_one = await open("Zebra stripes");
    await post(`${closed_one.api}/close`, undefined, { "x-meet-key": closed_one.host_key! });
    const listed = await textOf(`${service.url}/meet`);
    expect(listed).toContain(`href="${open_one.url}"`);
    expect(listed).not.toContain(`href="${closed_one.url}"`);
    const closed = await textOf(linkIn(listed, "Closed")!);
    expect(closed).toContain(`href="${closed_one.url}"`);
    expect(closed).not.toContain(`href="${open_one.url}"`);
    const found = await textOf(`${service.url}/meet?q=zebra`);
    expect(found).toContain(`href="${open_one.url}"`);
    const found_closed = await textOf(linkIn(found, "Closed")!.replaceAll("&amp;", "&"));
    expect(found_closed).toContain(`href="${closed_one.url}"`);
    expect(found_closed).toContain('<input type="hidden" name="closed" value="true"/>');
  });

  test("is read page by page, each with the same filter", async () => {
    for (let i = 0; i < 52; i++) {
      const { api, host_key } = await open(`Quokka ${i}`);
      await post(`${api}/close`, undefined, { "x-meet-key": host_key! });
    }
    const next = linkIn(await textOf(`${service.url}/meet?closed=true`), "More rooms")!;
    expect(next).toContain("closed=true&amp;cursor=");
    expect(await textOf(next.replaceAll("&amp;", "&"))).toContain("Quokka 0<");
  });

  test("says what to do if nothing was found", async () => {
    const page = await textOf(`${service.url}/meet?q=nowheretobefound`);
    expect(page).toContain("No room has all of these words.");
    const open_ones = await textOf(`${service.url}/meet?q=nowheretobefound&closed=false`);
    expect(open_ones).toContain("No open room has all of these words.");
    expect(linkIn(open_ones, "Search all rooms.")).toBe(`${service.url}/meet?q=nowheretobefound`);
  });
});
