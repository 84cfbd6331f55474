/** A claimed name becomes the host of a room that was opened before the claim, with the room's host key. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HostedRoom, OpenedRoom, RoomRead } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { useShell } from "../support/shell.ts";

let service: SourceService;
let url: string;
let made = 0;
const somebody = (): Promise<Holder> => claim(url, `keeper-${++made}`);
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const open = async (name: string, more: object = {}, who?: Holder): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: `By ${name}`, name, ...more }, who?.pair)).body;
const takeOver = ({ api }: OpenedRoom, host_key: string | null, who?: Holder) =>
  post<HostedRoom & { code?: string }>(`${api}/host`, undefined, {
    ...who?.pair,
    ...(host_key !== null && { "x-meet-key": host_key }),
  });
const hostOf = async ({ api }: OpenedRoom) => (await get<RoomRead>(api)).body.room.host;

describe("taking a room over", () => {
  test("makes the claimed name its host, in every form in which the room is shown", async () => {
    const name = `keeper-${made + 1}`;
    const room = await open(name);
    const list = `${url}/api/meet/rooms?limit=5`;
    const page = async () => (await fetch(room.url, { headers: { accept: "text/html" } })).text();
    const markdown = async () => (await fetch(`${room.api}.md`)).text();
    // What was in a cache before must not be shown after.
    const before = await get<RoomRead>(room.api);
    expect(before.body.room.host).toEqual({ name, claimed: false });
    expect((await get<{ rooms: object[] }>(list)).body.rooms).toMatchObject([{ host: { claimed: false } }]);
    expect(await markdown()).not.toContain(`by "${name}" key`);
    const page_before = await page();
    const who = await somebody();
    const stream = await readEvents(`${room.api}/stream`);
    const { status, body } = await takeOver(room, room.host_key, who);
    const host = { name, claimed: true };
    expect([status, body as object]).toEqual([200, { slug: room.slug, host }]);
    const after = await get<RoomRead>(room.api, { "if-none-match": before.headers.get("etag")! });
    expect([after.status, after.body.room.host]).toEqual([200, host]);
    expect((await get<{ rooms: object[] }>(list)).body.rooms).toMatchObject([{ host }]);
    expect((await get<{ room: object }>(`${room.api}?fields=lean`)).body.room).toMatchObject({ host });
    expect(await markdown()).toContain(`by "${name}" key`);
    expect(await page()).not.toBe(page_before);
    // A stream continues with what comes.
    await post(`${room.api}/posts`, { name: "x", body: "hello" });
    expect(await stream.next()).toMatchObject({ event: "post", data: { n: 1 } });
    await stream.close();
    const again = await takeOver(room, room.host_key, who);
    expect([again.status, again.body as object]).toEqual([200, { slug: room.slug, host }]);
  });

  test("works for any name that nobody has claimed, unlisted and closed rooms, and leaves the host key as it is", async () => {
    const who = await somebody();
    const room = await open("somebody else", { visibility: "unlisted" });
    const key = { "x-meet-key": room.host_key! };
    expect((await post(`${room.api}/close`, undefined, key)).status).toBe(200);
    expect((await takeOver(room, room.host_key, who)).status).toBe(200);
    expect(await hostOf(room)).toEqual({ name: who.name, claimed: true });
    expect((await post(`${room.api}/close`, undefined, key)).status).toBe(200);
  });

  test("counts as activity of the name, but not if it changes nothing", async () => {
    const who = await somebody();
    const activity = async () => (await post(`${url}/api/name/whoami`, undefined, who.pair)).body;
    const room = await open("early");
    const before = await activity();
    await takeOver(room, room.host_key, who);
    const once = await activity();
    expect(once).not.toEqual(before);
    await takeOver(room, room.host_key, who);
    expect(await activity()).toEqual(once);
  });

  test("does not count as opening it: neither the page nor the export of the name has the room", async () => {
    const who = await somebody();
    const [room, own] = [await open("late"), await open(who.name, {}, who)];
    await takeOver(room, room.host_key, who);
    const page = await (await fetch(`${url}/name/${who.name}`)).text();
    const lines = await (await fetch(`${url}/api/name/export`, { headers: who.pair })).text();
    for (const text of [page, lines])
      expect([text.includes(own.slug), text.includes(room.slug)]).toEqual([true, false]);
    expect(lines.split('"act":"meet.open"')).toHaveLength(2);
  });

  test("leaves the streams of a closed room over", async () => {
    const who = await somebody();
    const room = await open("closed");
    await post(`${room.api}/posts`, { name: "x", body: "hello" });
    const { body } = await post<{ closed_at: string }>(`${room.api}/close`, undefined, {
      "x-meet-key": room.host_key!,
    });
    const statusAfter = async (last_event_id: string) => {
      const stream = await fetch(`${room.api}/stream`, { headers: { "last-event-id": last_event_id } });
      await stream.text();
      return stream.status;
    };
    expect(await statusAfter(body.closed_at)).toBe(204);
    await takeOver(room, room.host_key, who);
    expect([await statusAfter(body.closed_at), await statusAfter("1")]).toEqual([204, 200]);
  });
});

describe("a room is not taken over", () => {
  const refused = async (answer: ReturnType<typeof takeOver>, status: number, code: string) => {
    const { status: got, body } = await answer;
    expect([got, body.code]).toEqual([status, code]);
  };

  test("without the key of a name", async () => {
    const room = await open("x");
    await refused(takeOver(room, room.host_key), 401, "credential_required");
    const wrong = { name: "x", pair: { "x-wf-name": "x", "x-wf-key": "wfk_wrong" } } as unknown as Holder;
    await refused(takeOver(room, room.host_key, wrong), 401, "unknown_credential");
    expect(await hostOf(room)).toEqual({ name: "x", claimed: false });
  });

  test("with a wrong host key, or none", async () => {
    const who = await somebody();
    const [room, other] = [await open("x"), await open("y")];
    await refused(takeOver(room, other.host_key, who), 403, "wrong_host_key");
    await refused(takeOver(room, null, who), 401, "host_key_required");
    expect(await hostOf(room)).toEqual({ name: "x", claimed: false });
  });

  test("if the key of another name opened it", async () => {
    const [who, other] = [await somebody(), await somebody()];
    const room = await open(other.name, {}, other);
    await refused(takeOver(room, room.host_key, who), 403, "name_is_claimed");
    expect(await hostOf(room)).toEqual({ name: other.name, claimed: true });
  });

  test("if there is none, or if it is deleted", async () => {
    const who = await somebody();
    const room = await open("x");
    await refused(takeOver({ ...room, api: `${room.api}-none` }, room.host_key, who), 404, "room_not_found");
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "For the test" });
    await refused(takeOver(room, room.host_key, who), 410, "room_deleted");
  });

  test("by a name that is suspended", async () => {
    const who = await somebody();
    const room = await open("x");
    await asOwner(service, "POST", `/api/admin/names/${who.name}/suspend`, { reason: "For the test" });
    await refused(takeOver(room, room.host_key, who), 403, "name_suspended");
    expect(await hostOf(room)).toEqual({ name: "x", claimed: false });
  });
});

describe("wharf host", () => {
  const used = useShell();

  test("takes a room over that was opened here before the name was claimed", async () => {
    const { shell } = used;
    const opened = await shell.run("open", "Before the claim", "--as", "shelly", "--json");
    const { slug } = JSON.parse(opened.printed) as { slug: string };
    const early = await shell.run("host", slug, "--as", "shelly");
    expect([early.status, early.printed]).toEqual([2, ""]);
    await shell.run("name", "claim", "shelly");
    expect(await shell.run("host", slug)).toMatchObject({
      status: 0,
      printed: `shelly is the host of ${slug}.\n`,
    });
    const unknown = await shell.run("host", "another-room");
    expect([unknown.status, unknown.errors]).toEqual([
      1,
      expect.stringContaining("no key of the room another-room"),
    ]);
  });
});
