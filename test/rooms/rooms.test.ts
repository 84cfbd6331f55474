/** Every row of docs/contract.md, section 1, over real HTTP, against the source and the compiled binary. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { XMLValidator } from "fast-xml-parser";
import type { ClosedRoom, OpenedRoom, Post, RoomList, RoomRead } from "../../src/api/rooms/rooms.ts";
import { call, get, post } from "../support/http.ts";
import { ways, type SourceService, type TestService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { newBrowser } from "../support/sign_in.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Characters that readers may treat as line ends, beside line feed and carriage return (Python: str.splitlines). */
const line_ends = /[\u0085\u2028\u2029]/;
const uuid_v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(ways)("rooms (%s)", (_way, start) => {
  let service: TestService;
  let api: string;
  beforeAll(async () => {
    service = await start();
    api = `${service.url}/api/meet/rooms`;
  });
  afterAll(() => service.stop());

  const open = async (goal: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await post<OpenedRoom>(api, { goal, name: "Ada", ...more });
    expect(status).toBe(201);
    return body;
  };
  const say = async (room: string, body: string, more: Record<string, unknown> = {}) => {
    const answer = await post<Post>(`${api}/${room}/posts`, { name: "Ada", body, ...more });
    expect(answer.status).toBe(201);
    const { salt, ...post_read } = answer.body;
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    return post_read;
  };
  const read = async (room: string, query = "") => (await get<RoomRead>(`${api}/${room}${query}`)).body;

  describe("opening", () => {
    test("returns the room, its addresses and a host key", async () => {
      const { status, headers, body } = await post<OpenedRoom>(api, {
        goal: "How do we name things?",
        name: "Ada's agent",
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        slug: "how-do-we-name-things",
        goal: "How do we name things?",
        host: { name: "Ada's agent", claimed: false },
        visibility: "public",
        created: expect.stringMatching(iso),
        closed: false,
        url: `${service.url}/meet/r/how-do-we-name-things`,
        api: `${api}/how-do-we-name-things`,
        mcp: `${service.url}/mcp/meet/how-do-we-name-things`,
        host_key: expect.stringMatching(/^wfh_[0-9A-Za-z]{49}$/),
        receipt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
      });
      expect(headers.get("location")).toBe(body.api);
    });

    test.each([
      ["lower case, words joined", "Does P = NP?", /^does-p-np$/],
      ["compatibility forms and accents are decomposed", "Ｃafé ﬁnal Ångström", /^cafe-final-angstrom$/],
      ["nothing readable is left", "何をしますか", /^room$/],
      ["48 characters at most, cut at a word", `${"word ".repeat(20)}end`, /^(?:word-){8}word$/],
      ["one long word", "x".repeat(100), /^x{48}$/],
    ])("makes a slug: %s", async (_rule, goal, slug) => {
      expect((await open(goal)).slug).toMatch(slug);
    });

    test("adds a random suffix when the slug is taken", async () => {
      expect((await open("Taken twice")).slug).toBe("taken-twice");
      expect((await open("Taken twice")).slug).toMatch(/^taken-twice-[a-z2-7]{6}$/);
    });

    test("ends the slug of an unlisted room in 128 random bits, and leaves it out of lists and searches", async () => {
      const room = await open("Secret plan", { visibility: "unlisted" });
      expect(room.visibility).toBe("unlisted");
      expect(room.slug).toMatch(/^secret-plan-[a-z2-7]{26}$/);
      const second = await open("Secret plan", { visibility: "unlisted" });
      expect(second.slug.slice(-26)).not.toBe(room.slug.slice(-26));
      await say(room.slug, "unfindable zebra");

      expect((await get(`${api}/secret-plan`)).status).toBe(404);
      expect((await read(room.slug)).posts).toHaveLength(1);
      const listed = JSON.stringify((await get(api)).body);
      expect(listed).not.toContain(room.slug);
      expect((await get<RoomList>(`${api}?q=zebra`)).body.rooms).toEqual([]);
      expect((await get<RoomList>(`${api}?q=secret`)).body.rooms).toEqual([]);
      const page = await fetch(room.url);
      expect(page.headers.get("x-robots-tag")).toBe("noindex");
      expect(await page.text()).toContain('<meta name="robots" content="noindex"/>');
    });

    test("accepts a goal of 400 characters of any size in bytes, and refuses a longer one", async () => {
      const goal = "😀".repeat(400);
      expect((await open(goal)).goal).toBe(goal);
      const { status, body } = await post(api, { goal: `${goal}!`, name: "Ada" });
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path: "/goal", message: "is 401 characters long; at most 400 fit" }]);
    });

    test("refuses a goal of white space", async () => {
      const { status, body } = await post(api, { goal: " \n\t ", name: "Ada" });
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path: "/goal", message: "must not be empty" }]);
    });
  });

  describe("listing", () => {
    test("returns every open public room, most recently active first", async () => {
      const first = await open("Listed first");
      const second = await open("Listed second");
      await say(first.slug, "I wake it up");
      const { status, body } = await get<RoomList>(api);
      expect(status).toBe(200);
      expect(body.next).toBeNull();
      expect(body.total).toBe(body.rooms.length);
      const slugs = body.rooms.map(({ slug }) => slug);
      expect(slugs.indexOf(first.slug)).toBeLessThan(slugs.indexOf(second.slug));
      expect(body.rooms.find(({ slug }) => slug === first.slug)).toEqual({
        slug: first.slug,
        goal: "Listed first",
        host: { name: "Ada", claimed: false },
        visibility: "public",
        created: first.created,
        closed: false,
        posts: 1,
        last_post: expect.stringMatching(iso),
        url: first.url,
      });
      expect(body.rooms.find(({ slug }) => slug === second.slug)!.last_post).toBeNull();
    });

    test("returns every room once over all pages", async () => {
      const all = (await get<RoomList>(api)).body.rooms.map(({ slug }) => slug);
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor ? `?limit=3&cursor=${cursor}` : "?limit=3";
        const { body }: { body: RoomList } = await get<RoomList>(api + query);
        expect(body.rooms.length).toBeLessThanOrEqual(3);
        expect(body.total).toBe(all.length);
        paged.push(...body.rooms.map(({ slug }) => slug));
        cursor = body.next;
      } while (cursor);
      expect(paged).toEqual(all);
    });

    test("refuses a cursor that it did not issue", async () => {
      for (const cursor of ["x", "e30", Buffer.from("[1,2]").toString("base64url")]) {
        const { status, body } = await get(`${api}?limit=2&cursor=${cursor}`);
        expect(status).toBe(422);
        expect(body.errors).toEqual([{ path: "cursor", message: "is not a cursor of this list" }]);
      }
    });

    test("finds rooms by words of their goal and of their posts", async () => {
      const by_goal = await open("Quokka husbandry");
      const by_post = await open("Marsupials");
      await say(by_post.slug, "The QUOKKA smiles; it's a Café habit");
      const found = async (q: string) =>
        (await get<RoomList>(`${api}?q=${encodeURIComponent(q)}`)).body.rooms.map(({ slug }) => slug);
      expect(await found("quokka")).toEqual([by_goal.slug, by_post.slug]);
      expect(await found("quokka smiles")).toEqual([by_post.slug]);
      expect(await found("cafe")).toEqual([by_post.slug]);
      expect(await found("quokka wombat")).toEqual([]);
      for (const hostile of ['"', "a OR b", "NEAR(", "text:quokka*", "-", "*", "' OR 1=1 --"]) {
        expect((await get(`${api}?q=${encodeURIComponent(hostile)}`)).status).toBe(200);
      }
    });

    test("returns every room of a search once over all pages", async () => {
      const slugs: string[] = [];
      for (let i = 0; i < 5; i++) {
        const room = await open(`Pangolin number ${i}`);
        slugs.push(room.slug);
        for (let n = 0; n < 3; n++) await say(room.slug, `pangolin again ${n}`);
      }
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const { body }: { body: RoomList } = await get<RoomList>(
          `${api}?q=pangolin&limit=2${cursor ? `&cursor=${cursor}` : ""}`,
        );
        expect(body.total).toBeNull();
        found.push(...body.rooms.map(({ slug }) => slug));
        cursor = body.next;
      } while (cursor);
      expect(found.toSorted()).toEqual(slugs.toSorted());
    });

    test("lists the closed rooms with ?closed=true", async () => {
      const room = await open("Closed and listed apart");
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      const slugs = async (query: string) =>
        (await get<RoomList>(api + query)).body.rooms.map(({ slug }) => slug);
      expect(await slugs("")).not.toContain(room.slug);
      expect(await slugs("?closed=true")).toContain(room.slug);
      expect(await slugs("?closed=true&q=apart")).toEqual([room.slug]);
      expect(await slugs("?q=apart")).toEqual([room.slug]);
      expect(await slugs("?q=apart&closed=false")).toEqual([]);
      const { body } = await get<RoomList>(`${api}?closed=true&limit=1`);
      expect(body.rooms).toHaveLength(1);
      expect(body.total).toBeGreaterThanOrEqual(1);
    });

    test("leads from a page of closed rooms in Markdown to the next one", async () => {
      for (const goal of ["One", "Two"]) {
        const room = await open(goal);
        await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      }
      const page = await (await fetch(`${api}.md?closed=true&limit=1`)).text();
      const next = /^More: GET (.+)$/m.exec(page)![1]!;
      expect(await (await fetch(next)).text()).toContain("closed, by");
    });
  });

  describe("posting and reading", () => {
    test("returns a post as it is stored", async () => {
      const room = await open("Say it");
      const text = "  <b>bold</b> & “quotes” \t\r\n\f\u200d😀\u2067 ";
      const first = await say(room.slug, text);
      expect(first).toEqual({
        id: expect.stringMatching(uuid_v7),
        n: 1,
        ts: expect.stringMatching(iso),
        room: room.slug,
        name: "Ada",
        claimed: false,
        in_reply_to: null,
        body: text,
      });
      const reply = await say(room.slug, "indeed", { name: "Grace 😀", in_reply_to: first.id });
      expect(reply.in_reply_to).toBe(first.id);
      const page = await read(room.slug);
      expect(page).toEqual({
        room: {
          slug: room.slug,
          goal: "Say it",
          host: { name: "Ada", claimed: false },
          visibility: "public",
          created: room.created,
          closed: false,
          posts: 2,
          last_post: reply.ts,
          url: room.url,
          api: room.api,
          mcp: room.mcp,
        },
        posts: [first, reply],
        total: 2,
        url: room.url,
        more: false,
        next_since: reply.ts,
        treat_as: expect.stringContaining("data"),
      });
    });

    test("returns a cursor for an empty room from which reading continues", async () => {
      const room = await open("Nothing yet");
      const { posts, next_since } = await read(room.slug);
      expect(posts).toEqual([]);
      const said = await say(room.slug, "first");
      expect((await read(room.slug, `?since=${next_since}`)).posts).toEqual([said]);
    });

    test("gives posts strictly rising times, and neither repeats nor misses a post after since", async () => {
      const room = await open("Fast talk");
      const said = await Promise.all(Array.from({ length: 50 }, (_, i) => say(room.slug, `post ${i}`)));
      const { posts } = await read(room.slug);
      expect(new Set(posts.map(({ ts }) => ts)).size).toBe(50);
      expect(posts.map(({ ts }) => ts)).toEqual(posts.map(({ ts }) => ts).toSorted());
      expect(posts.map(({ id }) => id).toSorted()).toEqual(said.map(({ id }) => id).toSorted());

      const collected: Post[] = [];
      let since = room.created;
      for (;;) {
        const page = await read(room.slug, `?since=${since}&limit=7`);
        collected.push(...page.posts);
        since = page.next_since;
        if (!page.more) break;
      }
      expect(collected).toEqual(posts);
      expect(await read(room.slug, `?since=${since}`)).toMatchObject({
        posts: [],
        more: false,
        next_since: since,
      });
      expect((await read(room.slug, `?since=${posts[10]!.id}`)).posts).toEqual(posts.slice(11));
      expect((await read(room.slug, "?limit=5")).posts).toEqual(posts.slice(-5));
      expect(await read(room.slug, `?limit=5&before=${posts[10]!.ts}`)).toMatchObject({
        posts: posts.slice(5, 10),
        more: true,
      });
      expect(await read(room.slug, `?limit=5&before=${posts[5]!.id}`)).toMatchObject({
        posts: posts.slice(0, 5),
        more: false,
      });
    });

    test("returns the latest 300 posts without since, and the earliest 300 after since", async () => {
      const room = await open("Long talk");
      await Promise.all(Array.from({ length: 310 }, (_, i) => say(room.slug, `post ${i}`)));
      const latest = await read(room.slug);
      expect(latest.posts).toHaveLength(300);
      expect(latest).toMatchObject({ total: 310, more: true });
      const earliest = await read(room.slug, `?since=${room.created}`);
      expect(earliest.posts).toHaveLength(300);
      expect(earliest).toMatchObject({ total: 310, more: true });
      const all = await read(room.slug, "?limit=1000");
      expect(all.posts).toHaveLength(310);
      expect(all.posts.slice(10)).toEqual(latest.posts);
      expect(all.posts.slice(0, 300)).toEqual(earliest.posts);
    });

    test.each([
      ["since=yesterday", "since"],
      ["since=2026-02-30T00:00:00Z", "since"],
      ["since=2026-01-01", "since"],
      ["since=2026-01-01T00:00:00", "since"],
      ["since=01a1fd1a-1e83-7af4-b477-d47e4644a7f4", "since"],
      ["before=01a1fd1a", "before"],
      ["limit=0", "limit"],
      ["limit=1001", "limit"],
      ["limit=0x10", "limit"],
      ["limit=", "limit"],
      ["wait_seconds=281", "wait_seconds"],
      ["wait_seconds=-1", "wait_seconds"],
    ])("refuses ?%s", async (query, path) => {
      const room = await open("Odd questions");
      const { status, body } = await get(`${api}/${room.slug}?${query}`);
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path, message: expect.any(String) }]);
    });

    test("accepts since in any time zone and with digits below the millisecond", async () => {
      const room = await open("Zones");
      const said = await say(room.slug, "now");
      const two_hours_ahead = new Date(Date.parse(said.ts) + 7_200_000 - 1)
        .toISOString()
        .replace("Z", "999+02:00");
      const { posts } = await read(room.slug, `?since=${encodeURIComponent(two_hours_ahead)}`);
      expect(posts).toEqual([said]);
    });

    test("refuses an in_reply_to that is not a post of the room", async () => {
      const here = await open("Here");
      const there = await open("There");
      const elsewhere = await say(there.slug, "over there");
      for (const in_reply_to of [elsewhere.id, "nonsense", "01a1fd1a-1e83-7af4-b477-d47e4644a7f4"]) {
        const { status, body } = await post(`${here.api}/posts`, { name: "Ada", body: "?", in_reply_to });
        expect(status).toBe(422);
        expect(body.errors).toEqual([
          { path: "/in_reply_to", message: "is not the number or the id of a post of this room" },
        ]);
      }
      expect((await read(here.slug)).total).toBe(0);
    });

    test("accepts a body of 4000 characters whole, and refuses a longer one", async () => {
      const room = await open("Length");
      const long = "é😀".repeat(2000);
      expect((await say(room.slug, long)).body).toBe(long);
      const { status, body } = await post(`${room.api}/posts`, { name: "Ada", body: `${long}.` });
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path: "/body", message: "is 4001 characters long; at most 4000 fit" }]);
      expect((await read(room.slug)).total).toBe(1);
    });

    test.each([
      ["80 characters", "é".repeat(80), true],
      ["81 characters", "é".repeat(81), false],
      ["any script", "Ада Лавлейс 愛達", true],
      ["punctuation and symbols", "C-3PO (v2.1) ★ $5", true],
      ["an emoji with its selector", "Ada ❤️", true],
      ["a space before", " Ada", false],
      ["a space after", "Ada ", false],
      ["two spaces", "Ada  L", false],
      ["a line break", "Ada\nL", false],
      ["a tab", "Ada\tL", false],
      ["a no-break space", "Ada\u00a0L", false],
      ["a zero-width space", "Ada\u200b", false],
      ["a zero-width joiner", "A\u200dda", false],
      ["a right-to-left override", "\u202eadA", false],
      ["a soft hyphen", "A\u00adda", false],
      ["a Hangul filler", "A\u3164", false],
      ["a bare variation selector", "Ada\ufe0f", false],
      ["a decomposed letter", "e\u0301", false],
      ["a private-use character", "\ue000", false],
      ["nothing", "", false],
    ])("accepts or refuses a speaker name: %s", async (_rule, name, allowed) => {
      const room = await open("Names");
      const { status, body } = await post(`${room.api}/posts`, { name, body: "hello" });
      expect(status).toBe(allowed ? 201 : 422);
      if (allowed) expect(body.name).toBe(name);
      else expect(body.errors).toMatchObject([{ path: "/name", message: expect.any(String) }]);
    });

    test("answers 404 for a room that does not exist", async () => {
      for (const answer of [
        await get(`${api}/nowhere`),
        await post(`${api}/nowhere/posts`, { name: "Ada", body: "?" }),
        await post(`${api}/nowhere/close`, undefined, { "x-meet-key": "k" }),
        await get(`${api}/nowhere/stream`),
        await get(`${api}/nowhere/feed.json`),
        await get(`${api}/nowhere/feed.atom`),
        await get(`${api}/nowhere/export.jsonl`),
        await get(`${service.url}/meet/r/nowhere`),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ code: "room_not_found", retryable: false });
      }
    });
  });

  describe("closing", () => {
    test("posts a last word just before it closes the room", async () => {
      const room = await open("The last word");
      const close = (body: object, key = room.host_key!) =>
        post<ClosedRoom>(`${room.api}/close`, body, { "x-meet-key": key });
      const stream = await readEvents(`${room.api}/stream`);
      expect((await close({ last_word: "Not mine.", name: "Eve" }, "wrong")).status).toBe(403);
      expect(await close({ last_word: "Whose?" })).toMatchObject({
        status: 422,
        body: { errors: [{ path: "/name", message: "is required with last_word" }] },
      });
      expect((await read(room.slug)).total).toBe(0);
      const { status, body } = await close({ last_word: "That is all.", name: "Ada" });
      expect([status, body.closed]).toEqual([200, true]);
      const { salt: _salt, ...posted } = body.last_word!;
      expect(posted).toMatchObject({ n: 1, name: "Ada", body: "That is all." });
      expect(posted.ts < body.closed_at).toBe(true);
      const after = await read(room.slug);
      expect([after.posts, after.room.closed]).toEqual([[posted], true]);
      expect((await stream.next())?.event).toBe("post");
      expect((await stream.next())?.event).toBe("closed");
      expect(await close({ last_word: "One more.", name: "Ada" })).toMatchObject({
        status: 410,
        body: { code: "room_closed" },
      });
      expect((await close({})).body).toEqual({ slug: room.slug, closed: true, closed_at: body.closed_at });
    });

    test("does not close a room whose last word cannot be read", async () => {
      const room = await open("Unreadable");
      const headers = { "x-meet-key": room.host_key!, "content-type": "text/plain" };
      const refused = await fetch(`${room.api}/close`, { method: "POST", headers, body: "That is all." });
      expect(refused.status).toBe(415);
      expect((await read(room.slug)).room.closed).toBe(false);
    });

    test("requires the host key, and repeats the answer if the room is closed already", async () => {
      const room = await open("To be closed");
      const close = (headers: Record<string, string>) =>
        post<ClosedRoom & { code?: string }>(`${room.api}/close`, undefined, headers);
      expect(await close({})).toMatchObject({ status: 401, body: { code: "host_key_required" } });
      const other = await open("Another room");
      for (const wrong of ["nonsense", other.host_key!]) {
        expect(await close({ "x-meet-key": wrong })).toMatchObject({
          status: 403,
          body: { code: "wrong_host_key" },
        });
      }
      const closed = await close({ "x-meet-key": room.host_key! });
      expect(closed.status).toBe(200);
      expect(closed.body).toEqual({ slug: room.slug, closed: true, closed_at: expect.stringMatching(iso) });
      expect((await close({ "x-meet-key": room.host_key! })).body).toEqual(closed.body);
    });

    test("rejects a post in a closed room with 410, and still returns its posts", async () => {
      const room = await open("Closed, readable");
      const said = await say(room.slug, "before");
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      const refused = await post(`${room.api}/posts`, { name: "Ada", body: "after" });
      expect(refused).toMatchObject({ status: 410, body: { code: "room_closed" } });
      const page = await read(room.slug);
      expect(page.posts).toEqual([said]);
      expect(page.room).toMatchObject({ closed: true, closed_at: expect.stringMatching(iso) });
    });
  });

  describe("redacting", () => {
    test("leaves a tombstone with a commitment to the text", async () => {
      const room = await open("Redaction");
      const said = await say(room.slug, "indiscreet narwhal");
      expect((await get<RoomList>(`${api}?q=narwhal`)).body.rooms).toHaveLength(1);
      const url = `${room.api}/posts/${said.id}`;
      expect(await call("DELETE", url)).toMatchObject({ status: 401, body: { code: "host_key_required" } });
      expect(await call("DELETE", url, undefined, { "x-meet-key": "no" })).toMatchObject({
        status: 403,
        body: { code: "wrong_host_key" },
      });
      const { status, body } = await call<Post>("DELETE", url, undefined, { "x-meet-key": room.host_key! });
      expect(status).toBe(200);
      const tombstone = {
        ...said,
        body: null,
        redacted: "host" as const,
        redacted_at: expect.stringMatching(iso),
        commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
      };
      expect(body).toEqual(tombstone);
      expect((await read(room.slug)).posts).toEqual([tombstone]);
      expect((await read(room.slug)).total).toBe(1);
      expect((await get<RoomList>(`${api}?q=narwhal`)).body.rooms).toEqual([]);
      const again = await call<Post>("DELETE", url, undefined, { "x-meet-key": room.host_key! });
      expect(again).toMatchObject({ status: 200, body });
      for (const form of [
        room.url,
        `${room.url}.md`,
        `${room.api}/feed.json`,
        `${room.api}/feed.atom`,
        `${room.api}/export.jsonl`,
      ]) {
        const text = await (await fetch(form)).text();
        expect(text).not.toContain("narwhal");
        expect(text.toLowerCase()).toContain("redacted");
      }
    });

    test("answers 404 for a post that does not exist", async () => {
      const room = await open("No such post");
      const url = `${room.api}/posts/01a1fd1a-1e83-7af4-b477-d47e4644a7f4`;
      const answer = await call("DELETE", url, undefined, { "x-meet-key": room.host_key! });
      expect(answer).toMatchObject({ status: 404, body: { code: "post_not_found" } });
    });
  });

  describe("waiting", () => {
    test("holds an answer without posts until a post arrives", async () => {
      const room = await open("Patience");
      const { next_since } = await read(room.slug);
      const waiting = read(room.slug, `?since=${next_since}&wait_seconds=50`);
      const said = await say(room.slug, "here I am");
      expect((await waiting).posts).toEqual([said]);
    });

    test("returns posts at once if there are any", async () => {
      const room = await open("No patience needed");
      const said = await say(room.slug, "already here");
      const page = await read(room.slug, `?since=${room.created}&wait_seconds=50`);
      expect(page.posts).toEqual([said]);
    });

    test("ends the wait when the room is closed", async () => {
      const room = await open("Closed while waiting");
      const waiting = read(room.slug, `?since=${room.created}&wait_seconds=50`);
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      expect(await waiting).toMatchObject({ posts: [], room: { closed: true } });
    });

    test("ends the wait after wait_seconds", async () => {
      const room = await open("Nobody comes");
      const waiting = read(room.slug, `?since=${room.created}&wait_seconds=1`);
      if ("clock" in service) {
        const { clock } = service as SourceService;
        await clock.timerAt(1);
        clock.advance(1);
      }
      expect(await waiting).toMatchObject({ posts: [], more: false, next_since: room.created });
    });
  });

  describe("streaming", () => {
    test("sends posts, redactions and the closing in order, then ends", async () => {
      const room = await open("Stream");
      const stream = await readEvents(`${room.api}/stream`);
      expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
      const first = await say(room.slug, "one\nline\r\nand another");
      expect(await stream.next()).toEqual({
        id: first.ts,
        event: "post",
        data: expect.objectContaining({ ...first, treat_as: expect.any(String) }),
      });
      const second = await say(room.slug, "two");
      expect(await stream.next()).toMatchObject({ id: second.ts, event: "post" });
      const { body: gone } = await call<Post>("DELETE", `${room.api}/posts/${first.id}`, undefined, {
        "x-meet-key": room.host_key!,
      });
      expect(await stream.next()).toMatchObject({
        id: gone.redacted_at,
        event: "redacted",
        data: { id: first.id, body: null, commitment: gone.commitment },
      });
      const { body: closed } = await post<ClosedRoom>(`${room.api}/close`, undefined, {
        "x-meet-key": room.host_key!,
      });
      expect(await stream.next()).toEqual({ id: closed.closed_at, event: "closed", data: closed });
      expect(await stream.next()).toBeNull();
    });

    test("resumes by Last-Event-ID and by since, with redactions", async () => {
      const room = await open("Resume");
      const said = [await say(room.slug, "a"), await say(room.slug, "b"), await say(room.slug, "c")];
      const { body: gone } = await call<Post>("DELETE", `${room.api}/posts/${said[0]!.id}`, undefined, {
        "x-meet-key": room.host_key!,
      });
      const expected = [said[1]!.ts, said[2]!.ts, gone.redacted_at!];
      for (const [url, headers] of [
        [`${room.api}/stream`, { "last-event-id": said[0]!.ts }],
        [`${room.api}/stream?since=${said[0]!.ts}`, {}],
        [`${room.api}/stream?since=${said[0]!.id}`, {}],
      ] as const) {
        const stream = await readEvents(url, headers);
        for (const id of expected) expect(await stream.next()).toMatchObject({ id });
        await stream.close();
      }
    });

    test("begins at the current time after an unusable Last-Event-ID, so that EventSource reconnects", async () => {
      const room = await open("Unusable");
      const elsewhere = await say((await open("Elsewhere")).slug, "not of this room");
      await say(room.slug, "before");
      const unusable = ["nonsense", "", "42", elsewhere.id, "2026-99-99T00:00:00Z", "x".repeat(1_000)];
      for (const id of unusable) {
        for (const query of ["", `?since=${room.created}`, "?since=nonsense"]) {
          const stream = await readEvents(`${room.api}/stream${query}`, { "last-event-id": id });
          expect([id, query, stream.response.status]).toEqual([id, query, 200]);
          const said = await say(room.slug, "now");
          expect(await stream.next()).toMatchObject({ id: said.ts, event: "post" });
          await stream.close();
        }
      }
      expect((await get(`${room.api}/stream?since=nonsense`)).status).toBe(422);
      expect((await get(`${room.api}/stream?since=${elsewhere.id}`)).status).toBe(422);
    });

    test("begins with only a comment, and sends retry once, in the first event", async () => {
      const room = await open("Blocks");
      await say(room.slug, "one");
      await say(room.slug, "two");
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      const text = await (await fetch(`${room.api}/stream?since=${room.created}`)).text();
      const [opening, ...events] = text.split("\n\n").slice(0, -1);
      expect(opening).toMatch(/^: .*$/);
      expect(events.map((block) => block.replace(/: .*/g, "").split("\n"))).toEqual([
        ["retry", "id", "event", "data"],
        ["id", "event", "data"],
        ["id", "event", "data"],
      ]);
      expect(events[0]).toStartWith("retry: 3000\nid: ");
    });

    test("sends each event as one line, whatever character its reader takes for a line end", async () => {
      const room = await open("Lines");
      const stream = await fetch(`${room.api}/stream`);
      const said = await say(room.slug, "a\u2028b\u2029c");
      const reader = stream.body!.getReader();
      let text = "";
      while (!text.includes("data: ")) text += Buffer.from((await reader.read()).value!).toString();
      await reader.cancel();
      expect(text).not.toMatch(line_ends);
      expect(JSON.parse(/data: (.*)/.exec(text)![1]!)).toMatchObject({ id: said.id, body: said.body });
    });

    test("sends the closing event of a closed room and ends", async () => {
      const room = await open("Closed before");
      await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
      const stream = await readEvents(`${room.api}/stream?since=${room.created}`);
      expect(await stream.next()).toMatchObject({ event: "closed" });
      expect(await stream.next()).toBeNull();
      const again = await fetch(`${room.api}/stream`);
      expect(again.status).toBe(204);
    });
  });

  describe("feeds and export", () => {
    test("serves JSON Feed 1.1, newest first", async () => {
      const room = await open("Fed");
      const [first, second] = [await say(room.slug, "<one>"), await say(room.slug, "two")];
      const { status, headers, body } = await get(`${room.api}/feed.json`);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/feed+json");
      expect(body).toMatchObject({
        version: "https://jsonfeed.org/version/1.1",
        title: "Fed",
        home_page_url: room.url,
        feed_url: `${room.api}/feed.json`,
        items: [
          { id: second.id, content_text: "two", date_published: second.ts, authors: [{ name: "Ada" }] },
          { id: first.id, title: "#1 Ada", content_text: "<one>", url: `${room.url}/1` },
        ],
      });
    });

    test("serves Atom with escaped text", async () => {
      const room = await open("Atom & <goal>");
      await say(room.slug, "]]> <script>alert(1)</script> & \f \u200b", { name: "A<b>" });
      const response = await fetch(`${room.api}/feed.atom`);
      expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
      const xml = await response.text();
      expect(xml).not.toContain("<script>");
      // Its type is html: a reader shows `A<b>`.
      expect(xml).toContain("<![CDATA[#1 A&lt;b&gt;]]>");
      // oxlint-disable-next-line no-control-regex -- XML 1.0 has no such characters
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
      expect(XMLValidator.validate(xml)).toBe(true);
    });

    test("exports the whole room as JSON lines", async () => {
      const room = await open("Exported");
      const said = await Promise.all(Array.from({ length: 600 }, (_, i) => say(room.slug, `line ${i}\n`)));
      const response = await fetch(`${room.api}/export.jsonl`);
      expect(response.headers.get("content-type")).toBe("application/x-ndjson");
      const lines = (await response.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines[0]).toMatchObject({ kind: "room", slug: room.slug, posts: 600 });
      expect(lines.slice(1).map(({ ts }) => ts)).toEqual(said.map(({ ts }) => ts).toSorted());
      expect(lines[1]).toMatchObject({ kind: "post", body: expect.stringMatching(/^line \d+\n$/) });
    });

    test("exports each post as one line, whatever character its reader takes for a line end", async () => {
      const room = await open("Split\u2028goal\u2029here");
      const bodies = ["a\u2028b\u2029c", "\u2028.", 'quoted "\u2029" \\u2028'];
      for (const body of bodies) await say(room.slug, body);
      const text = await (await fetch(`${room.api}/export.jsonl`)).text();
      expect(text).not.toMatch(line_ends);
      const [first, ...posts] = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(first.goal).toBe("Split\u2028goal\u2029here");
      expect(posts.map(({ body }) => body)).toEqual(bodies);
    });
  });

  describe("pages", () => {
    const form = (fields: Record<string, string>) => ({
      method: "POST",
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      redirect: "manual" as const,
    });

    test("shows every post escaped on the page of a room, with a form that posts", async () => {
      const room = await open("<script>alert('goal')</script>");
      const said = await say(room.slug, '<img src=x onerror=alert(1)> \u200b"&\f', {
        name: "<i>Eve</i>",
      });
      const page = await fetch(room.url);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      const text = await page.text();
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; <span class="invisible">U+200B</span>');
      expect(text).toContain('<span class="invisible">U+000C</span>');
      expect(text).not.toContain("<img");
      expect(text).not.toMatch(/<script(?![^>]* src=)/);
      expect(text).not.toContain("<i>");

      const answer = await fetch(
        room.url,
        form({ name: "Bob", body: "by form\r\ntwo lines", in_reply_to: said.id }),
      );
      expect(answer.status).toBe(303);
      const { posts } = await read(room.slug);
      expect(answer.headers.get("location")).toBe(`${room.url}#p-${posts[1]!.id}`);
      expect(posts[1]).toMatchObject({ name: "Bob", body: "by form\ntwo lines", in_reply_to: said.id });
    });

    test("explains why a form was refused and keeps its input", async () => {
      const room = await open("Forms");
      const answer = await fetch(
        room.url,
        form({ name: "two  spaces", body: "precious <text>", in_reply_to: '"&lt;' }),
      );
      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(text).toContain('role="alert"');
      expect(text).toContain("two  spaces");
      expect(text).toContain("precious &lt;text&gt;");
      expect(text).toContain('value="&#34;&amp;lt;"');
      expect((await read(room.slug)).total).toBe(0);
    });

    test("opens a room by form and shows the key once", async () => {
      const fields = { goal: "Opened by form", name: "Bob", visibility: "public" };
      const answer = await newBrowser(service.url).follow("/meet", fields);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatch(/wfh_[0-9A-Za-z]{49}/);
      expect((await read("opened-by-form")).room.host.name).toBe("Bob");
      const refused = await fetch(
        `${service.url}/meet`,
        form({ goal: "", name: "Bob", visibility: "secret" }),
      );
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('value="Bob"');
    });

    test("shows the list of rooms as a page with a search", async () => {
      const room = await open("Xylophone lessons");
      const list = await (await fetch(`${service.url}/meet`)).text();
      expect(list).toContain(`href="${room.url}"`);
      const found = await (await fetch(`${service.url}/meet?q=xylophone`)).text();
      expect(found).toContain(`href="${room.url}"`);
      const home = await (await fetch(`${service.url}/`)).text();
      expect(home).toContain(`href="${service.url}/meet/r/`);
    });
  });
});
