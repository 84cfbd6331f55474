/** What readers see of the pace of a room: in text, in the lean form, by tools and on its page, where its host sets it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LeanList, LeanRead } from "../../../src/api/rooms/lean.ts";
import type { Pace } from "../../../src/api/rooms/pace.ts";
import type { OpenedRoom, RoomRead } from "../../../src/api/rooms/rooms.ts";
import { signedIn } from "../../support/sign_in.ts";
import { call, get, post, send } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { callTool } from "../../support/tools.ts";

let service: SourceService;
let ann: Holder;
beforeAll(async () => {
  service = await startSource();
  ann = await claim(service.url, "Ann");
});
afterAll(() => service.stop());

/** Three posts by at most two names within 10 minutes; then 60 s between theirs. */
const pace: Pace = { posts: 3, window_seconds: 600, spacing_seconds: 60, names: 2 };
let made = 0;

const open = async (more: object = { pace }) => {
  const body = { goal: `Shown ${++made}`, name: "Ann", ...more };
  return (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, body, ann.pair)).body;
};
const say = (room: OpenedRoom, name: string, body = "a text") => post(`${room.api}/posts`, { name, body });
/** A room in which two names are slowed down, and until when. */
async function slowedRoom(): Promise<{ room: OpenedRoom; until: string }> {
  const room = await open();
  for (const name of ["a", "b", "a"]) await say(room, name);
  return { room, until: (await roomOf(room)).slowed_until! };
}
const roomOf = async ({ api }: OpenedRoom) => (await get<RoomRead>(api)).body.room;
const second = (time: string) =>
  new Date(Math.ceil(Date.parse(time) / 1000) * 1000).toISOString().replace(".000", "");
const text = async (url: string) => (await send("GET", url)).body;
const pageOf = async (room: OpenedRoom) => (await send("GET", room.url, { accept: "text/html" })).body;

test("the text, the lean form and the tools have the time in a slowed room, and no word of it in others", async () => {
  const { room, until } = await slowedRoom();
  const calm = await open();
  const lean = async ({ api }: OpenedRoom) => (await get<LeanRead>(`${api}?fields=lean`)).body.room!;
  expect(await lean(room)).toHaveProperty("slowed_until", second(until));
  expect(await lean(calm)).not.toHaveProperty("slowed_until");
  const listed = (await get<LeanList>(`${service.url}/api/meet/rooms?fields=lean`)).body.rooms;
  expect(listed.filter((entry) => entry.slowed_until !== undefined).map(({ slug }) => slug)).toEqual([
    room.slug,
  ]);
  const words = `, slowed until ${second(until)}`;
  const tool = async (name: string, args: object) =>
    (await callTool(service.url, name, args)).content[0]!.text;
  for (const shown of [
    await text(`${room.api}.md`),
    await text(`${service.url}/api/meet/rooms.md`),
    await tool("meet_read", { room: room.slug }),
    await tool("meet_rooms", {}),
  ]) {
    expect(shown.split("slowed until")).toHaveLength(2);
    expect(shown).toContain(words);
  }
  expect(await text(`${calm.api}.md`)).not.toContain("slowed");

  await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
  expect(await lean(room)).not.toHaveProperty("slowed_until");
  expect(await text(`${room.api}.md`)).not.toContain("slowed");
});

test("a refused tool call says how long to wait, that waiting is right, and who can lift it", async () => {
  const { room } = await slowedRoom();
  const refused = await callTool(service.url, "meet_speak", { room: room.slug, name: "a", body: "More" });
  expect(refused.isError).toBe(true);
  const said = refused.content[0]!.text;
  expect(said).toContain("slow_down");
  expect(said).toMatch(/Post again in \d+ s\./);
  expect(said).toContain("Wait, then post once.");
  expect(said).toContain("host");
});

test("the page says until when, and its host sets the pace there", async () => {
  const { room, until } = await slowedRoom();
  const path = `/meet/r/${room.slug}`;
  const slowed = await pageOf(room);
  expect(slowed).toContain(`data-slowed="${until}"`);
  expect(slowed).toContain("Few names post here fast");
  expect(slowed).not.toContain(`action="${room.url}/pace"`);
  // The time is rounded up: nobody is refused who believes it.
  const minute = new Date(Math.ceil(Date.parse(until) / 60_000) * 60_000).toISOString();
  expect(slowed).toContain(`datetime="${minute}"`);

  const browser = await signedIn(service.url, ann);
  const own = (await browser.get(path)).body;
  expect(own).toContain(`action="${room.url}/pace"`);
  expect(own).toMatch(/value="own" checked/);
  expect(own).toMatch(/<input[^>]* name="posts"[^>]* value="3"/);
  for (const [form, chosen] of [
    [
      { pace: "own", posts: "4", window_seconds: "600", spacing_seconds: "30", names: "" },
      { ...pace, posts: 4, spacing_seconds: 30 },
    ],
    [{ pace: "none", posts: "4" }, "none"],
    [{ pace: "default", posts: "4" }, undefined],
  ] as const) {
    const set = await browser.post(`${path}/pace`, form);
    expect([set.status, set.headers.get("location")]).toEqual([303, room.url]);
    const after = await roomOf(room);
    expect([after.pace, after.slowed_until]).toEqual([chosen, undefined] as never);
  }
  expect(await pageOf(room)).not.toContain("data-slowed");
});

test("a pace that cannot be is refused at the form, and others than the host set none", async () => {
  const room = await open();
  const path = `/meet/r/${room.slug}/pace`;
  const browser = await signedIn(service.url, ann);
  const refused = await browser.post(path, { pace: "own", posts: "1" });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatch(/<details id="pace"[^>]* open/);
  expect(refused.body).toContain('value="1"');
  expect((await browser.post(path, { pace: "never" })).status).toBe(422);
  const bob = await signedIn(service.url, await claim(service.url, `Bob ${++made}`));
  expect((await bob.post(path, { pace: "none" })).status).toBe(401);
  expect(await roomOf(room)).toMatchObject({ pace });
});

test("a refused post on the page says when to send it again, and stays in the form", async () => {
  const { room } = await slowedRoom();
  const browser = await signedIn(service.url, ann);
  await browser.post(`/meet/r/${room.slug}`, { body: "The first of a third name" });
  for (const name of ["a", "b", "a"]) await say(room, name);
  const form = new URLSearchParams({ name: "a", body: "What I wrote <b>" });
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: service.url };
  const refused = await send("POST", room.url, headers, form.toString());
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.body).toMatch(/each waits between its posts\. Send it again in \d+ (?:seconds|minutes?)\./);
  expect(refused.body).toContain("What I wrote &lt;b&gt;");
});

test("scripts that insert posts learn of the time by a header, in slowed rooms alone", async () => {
  const { room, until } = await slowedRoom();
  const after = (n: number) => send("GET", `${room.url}/after/${n}`);
  expect((await after(3)).headers.get("x-wharf-slowed")).toBe(until);
  await call("PUT", `${room.api}/pace`, { pace }, { "x-meet-key": room.host_key! });
  expect((await after(3)).headers.has("x-wharf-slowed")).toBe(false);
});
