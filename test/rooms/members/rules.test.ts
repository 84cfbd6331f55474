/** The rules of the members of private rooms: who adds, changes and removes them, and what their roles allow. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { room_limits } from "../../../src/api/limits.ts";
import type { Members } from "../../../src/api/rooms/members.ts";
import type { OpenedRoom, RoomRead } from "../../../src/api/rooms/rooms.ts";
import { asOwner } from "../../support/admin.ts";
import { call, get, post } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { take } from "../../support/leases.ts";
import {
  fill,
  openPrivate,
  putMember,
  removeMember,
  rolesIn,
  sayAs,
  type Refusable,
} from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { closeRoom } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let url: string;
let ann: Holder;
let bob: Holder;
let cid: Holder;
let room: OpenedRoom;
beforeEach(async () => {
  service = await startSource();
  ({ url } = service);
  [ann, bob, cid] = [await claim(url, "Ann"), await claim(url, "Bob"), await claim(url, "Cid")];
  room = await openPrivate(url, ann);
});
afterEach(() => service.stop());

const hostKey = ({ host_key }: OpenedRoom) => ({ "x-meet-key": host_key! });
const refusal = async (calling: Promise<{ status: number; body: Refusable }>) => {
  const { status, body } = await calling;
  return [status, body.code];
};
const not_found = [404, "room_not_found"];
const not_host = [401, "host_key_required"];

const endLease = (headers: Record<string, string>) =>
  post<Refusable>(`${room.api}/leases/break`, { paths: ["src"] }, headers);

/** Releases a name, and lets somebody claim it anew. */
async function newHolder({ name }: Holder): Promise<Holder> {
  service.clock.advance(1_000);
  const released = await asOwner(service, "POST", `/api/admin/names/${name}/release`, { reason: "lost" });
  expect(released.status).toBe(200);
  return claim(url, name);
}

describe("adding and removing", () => {
  test("is for hosts, by role or by the host key, whose holder is no member by it", async () => {
    expect((await putMember(room, ann.pair, "Bob")).body).toMatchObject({ role: "member", added: true });
    expect((await putMember(room, hostKey(room), "Cid", "reader")).body).toMatchObject({
      room: room.slug,
      role: "reader",
      added: true,
    });
    expect(await rolesIn(room, cid)).toEqual({ Ann: "host", Bob: "member", Cid: "reader" });
    expect((await removeMember(room, hostKey(room), "Cid")).body).toEqual({ removed: true });
    expect((await removeMember(room, ann.pair, "Bob")).body).toEqual({ removed: true });
    expect(await rolesIn(room, ann)).toEqual({ Ann: "host" });
    for (const path of ["", "/members", "/posts/1"])
      expect(await refusal(get(room.api + path, { ...bob.pair, ...hostKey(room) }))).toEqual(not_found);
  });

  test("is refused for members and readers; to others the room does not exist", async () => {
    await putMember(room, ann.pair, "Bob");
    for (const role of ["member", "reader"] as const) {
      await putMember(room, ann.pair, "Bob", role);
      expect(await refusal(putMember(room, bob.pair, "Cid"))).toEqual(not_host);
      expect(await refusal(putMember(room, bob.pair, "Bob", "host"))).toEqual(not_host);
      expect(await refusal(removeMember(room, bob.pair, "Ann"))).toEqual(not_host);
      expect(await refusal(removeMember(room, bob.pair, "Cid"))).toEqual(not_host);
    }
    for (const headers of [{}, cid.pair, { "x-meet-key": "hk_wrong", ...cid.pair }]) {
      expect(await refusal(putMember(room, headers, "Cid"))).toEqual(not_found);
      expect(await refusal(removeMember(room, headers, "Cid"))).toEqual(not_found);
      expect(await refusal(removeMember(room, headers, "Bob"))).toEqual(not_found);
    }
    const other = await openPrivate(url, cid);
    expect(await refusal(putMember(room, { ...ann.pair, ...hostKey(other) }, "Cid"))).toEqual([
      403,
      "wrong_host_key",
    ]);
    expect(await rolesIn(room, ann)).toEqual({ Ann: "host", Bob: "reader" });
  });

  test("oneself is leaving, in every role", async () => {
    for (const role of ["host", "member", "reader"] as const) {
      await putMember(room, ann.pair, "Bob", role);
      expect((await removeMember(room, bob.pair, "bob")).body).toEqual({ removed: true });
      expect(await refusal(removeMember(room, bob.pair, "bob"))).toEqual(not_found);
      expect((await get(room.api, bob.pair)).status).toBe(404);
    }
    expect(await refusal(removeMember(room, ann.pair, "Bob"))).toEqual([404, "member_not_found"]);
  });

  test("is of a claimed name in any spelling, which the list shows as it was claimed", async () => {
    await putMember(room, ann.pair, "BOB");
    expect(await rolesIn(room, bob)).toEqual({ Ann: "host", Bob: "member" });
    expect((await putMember(room, ann.pair, "ＢＯＢ", "reader")).body.added).toBe(false);
    expect(await rolesIn(room, bob)).toEqual({ Ann: "host", Bob: "reader" });
    expect((await removeMember(room, ann.pair, "bOb")).status).toBe(200);
    expect(await refusal(putMember(room, ann.pair, "nobody"))).toEqual([409, "member_not_claimed"]);
  });

  test("is refused beyond the most members, and then changes roles still", async () => {
    await fill(url, room, ann.pair, room_limits.members_max - 1);
    expect(await refusal(putMember(room, ann.pair, "Bob"))).toEqual([409, "too_many_members"]);
    expect((await putMember(room, ann.pair, "member 0", "host")).body.added).toBe(false);
    await removeMember(room, ann.pair, "member 1");
    expect((await putMember(room, ann.pair, "Bob")).body.added).toBe(true);
  });

  test("works in a closed room, for those who read what was said", async () => {
    await sayAs(room, ann, "Said before");
    await closeRoom(room as { api: string; slug: string; host_key: string });
    expect((await putMember(room, ann.pair, "Bob", "reader")).body.added).toBe(true);
    expect((await get<RoomRead>(room.api, bob.pair)).body.posts).toHaveLength(1);
    expect((await removeMember(room, ann.pair, "Bob")).status).toBe(200);
    expect((await get(room.api, bob.pair)).status).toBe(404);
  });

  test("is refused in rooms that are not private, which are as before", async () => {
    for (const visibility of ["public", "unlisted"]) {
      const opening = { goal: "For all", name: "Ann", visibility };
      const other = (await post<OpenedRoom>(`${url}/api/meet/rooms`, opening, ann.pair)).body;
      expect(await refusal(putMember(other, ann.pair, "Bob"))).toEqual([409, "not_private"]);
      expect(await refusal(get(`${other.api}/members`, ann.pair))).toEqual([409, "not_private"]);
      expect((await removeMember(other, ann.pair, "Ann")).status).toBeGreaterThanOrEqual(400);
      for (const who of [bob, cid]) expect((await sayAs(other, who, "Hello @Ann")).status).toBe(201);
      expect((await get<RoomRead>(other.api)).body.posts).toHaveLength(2);
    }
    const [note] = await notesOf(url, ann);
    expect(note).toMatchObject({ kind: "room.mention", by: "Cid", excerpt: "Hello @Ann" });
  });
});

describe("a role", () => {
  test("is changed by hosts, and since when somebody is a member stays", async () => {
    const sinceOf = async () =>
      (await get<Members>(`${room.api}/members`, ann.pair)).body.members.find(({ name }) => name === "Bob");
    service.clock.advance(1_000);
    await putMember(room, ann.pair, "Bob", "reader");
    const { since } = (await sinceOf())!;
    for (const role of ["host", "member", "reader", "host"] as const) {
      service.clock.advance(1_000);
      expect((await putMember(room, ann.pair, "Bob", role)).body).toMatchObject({ role, added: false });
      expect(await sinceOf()).toEqual({ name: "Bob", role, since });
    }
    expect((await putMember(room, bob.pair, "Ann", "member")).body.role).toBe("member");
    expect(await rolesIn(room, cid).catch(() => ({}))).toEqual({});
    expect(await refusal(putMember(room, ann.pair, "Cid"))).toEqual(not_host);
  });

  test("given again writes nothing: no note, and no time of activity", async () => {
    await putMember(room, ann.pair, "Bob");
    const before = [await notesOf(url, bob), (await get(`${url}/api/name/Ann`)).body];
    service.clock.advance(60_000);
    expect((await putMember(room, ann.pair, "bob", "member")).body).toMatchObject({ added: false });
    expect([await notesOf(url, bob), (await get(`${url}/api/name/Ann`)).body]).toEqual(before);
  });

  test("of a reader reads, and writes nothing", async () => {
    await sayAs(room, ann, "Hello");
    await putMember(room, ann.pair, "Bob", "reader");
    expect((await get<RoomRead>(room.api, bob.pair)).body.posts).toHaveLength(1);
    const only_read = [403, "readers_only_read"];
    expect(await refusal(sayAs(room, bob, "Hello"))).toEqual(only_read);
    expect(await refusal(take(room, bob, "src"))).toEqual(only_read);
    expect(await refusal(post(`${room.api}/close`, {}, bob.pair))).toEqual(not_host);
    expect(await refusal(call("PUT", `${room.api}/pace`, { pace: "none" }, bob.pair))).toEqual(not_host);
    await putMember(room, ann.pair, "Bob", "member");
    expect((await sayAs(room, bob, "Hello")).status).toBe(201);
    expect((await take(room, bob, "src")).status).toBe(201);
    await putMember(room, ann.pair, "Bob", "reader");
    expect((await get<{ leases: object[] }>(`${room.api}/leases`, ann.pair)).body.leases).toEqual([]);
  });

  test("of a host has the rights of the host in every command, and its loss takes them", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    await putMember(room, ann.pair, "Cid");
    const said = (await sayAs(room, cid, "A text")).body;
    await take(room, cid, "src");
    const commands = [
      () => call<Refusable>("PUT", `${room.api}/pace`, { pace: "none" }, bob.pair),
      () => call<Refusable>("DELETE", `${room.api}/posts/${said.id}`, undefined, bob.pair),
      () => endLease(bob.pair),
      () => post<Refusable>(`${room.api}/close`, { last_word: "Thank you" }, bob.pair),
    ];
    await putMember(room, ann.pair, "Bob", "member");
    const refused = [];
    for (const command of commands) refused.push(await refusal(command() as never));
    expect(refused).toEqual([not_host, [403, "not_your_post"], not_host, not_host]);
    await putMember(room, ann.pair, "Bob", "host");
    for (const command of commands) expect((await command()).status).toBe(200);
    const read = (await get<RoomRead>(room.api, cid.pair)).body;
    expect(read.room.closed).toBe(true);
    expect(read.posts.map(({ name, body }) => [name, body])).toEqual([
      ["Cid", null],
      ["Bob", "Thank you"],
    ]);
  });

  test("of its opener may be another one's: the opener then has no rights of the host", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    await putMember(room, bob.pair, "Ann", "member");
    expect(await refusal(post(`${room.api}/close`, {}, ann.pair))).toEqual(not_host);
    await removeMember(room, bob.pair, "Ann");
    expect(await refusal(post(`${room.api}/close`, {}, ann.pair))).toEqual(not_found);
    expect((await post(`${room.api}/close`, {}, bob.pair)).status).toBe(200);
  });
});

describe("the last host", () => {
  const last = [409, "last_host"];

  test("is not removed, does not leave and keeps its role", async () => {
    await putMember(room, ann.pair, "Bob");
    expect(await refusal(removeMember(room, ann.pair, "Ann"))).toEqual(last);
    expect(await refusal(removeMember(room, hostKey(room), "Ann"))).toEqual(last);
    expect(await refusal(putMember(room, ann.pair, "Ann", "member"))).toEqual(last);
    expect(await refusal(putMember(room, hostKey(room), "Ann", "reader"))).toEqual(last);
    expect((await putMember(room, ann.pair, "Ann", "host")).body.added).toBe(false);
    await putMember(room, ann.pair, "Bob", "host");
    expect((await removeMember(room, ann.pair, "Ann")).status).toBe(200);
    expect(await refusal(removeMember(room, bob.pair, "Bob"))).toEqual(last);
  });

  test("is that one whose name is claimed still", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    await newHolder(bob);
    expect(await refusal(removeMember(room, ann.pair, "Ann"))).toEqual(last);
    expect(await refusal(putMember(room, ann.pair, "Ann", "member"))).toEqual(last);
  });
});

describe("a name that somebody else claims anew", () => {
  test("is no member", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    await sayAs(room, bob, "From the earlier holder");
    const later = await newHolder(bob);
    expect(await refusal(get(room.api, later.pair))).toEqual(not_found);
    expect(await refusal(sayAs(room, later, "Hello"))).toEqual(not_found);
    expect(await refusal(putMember(room, later.pair, "Cid"))).toEqual(not_found);
    expect(await refusal(removeMember(room, later.pair, "Bob"))).toEqual(not_found);
    expect(await refusal(removeMember(room, ann.pair, "Bob"))).toEqual([404, "member_not_found"]);
    expect(await rolesIn(room, ann)).toEqual({ Ann: "host" });
    expect((await sayAs(room, ann, "Hello @Bob", { in_reply_to: 1 as never })).body.mentions).toEqual([
      { name: "Bob", claimed: true, notified: false },
    ]);
    expect(await notesOf(url, later)).toEqual([]);
  });

  test("becomes a member as any other, with the role that it gets", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    const later = await newHolder(bob);
    expect((await putMember(room, ann.pair, "Bob", "reader")).body).toMatchObject({ added: true });
    expect(await rolesIn(room, later)).toEqual({ Ann: "host", Bob: "reader" });
    expect(await refusal(post(`${room.api}/close`, {}, later.pair))).toEqual(not_host);
    expect(await notesOf(url, later)).toMatchObject([{ kind: "room.added", role: "reader" }]);
  });
});

describe("the host key", () => {
  test("closes the room, and neither posts a last word nor shows what others posted", async () => {
    await sayAs(room, ann, "Secret");
    for (const headers of [hostKey(room), { ...bob.pair, ...hostKey(room) }]) {
      const name = "x-wf-name" in headers ? "Bob" : "somebody";
      for (const [body, refused] of [
        [{ last_word: "Bye", name }, [403, "readers_only_read"]],
        [{ if_latest: 0 }, not_found],
        [{ since: 0 }, not_found],
      ] as const) {
        const answer = await post<Refusable>(`${room.api}/close`, body, headers);
        expect([body, answer.status, answer.body.code] as unknown[]).toEqual([body, ...refused]);
        expect(JSON.stringify(answer.body)).not.toContain("Secret");
      }
    }
    expect((await get<RoomRead>(room.api, ann.pair)).body.room.closed).toBe(false);
    await putMember(room, ann.pair, "Bob");
    const both = { ...bob.pair, ...hostKey(room) };
    expect((await post(`${room.api}/close`, { last_word: "Bye", since: 0 }, both)).body).toMatchObject({
      closed: true,
      missed: [{ body: "Secret" }],
    });
  });

  test("closes it alone, and sets its pace, redacts and ends leases", async () => {
    const { id } = (await sayAs(room, ann, "A text")).body;
    await take(room, ann, "src");
    const headers = hostKey(room);
    expect((await call("PUT", `${room.api}/pace`, { pace: "none" }, headers)).status).toBe(200);
    expect((await call("DELETE", `${room.api}/posts/${id}`, undefined, headers)).status).toBe(200);
    expect((await endLease(headers)).status).toBe(200);
    expect((await post(`${room.api}/close`, undefined, headers)).status).toBe(200);
  });

  test("does not take a private room over: it makes a name a host among the members", async () => {
    const headers = { ...bob.pair, ...hostKey(room) };
    const refused = await post<Refusable & { hint: string }>(`${room.api}/host`, undefined, headers);
    expect([refused.status, refused.body.code]).toEqual(not_host);
    expect(refused.body.hint).toContain("role host");
    expect(await refusal(post(`${room.api}/host`, undefined, bob.pair))).toEqual(not_found);
    expect((await putMember(room, headers, "Bob", "host")).body).toMatchObject({ added: true });
    expect(await rolesIn(room, bob)).toEqual({ Ann: "host", Bob: "host" });
    expect(await notesOf(url, bob)).toEqual([]);
  });
});

describe("the host key of an opener that is no host any more", () => {
  test.each([
    ["was removed", () => removeMember(room, bob.pair, "Ann")],
    ["was made a reader", () => putMember(room, bob.pair, "Ann", "reader")],
  ])("adds and removes nobody, if it %s, unless a host sends it", async (_how, end) => {
    await putMember(room, ann.pair, "Bob", "host");
    expect((await end()).status).toBe(200);
    for (const headers of [hostKey(room), { ...ann.pair, ...hostKey(room) }]) {
      const refused = await putMember(room, headers, "Ann", "host");
      expect([refused.status, refused.body.code]).toEqual([403, "wrong_host_key"]);
      expect(await refusal(removeMember(room, headers, "Bob"))).toEqual([403, "wrong_host_key"]);
    }
    if ((await get(room.api, ann.pair)).status === 200) {
      const own = await removeMember(room, { ...ann.pair, ...hostKey(room) }, "Ann");
      expect(own.body).toEqual({ removed: true });
    }
    const both = { ...bob.pair, ...hostKey(room) };
    expect((await putMember(room, both, "Cid")).body).toMatchObject({ added: true });
    expect((await removeMember(room, both, "Cid")).body).toEqual({ removed: true });
    expect((await putMember(room, bob.pair, "Ann", "host")).status).toBeOneOf([200, 201]);
    expect((await putMember(room, hostKey(room), "Cid")).body).toMatchObject({ added: true });
  });
});

describe("a repeated call", () => {
  const once = { "idempotency-key": crypto.randomUUID() };

  test("gets the same answer and changes nothing again, and none if its caller is no host any more", async () => {
    await putMember(room, ann.pair, "Bob", "host");
    const first = await putMember(room, bob.pair, "Cid", "member", once);
    await removeMember(room, ann.pair, "Cid");
    const second = await putMember(room, bob.pair, "Cid", "member", once);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await rolesIn(room, ann)).toEqual({ Ann: "host", Bob: "host" });
    expect((await putMember(room, bob.pair, "Cid", "reader", once)).body.code).toBe("idempotency_key_reused");
    await removeMember(room, ann.pair, "Bob");
    expect(await refusal(putMember(room, bob.pair, "Cid", "member", once))).toEqual(not_found);
  });
});

test("adding counts as a write of the host", async () => {
  await service.stop();
  service = await startSource({ rate_limit: true });
  ({ url } = service);
  [ann, bob] = [await claim(url, "Ann"), await claim(url, "Bob")];
  room = await openPrivate(url, ann);
  let status = 200;
  for (let i = 0; status < 300; i++) {
    ({ status } = await (i % 2 ? removeMember(room, ann.pair, "Bob") : putMember(room, ann.pair, "Bob")));
    expect(i).toBeLessThan(100);
  }
  expect(status).toBe(429);
  expect(await notesOf(url, bob)).toHaveLength(1);
});
