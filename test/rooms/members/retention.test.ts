/** Old posts and rooms of private rooms are removed as those of others, with the members. Nobody learns that there was a room. */

import { afterEach, expect, test } from "bun:test";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import type { RetentionReport } from "../../../src/api/admin.ts";
import { asOwner, auditOf } from "../../support/admin.ts";
import { get, post, withoutId } from "../../support/http.ts";
import { putMember, openPrivate, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { stored, storedRows } from "../../support/stored.ts";

const day = 86_400;
const canary = "heron-51";
let service: SourceService;
afterEach(() => service.stop());

const run = async (query: string) =>
  (await asOwner<RetentionReport>(service, "POST", `/api/admin/retention?${query}`)).body.counts;
const membersIn = () => stored(service.directory, "SELECT canonical FROM room_members ORDER BY canonical");

async function newRoom(): Promise<{ room: OpenedRoom; host: Holder; member: Holder }> {
  service = await startSource();
  const [host, member] = [await claim(service.url, "Hana"), await claim(service.url, "Milo")];
  const room = await openPrivate(service.url, host, `Goal ${canary}`);
  await putMember(room, host.pair, member.name);
  for (const body of ["One", "Two"]) await sayAs(room, member, `${body} ${canary}`);
  return { room, host, member };
}

test("old posts of a private room are removed, and its members see the rule", async () => {
  const { room, member } = await newRoom();
  service.clock.advance(10 * day);
  await sayAs(room, member, "Three.");
  expect(await run(`keep_posts_seconds=${5 * day}`)).toMatchObject({ posts: 2, idle_rooms: 0 });
  const { body } = await get<{ posts: { n: number }[]; room: object }>(room.api, member.pair);
  expect(body.posts.map(({ n }) => n)).toEqual([3]);
  expect(await get(`${room.api}/posts/1`, member.pair)).toMatchObject({
    status: 410,
    body: { code: "post_removed" },
  });
  expect(await get(`${room.api}/posts/1`)).toMatchObject({ status: 404, body: { code: "room_not_found" } });
  expect(await storedRows(service.directory)).not.toContain(`One ${canary}`);
});

test.each([
  ["idle", `keep_idle_rooms_seconds=${7 * day}`],
  ["closed", `keep_closed_rooms_seconds=${7 * day}`],
])("an old %s private room is deleted with its members, and is missing then", async (state, rule) => {
  const { room, host, member } = await newRoom();
  if (state === "closed") await post(`${room.api}/close`, undefined, host.pair);
  service.clock.advance(10 * day);
  expect(await membersIn()).toHaveLength(2);
  expect(await run(rule)).toMatchObject({ [`${state}_rooms`]: 1, posts: 2 });
  expect(await membersIn()).toEqual([]);
  expect(await storedRows(service.directory)).not.toContain(canary);
  const missing = `${service.url}/api/meet/rooms/private--${"a".repeat(26)}`;
  for (const headers of [{}, host.pair, member.pair] as Record<string, string>[]) {
    const [gone, none] = [await get(room.api, headers), await get(missing, headers)];
    expect([gone.status, withoutId(gone.body)]).toEqual([404, withoutId(none.body)]);
  }
  const lines = (await auditOf(service)).filter(({ action }) => action === "room.delete");
  expect(lines).toMatchObject([{ actor: "retention", target: room.slug }]);
  // The rule counts no more of it, and no other room gets its slug.
  expect(await run(rule)).toMatchObject({ [`${state}_rooms`]: 0, posts: 0 });
  expect(await stored(service.directory, "SELECT slug FROM deleted_rooms")).toMatchObject([
    { slug: room.slug },
  ]);
});
