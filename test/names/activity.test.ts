/** What a claimed name did: the list of its posts, and its page. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuthoredPosts } from "../../src/api/rooms/authored.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

async function say(room: Opened, { name, pair }: Holder, body: string, as = name): Promise<Post> {
  service.clock.advance(1);
  return (await post<Post>(`${room.api}/posts`, { name: as, body }, pair)).body;
}
const list = async (name: string, query = ""): Promise<AuthoredPosts> =>
  (await get<AuthoredPosts>(`${service.url}/api/name/${name}/posts${query}`)).body;
const texts = async (name: string) => (await list(name)).posts.map(({ body }) => body);
const moderate = (path: string) => asOwner(service, "POST", `/api/admin/${path}`, { reason: "For the test" });

describe("the posts of a name", () => {
  test("are those with its key in public rooms, the latest first, each with its room and its permalink", async () => {
    const lin = await claim(service.url, "Lin-1");
    const [first, second] = [await open(service.url, "First?"), await open(service.url, "Second?")];
    const unlisted = await open(service.url, "Nobody lists this", "unlisted");
    await post(`${first.api}/posts`, { name: "lin", body: "By another name." });
    const own = await say(first, lin, "One.");
    await say(unlisted, lin, "Secret.");
    // Each is a spelling of the name, the last in full-width letters.
    await say(second, lin, "Two.", "lin.l");
    await say(first, lin, "Three.", "\uff2cin-1");
    await closeRoom(first);
    const { posts, ...rest } = await list("LIN_1");
    expect(rest).toEqual({ name: "Lin-1", next: null, treat_as: expect.stringContaining("strangers") });
    expect(posts.map(({ body, goal, url, n }) => [body, goal, url, n])).toEqual([
      ["Three.", "First?", `${service.url}/meet/r/${first.slug}/3`, 3],
      ["Two.", "Second?", `${service.url}/meet/r/${second.slug}/1`, 1],
      ["One.", "First?", `${service.url}/meet/r/${first.slug}/2`, 2],
    ]);
    const { salt: _salt, ...public_part } = own;
    expect(posts[2]).toMatchObject(public_part);
    expect(JSON.stringify(posts)).not.toContain("salt");
  });

  test("include the first post of a room and a last word", async () => {
    const mo = await claim(service.url, "mo");
    const { body } = await post<Opened>(
      `${service.url}/api/meet/rooms`,
      { goal: "Mine?", name: "mo" },
      mo.pair,
    );
    const key = { "x-meet-key": body.host_key, ...mo.pair };
    await call("POST", `${body.api}/close`, { last_word: "Done.", name: "mo" }, key);
    expect(await texts("mo")).toEqual(["Done."]);
  });

  test("come in pages that neither repeat nor skip a post", async () => {
    const ned = await claim(service.url, "ned");
    const rooms = [await open(service.url, "Odd"), await open(service.url, "Even")];
    const said: string[] = [];
    for (let i = 0; i < 9; i++) said.push((await say(rooms[i % 2]!, ned, `Text ${i}.`)).body!);
    const seen: (string | null)[] = [];
    let next: string | null = null;
    do {
      const page: AuthoredPosts = await list("ned", `?limit=4${next ? `&cursor=${next}` : ""}`);
      seen.push(...page.posts.map(({ body }) => body));
      ({ next } = page);
    } while (next !== null);
    expect(seen).toEqual(said.toReversed());
    for (const query of ["?cursor=eyJhIjoxfQ", "?limit=101", "?limit=0"]) {
      expect((await get(`${service.url}/api/name/ned/posts${query}`)).status).toBe(422);
    }
  });

  test("show a redacted post as redacted, and nothing of one that the operator hid or erased", async () => {
    const oda = await claim(service.url, "oda");
    const room = await open(service.url, "Moderated");
    const [redacted, hidden, erased] = [
      await say(room, oda, "Redacted."),
      await say(room, oda, "Hidden."),
      await say(room, oda, "Erased."),
    ];
    await call("DELETE", `${room.api}/posts/${redacted.id}`, undefined, oda.pair);
    await moderate(`posts/${hidden.id}/hide`);
    await moderate(`posts/${erased.id}/erase`);
    expect((await list("oda")).posts).toMatchObject([{ n: 1, body: null, redacted: "author" }]);
    await moderate(`posts/${hidden.id}/restore`);
    expect(await texts("oda")).toEqual(["Hidden.", null]);
  });

  test("do not include those of a deleted room, however many there are", async () => {
    const pia = await claim(service.url, "pia");
    const [staying, deleted] = [await open(service.url, "Stays"), await open(service.url, "Goes")];
    await say(staying, pia, "Before.");
    for (let i = 0; i < 30; i++) await say(deleted, pia, `Text ${i}.`);
    await say(staying, pia, "After.");
    await moderate(`rooms/${deleted.slug}/delete`);
    expect(await texts("pia")).toEqual(["After.", "Before."]);
    expect(JSON.stringify(await list("pia", "?limit=1"))).not.toContain("Goes");
  });

  test("do not include those of an earlier holder of the name", async () => {
    const first = await claim(service.url, "quill");
    const room = await open(service.url, "Two holders");
    await say(room, first, "By the first.");
    service.clock.advance(10);
    await moderate("names/quill/release");
    expect((await get(`${service.url}/api/name/quill/posts`)).status).toBe(404);
    const second = await claim(service.url, "quill");
    expect(await texts("quill")).toEqual([]);
    await say(room, second, "By the second.");
    expect(await texts("quill")).toEqual(["By the second."]);
  });

  test("are 404 for a name that nobody has claimed, which anybody may use", async () => {
    const room = await open(service.url, "Unclaimed");
    await post(`${room.api}/posts`, { name: "rolf", body: "Hello." });
    for (const path of ["/api/name/rolf/posts", "/name/rolf", "/api/name/rolf"]) {
      const { status, body } = await get(service.url + path);
      expect([path, status, body.code]).toEqual([path, 404, "name_not_claimed"]);
      expect(body.detail).toBe("Nobody has claimed that name. Posts under it may come from anybody.");
    }
  });
});

describe("the page of a name", () => {
  const page = async (path: string) => (await send("GET", service.url + path, { accept: "text/html" })).body;

  test("lists rooms, posts, jobs with their verdicts, and public slots, with links to each", async () => {
    const [sam, tia] = [await claim(service.url, "sam"), await claim(service.url, "tia")];
    const room = await open(service.url, "What did sam do?");
    await say(room, sam, `A long text. ${"word ".repeat(100)}its end`);
    const [posted, delivered] = [
      await postJob(service.url, sam, { title: "Posted by sam" }),
      await postJob(service.url, tia, { title: "Delivered by sam" }),
    ];
    const held = await postJob(service.url, tia, { title: "Only held by sam" });
    for (const { id } of [delivered, held]) await callJob(service.url, sam, id, "claim");
    await callJob(service.url, sam, delivered.id, "deliver", { result: "Done." });
    await callJob(service.url, tia, delivered.id, "review", { verdict: "accepted" });
    for (const [slot, is_public] of [
      ["cards", true],
      ["diary", false],
    ] as const)
      await call("PUT", `${service.url}/api/locker/${slot}`, { value: "x", public: is_public }, sam.pair);

    const opened = await post<Opened>(
      `${service.url}/api/meet/rooms`,
      { goal: "Mine", name: "Sam" },
      sam.pair,
    );
    const deleted = await post<Opened>(
      `${service.url}/api/meet/rooms`,
      { goal: "Gone", name: "sam" },
      sam.pair,
    );
    await moderate(`rooms/${deleted.body.slug}/delete`);
    const unlisted = { goal: "Unlisted", name: "sam", visibility: "unlisted" };
    await post(`${service.url}/api/meet/rooms`, unlisted, sam.pair);

    const html = await page("/name/sam");
    const links = [
      `/meet/r/${opened.body.slug}`,
      `/meet/r/${room.slug}/1`,
      `/jobs/${posted.id}`,
      `/jobs/${delivered.id}`,
      "/locker/sam/cards",
    ];
    for (const link of links) expect(html).toContain(`href="${service.url}${link}"`);
    for (const text of ["What did sam do?", "A long text.", "<span>accepted</span>", "Delivered by sam"])
      expect(html).toContain(text);
    for (const text of ["its end", "Only held by sam", "diary", "Gone", "Unlisted"])
      expect(html).not.toContain(text);
    const markdown = (await send("GET", `${service.url}/name/sam.md`)).body;
    for (const link of links) expect(markdown).toContain(service.url + link);
    expect(markdown).toContain("\n> A long text. word");
    const board = await get<{ jobs: { id: string }[] }>(`${service.url}/api/jobs?delivered_by=Sam`);
    expect(board.body.jobs.map(({ id }) => id)).toEqual([delivered.id]);
  });

  test("leads to earlier posts, which it shows alone", async () => {
    const uma = await claim(service.url, "uma");
    const room = await open(service.url, "Long");
    for (let i = 1; i <= 21; i++) await say(room, uma, `Text ${i}.`);
    const first = await page("/name/uma");
    expect(first).toContain("Text 21.");
    expect(first).not.toContain("Text 1.");
    const [, next] = /href="[^"]*(\/name\/uma\?cursor=[^"]+)"/.exec(first)!;
    const second = await page(next!);
    expect(second).toContain("Text 1.");
    expect(second).not.toContain("Text 2.");
    expect(second).not.toContain("Public slots");
    expect((await send("GET", `${service.url}/name/uma?cursor=x`)).status).toBe(422);
  });
});
