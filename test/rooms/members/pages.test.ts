/** The pages of private rooms over HTTP: who gets them, what their forms do and say, and what they keep from others. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { private_slug_beginning } from "../../../src/api/rooms/visibility.ts";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import type { Members } from "../../../src/api/rooms/members.ts";
import { get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../../support/sign_in.ts";

let service: SourceService;
let url: string;
/** By the names that are signed in; null: nobody. */
const browsers = new Map<string | null, Browser>();
const holders = new Map<string, Holder>();
let made = 0;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  for (const name of ["ada", "bob", "carol", "stranger"]) {
    const who = await claim(url, name);
    holders.set(name, who);
    browsers.set(name, await signedIn(url, who));
  }
  browsers.set(null, newBrowser(url));
});
afterAll(() => service.stop());

/** A private room of Ada, with Bob as a member and Carol as a reader. */
async function openPrivate(): Promise<OpenedRoom> {
  const { pair } = holders.get("ada")!;
  const body = { goal: `Secret goal ${++made}`, name: "ada", visibility: "private" };
  const room = (await post<OpenedRoom>(`${url}/api/meet/rooms`, body, pair)).body;
  await post(`${room.api}/members`, { name: "bob" }, pair);
  await post(`${room.api}/members`, { name: "carol", role: "reader" }, pair);
  await post(`${room.api}/posts`, { name: "ada", body: "Secret post" }, pair);
  return room;
}

const missing = (): string => `${url}/meet/r/${private_slug_beginning}${"b".repeat(26)}`;

const page = (who: string | null, at: string) => browsers.get(who)!.get(at.slice(url.length));
const sendForm = (
  who: string | null,
  at: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) => browsers.get(who)!.post(at.slice(url.length), fields, headers);
const rolesIn = async ({ api }: OpenedRoom): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await get<Members>(`${api}/members`, holders.get("ada")!.pair)).body.members.map(({ name, role }) => [
      name,
      role,
    ]),
  );

/** An answer without what differs between any two. */
const comparable = ({ status, headers, body }: { status: number; headers: Headers; body: string }) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !["x-request-id", "date"].includes(name)),
});

test("a member gets the page: private in words, with its members, for no cache and no search engine", async () => {
  const room = await openPrivate();
  const { status, headers, body } = await page("bob", room.url);
  expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(body).toContain('<meta name="robots" content="noindex"');
  expect(body).toMatch(/private\s*<\/span> for its <a [^>]*>members<\/a> only/);
  expect(body).toContain("3 members");
  expect(body).toContain("Secret post");
  // A program that reads feeds sends no key.
  expect(body).not.toContain("feed.atom");
  for (const of_hosts of ['id="invite"', "?member=", 'id="member"']) expect(body).not.toContain(of_hosts);
});

test("the browser that opened a room has forms of members as long as its name is a host", async () => {
  const opened = await browsers.get("ada")!.post("/meet", { goal: "Opened here", visibility: "private" });
  const [room] = /http[^"]*\/meet\/r\/private[^"#]*/.exec(
    (await page("ada", opened.headers.get("location")!)).body,
  )!;
  const forms = `${room}/members`;
  await sendForm("ada", forms, { name: "bob", role: "host" });
  expect((await page("ada", room)).body).toContain('id="invite"');
  const made = await sendForm("bob", forms, { name: "ada", role: "member", change: "1" });
  expect(made.status).toBe(303);
  expect((await page("ada", room)).body).not.toContain('id="invite"');
  const refused = await sendForm("ada", forms, { name: "carol", role: "member" });
  expect(refused.status).toBe(401);
});

test("the Markdown form says private, and is for members, too", async () => {
  const room = await openPrivate();
  const twin = await page("carol", `${room.url}.md`);
  expect([twin.status, twin.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(twin.body).toContain("private, by");
  expect((await page(null, `${room.url}.md`)).status).toBe(404);
});

test("a reader sees no form to post and no link to reply, but why", async () => {
  const room = await openPrivate();
  const { body } = await page("carol", room.url);
  expect(body).toContain("You are a reader of this room");
  for (const of_members of ['name="body"', "?reply="]) expect(body).not.toContain(of_members);
  expect((await page("carol", `${room.url}/after/0`)).body).not.toContain("?reply=");
  expect((await page("bob", `${room.url}/after/0`)).body).toContain("?reply=");
});

describe.each([null, "stranger"])("for %p a private room is not there", (who) => {
  const forms: [path: string, fields: Record<string, string>][] = [
    ["", { name: "x", body: "text" }],
    ["/members", { name: "stranger" }],
    ["/members/remove", { name: "bob" }],
    ["/leave", {}],
    ["/close", {}],
    ["/redact", { post: "1" }],
    ["/pace", { pace: "none" }],
    ["/break", { paths: "a" }],
    ["/host", { host_key: "wfh_wrong" }],
    ["/report", { post: "1", reason: "spam" }],
  ];

  test.each(["", ".md", "?all=1", "?member=bob", "/1", "/1.txt", "/held", "/after/0", "/post/1", "/key"])(
    "GET …%s",
    async (path) => {
      const room = await openPrivate();
      const [there, nowhere] = [await page(who, room.url + path), await page(who, missing() + path)];
      expect(there.status).toBe(404);
      const slug = new URL(missing()).pathname.split("/").at(-1)!;
      const named = (text: string) => text.replaceAll(room.slug, slug);
      expect(JSON.parse(named(JSON.stringify(comparable(there))))).toEqual(comparable(nowhere));
      expect(there.body).not.toMatch(/Secret|bob/);
    },
  );

  test.each(forms)("POST …%s", async (path, fields) => {
    const room = await openPrivate();
    const [there, nowhere] = [
      await sendForm(who, room.url + path, fields),
      await sendForm(who, missing() + path, fields),
    ];
    expect(there.status).toBe(404);
    const slug = new URL(missing()).pathname.split("/").at(-1)!;
    const named = (text: string) => text.replaceAll(room.slug, slug);
    expect(JSON.parse(named(JSON.stringify(comparable(there))))).toEqual(comparable(nowhere));
    expect(await rolesIn(room)).toEqual({ ada: "host", bob: "member", carol: "reader" });
  });
});

describe("the forms", () => {
  test("a host adds a member, changes its role and removes it", async () => {
    const room = await openPrivate();
    const added = await sendForm("ada", `${room.url}/members`, { name: " Stranger ", role: "reader" });
    expect([added.status, added.headers.get("location")]).toEqual([303, `${room.url}#members`]);
    expect(await rolesIn(room)).toMatchObject({ stranger: "reader" });
    expect((await page("stranger", room.url)).status).toBe(200);
    await sendForm("ada", `${room.url}/members`, { name: "stranger", role: "member", change: "1" });
    expect(await rolesIn(room)).toMatchObject({ stranger: "member" });
    const removed = await sendForm("ada", `${room.url}/members/remove`, { name: "stranger" });
    expect([removed.status, removed.headers.get("location")]).toEqual([303, `${room.url}#members`]);
    expect(await rolesIn(room)).not.toHaveProperty("stranger");
    expect((await page("stranger", room.url)).status).toBe(404);
    expect((await sendForm("ada", `${room.url}/members/remove`, { name: "stranger" })).status).toBe(303);
  });

  test("opens a private room under the name that is signed in, and for nobody else", async () => {
    const fields = { goal: "By a form", visibility: "private" };
    const opened = await sendForm("bob", `${url}/meet`, fields);
    const location = opened.headers.get("location")!;
    expect([opened.status, location]).toEqual([303, expect.stringContaining(private_slug_beginning)]);
    expect((await sendForm(null, `${url}/meet`, { ...fields, name: "guest" })).status).toBe(401);
    expect((await page(null, location)).status).toBe(404);
    expect((await page(null, `${url}/meet`)).body).not.toContain('value="private"');
    expect((await page("bob", `${url}/meet`)).body).toContain('value="private"');
  });

  test("a name that nobody has claimed is refused at its field, and what was entered stays", async () => {
    const room = await openPrivate();
    const fields = { name: "No <b>body", role: "reader" };
    const { status, body, headers } = await sendForm("ada", `${room.url}/members`, fields);
    expect([status, headers.get("cache-control")]).toEqual([409, "private, no-store"]);
    expect(body).toContain("Nobody has claimed No &lt;b&gt;body.");
    expect(body).toContain('value="No &lt;b>body"');
    expect(body).toMatch(/<option value="reader" selected/);
  });

  test("an empty name and one with a key are refused, and the key is not shown", async () => {
    const room = await openPrivate();
    const empty = await sendForm("ada", `${room.url}/members`, { name: " " });
    expect([empty.status, empty.body]).toEqual([422, expect.stringContaining("must not be empty")]);
    const { key } = holders.get("bob")!;
    const secret = await sendForm("ada", `${room.url}/members`, { name: key });
    expect(secret.status).toBe(422);
    expect(secret.body).not.toContain(key);
  });

  test("the last host neither leaves, nor is removed or changed", async () => {
    const room = await openPrivate();
    const left = await sendForm("ada", `${room.url}/leave`, {});
    expect([left.status, left.body]).toEqual([409, expect.stringContaining("You are the only host.")]);
    const removed = await sendForm("ada", `${room.url}/members/remove`, { name: "ada" });
    expect([removed.status, removed.body]).toEqual([409, expect.stringContaining("ada is the only host.")]);
    const fields = { name: "ada", role: "reader", change: "1" };
    const changed = await sendForm("ada", `${room.url}/members`, fields);
    expect([changed.status, changed.body]).toEqual([409, expect.stringContaining("ada is the only host.")]);
    expect(changed.body).toContain('id="member"');
    expect(await rolesIn(room)).toMatchObject({ ada: "host" });
  });

  test("a member and a reader leave, and a host that removes itself goes to its own page", async () => {
    const room = await openPrivate();
    for (const name of ["bob", "carol"]) {
      const left = await sendForm(name, `${room.url}/leave`, {});
      expect([left.status, left.headers.get("location")]).toEqual([303, `${url}/me#private-rooms`]);
      expect((await page(name, room.url)).status).toBe(404);
    }
    await sendForm("ada", `${room.url}/members`, { name: "bob", role: "host" });
    const removed = await sendForm("ada", `${room.url}/members/remove`, { name: "ada" });
    expect(removed.headers.get("location")).toBe(`${url}/me#private-rooms`);
  });

  test("a member without the role host has none of them, also not by sending them", async () => {
    const room = await openPrivate();
    for (const path of ["/members", "/members/remove"])
      expect((await sendForm("bob", room.url + path, { name: "carol", role: "host" })).status).toBe(401);
    expect((await sendForm("carol", room.url, { body: "I only read" })).status).toBe(403);
    expect(await rolesIn(room)).toEqual({ ada: "host", bob: "member", carol: "reader" });
  });

  test("a form of another site is refused", async () => {
    const room = await openPrivate();
    for (const path of ["/members", "/members/remove", "/leave"]) {
      const fields = { name: "stranger" };
      const sent = await sendForm("ada", room.url + path, fields, { origin: "https://evil.example" });
      expect(sent.status).toBe(403);
    }
    expect(await rolesIn(room)).toEqual({ ada: "host", bob: "member", carol: "reader" });
  });

  test("a room that is not private has no members", async () => {
    const { pair } = holders.get("ada")!;
    const open = { goal: "Open", name: "ada" };
    const room = (await post<OpenedRoom>(`${url}/api/meet/rooms`, open, pair)).body;
    const added = await sendForm("ada", `${room.url}/members`, { name: "bob" });
    expect(added.status).toBe(409);
    expect(added.body).toContain("Only a private room has members.");
    expect((await sendForm(null, `${room.url}/leave`, {})).status).toBe(409);
    expect((await page("ada", `${room.url}?member=bob`)).body).not.toContain('id="members"');
  });
});
