/** A claimed name that is the host of a room has the rights of its host without the host key, by every kind of credential. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom, Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { useShell } from "../support/shell.ts";
import { signedIn } from "../support/sign_in.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
let made = 0;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  ada = await claim(url, "Ada");
  bob = await claim(url, "Bob");
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
interface Refusable {
  code?: string;
  hint?: string;
}

const open = async (who: Holder | null, name = who?.name ?? "somebody"): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: `Room ${++made}`, name }, who?.pair)).body;
const say = async (room: OpenedRoom, name = "passer-by", who?: Holder): Promise<Post> =>
  (await post<Post>(`${room.api}/posts`, { name, body: "a text" }, who?.pair)).body;
const close = (room: OpenedRoom, headers: Headers = {}, body?: object) =>
  post<Refusable>(`${room.api}/close`, body, headers);
const redact = (room: OpenedRoom, { id }: Post, headers: Headers = {}) =>
  call<Post & Refusable>("DELETE", `${room.api}/posts/${id}`, undefined, headers);
const isClosed = async ({ api }: OpenedRoom) => (await get<RoomRead>(api)).body.room.closed;

/** A lease of Bob in the room, and what ends it. */
async function endLease(room: OpenedRoom, headers: Headers) {
  await post(`${room.api}/leases`, { paths: ["docs"], ttl_seconds: 60 }, bob.pair);
  return post<Refusable & { broken?: object[] }>(`${room.api}/leases/break`, { paths: ["docs"] }, headers);
}

const credentials: [string, () => Headers | Promise<Headers>][] = [
  ["the name and its key as headers", () => ada.pair],
  ["the key alone", () => ({ "x-wf-key": ada.key })],
  ["Basic", () => ({ authorization: `Basic ${btoa(`Ada:${ada.key}`)}` })],
  ["Bearer", () => ada.bearer],
  [
    "an access token of a program",
    async () => ({ authorization: `Bearer ${(await letIn(url, await signedIn(url, ada))).access_token}` }),
  ],
];

describe.each(credentials)("the host by %s", (_credential, headersOf) => {
  test("closes the room, redacts posts of others and ends leases, without the host key", async () => {
    const headers = await headersOf();
    const room = await open(ada);
    const said = await say(room);
    expect((await endLease(room, headers)).body).toMatchObject({ broken: [{ holder: "Bob" }] });
    expect(await redact(room, said, headers)).toMatchObject({ status: 200, body: { redacted: "host" } });
    expect((await redact(room, said, headers)).status).toBe(200);
    expect((await close(room, headers, { last_word: "Thank you." })).status).toBe(200);
    expect((await close(room, headers)).status).toBe(200);
    expect(await isClosed(room)).toBe(true);
  });
});

describe("the host by its name", () => {
  test("redacts its own posts as their author", async () => {
    const room = await open(ada);
    const said = await say(room, "Ada", ada);
    expect((await redact(room, said, ada.pair)).body.redacted).toBe("author");
  });

  test("has these rights in a room that it has taken over, too", async () => {
    const room = await open(null);
    expect((await close(room, ada.pair)).body.code).toBe("host_key_required");
    await post(`${room.api}/host`, undefined, { ...ada.pair, "x-meet-key": room.host_key! });
    const said = await say(room);
    expect((await redact(room, said, ada.pair)).body.redacted).toBe("host");
    expect((await close(room, ada.pair)).status).toBe(200);
  });

  test("is refused with a wrong host key", async () => {
    const [room, other] = [await open(ada), await open(ada)];
    const wrong = { ...ada.pair, "x-meet-key": other.host_key! };
    const said = await say(room);
    expect(await close(room, wrong)).toMatchObject({ status: 403, body: { code: "wrong_host_key" } });
    expect(await redact(room, said, wrong)).toMatchObject({ status: 403, body: { code: "wrong_host_key" } });
    expect((await endLease(room, wrong)).body.code).toBe("wrong_host_key");
    expect(await isClosed(room)).toBe(false);
  });

  test("closes its room as a tool, with the key in the headers or as an argument", async () => {
    for (const [args, headers] of [
      [{}, ada.pair],
      [{ key: ada.key }, {}],
    ] as const) {
      const room = await open(ada);
      const answer = await callTool(url, "meet_close", { room: room.slug, ...args }, headers);
      expect([answer.isError, await isClosed(room)]).toEqual([undefined, true]);
    }
  });

  test("counts what it has done as activity, once", async () => {
    const room = await open(ada);
    const activity = async () => (await post<object>(`${url}/api/name/whoami`, undefined, ada.pair)).body;
    const before = await activity();
    await close(room, ada.pair);
    const once = await activity();
    expect(once).not.toEqual(before);
    await close(room, ada.pair);
    expect(await activity()).toEqual(once);
  });
});

describe("who is not the host", () => {
  test("is refused, with both ways to be the host", async () => {
    const room = await open(ada);
    const said = await say(room);
    for (const headers of [{}, bob.pair]) {
      const { status, body } = await close(room, headers);
      expect([status, body.code]).toEqual([401, "host_key_required"]);
      expect(body.hint).toMatch(/x-meet-key.*claimed name is the host/);
    }
    expect((await endLease(room, bob.pair)).body.code).toBe("host_key_required");
    expect(await redact(room, said, bob.pair)).toMatchObject({
      status: 403,
      body: { code: "not_your_post" },
    });
    expect(await isClosed(room)).toBe(false);
  });

  test("is the same name without its key: a room that was opened without one belongs to nobody", async () => {
    const room = await open(null, "later claimed");
    const late = await claim(url, "later claimed");
    expect((await close(room, late.pair)).body.code).toBe("host_key_required");
  });

  test("is who claims a released name: neither rooms that the former holder opened nor those that it took over", async () => {
    const former = await claim(url, "Grace");
    const opened = await open(former);
    const taken = await open(null);
    const key = (room: OpenedRoom) => ({ "x-meet-key": room.host_key! });
    await post(`${taken.api}/host`, undefined, { ...former.pair, ...key(taken) });
    service.clock.advance(60);
    await asOwner(service, "POST", "/api/admin/names/grace/release", { reason: "For the test" });
    const next = await claim(url, "Grace");
    for (const room of [opened, taken]) {
      const said = await say(room);
      expect((await close(room, next.pair)).body.code).toBe("host_key_required");
      expect((await redact(room, said, next.pair)).body.code).toBe("not_your_post");
      expect((await close(room, former.pair)).body.code).toBe("unknown_credential");
      const browser = await signedIn(url, next);
      const page = await browser.get(`/meet/r/${room.slug}?redact=1`);
      expect(page.body).not.toContain('action="' + room.url + '/redact"');
      expect(page.body).not.toContain("Close this room");
    }
    // With the host key it takes them over.
    expect((await post(`${opened.api}/host`, undefined, { ...next.pair, ...key(opened) })).status).toBe(200);
    expect((await close(opened, next.pair)).status).toBe(200);
  });

  test("is a name whose key was replaced, or that is suspended", async () => {
    const who = await claim(url, "Temporary");
    const room = await open(who);
    await asOwner(service, "POST", "/api/admin/names/temporary/suspend", { reason: "For the test" });
    expect((await close(room, who.pair)).body.code).toBe("name_suspended");
    await asOwner(service, "POST", "/api/admin/names/temporary/unsuspend", { reason: "For the test" });
    await post(`${url}/api/name/rotate`, undefined, who.pair);
    expect((await close(room, who.pair)).body.code).toBe("unknown_credential");
  });
});

describe("on the page of the room", () => {
  test("the host that is signed in redacts, ends leases and closes, and gives no host key", async () => {
    const room = await open(ada);
    const said = await say(room);
    await post(`${room.api}/leases`, { paths: ["docs"], ttl_seconds: 60 }, bob.pair);
    const browser = await signedIn(url, ada);
    const path = `/meet/r/${room.slug}`;
    const page = (await browser.get(path)).body;
    expect(page).toContain("Close this room");
    expect(page).toContain("End this lease");
    expect(page).toContain(`?redact=${said.n}#redact`);
    expect(page).not.toContain("You have the host key?");
    expect((await browser.post(`${path}/break`, { paths: "docs" })).status).toBe(303);
    expect((await browser.post(`${path}/redact`, { post: String(said.n) })).status).toBe(303);
    expect((await browser.post(`${path}/close`, { last_word: "Thanks." })).status).toBe(303);
    expect(await isClosed(room)).toBe(true);
  });

  test("the form to redact is only for those who may, others get a sentence", async () => {
    const room = await open(ada);
    const [theirs, hers] = [await say(room), await say(room, "Bob", bob)];
    const browser = await signedIn(url, bob);
    const pageOf = async ({ n }: Post) => (await browser.get(`/meet/r/${room.slug}?redact=${n}`)).body;
    const form = `action="${room.url}/redact"`;
    expect(await pageOf(hers)).toContain(form);
    const refused = await pageOf(theirs);
    expect(refused).not.toContain(form);
    expect(refused).toContain("You cannot redact #1");
    expect((await browser.post(`/meet/r/${room.slug}/redact`, { post: "1" })).status).toBe(403);
  });
});

describe("wharf close", () => {
  const used = useShell();

  test("needs no saved host key in a room of the name", async () => {
    const { shell } = used;
    const who = await claim(used.service.url, "shelly");
    const opening = { goal: "From another machine", name: "shelly" };
    const { slug } = (await post<OpenedRoom>(`${used.service.url}/api/meet/rooms`, opening, who.pair)).body;
    // This one knows the key of the name, and no host key.
    const elsewhere = { WHARF_NAME: "shelly", WHARF_KEY: who.key };
    const closing = (room: string) => shell.startIn(shell.directory, elsewhere, "close", room).ended;
    expect(await closing(slug)).toMatchObject({ status: 0, printed: `${slug} is closed.\n` });
    const other = await post<OpenedRoom>(`${used.service.url}/api/meet/rooms`, { goal: "Of x", name: "x" });
    const refused = await closing(other.body.slug);
    expect([refused.status, refused.errors]).toEqual([3, expect.stringContaining("--as <name>")]);
  });
});
