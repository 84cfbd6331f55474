/** What leaves an instance of its private rooms: in exports of the instance and of names, in lists of a name, and in receipts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { asOwner, socketOf } from "../../support/admin.ts";
import { importText, tablesIn } from "../../support/exports.ts";
import { get, post, send } from "../../support/http.ts";
import { putMember, openPrivate, removeMember, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { stored, storedRows } from "../../support/stored.ts";

const canary = "heron-51";
let service: SourceService;
let host: Holder;
let member: Holder;
let former: Holder;
let room: OpenedRoom;
let deleted: OpenedRoom;
beforeAll(async () => {
  service = await startSource();
  const claimed = (name: string) => claim(service.url, name);
  [host, member, former] = [await claimed("Hana"), await claimed("Milo"), await claimed("Fox")];
  [room, deleted] = [
    await openPrivate(service.url, host, `Goal ${canary}`),
    await openPrivate(service.url, host, `Gone ${canary}`),
  ];
  for (const one of [room, deleted])
    for (const who of [member, former]) {
      await putMember(one, host.pair, who.name);
      await sayAs(one, who, `By ${who.name}, ${canary}`);
    }
  const body = { paths: [`src/${canary}`], ttl_seconds: 3_600, purpose: canary };
  expect((await post(`${room.api}/leases`, body, member.pair)).status).toBe(201);
  const reported = await post(`${room.api}/posts/1/report`, { reason: `It is ${canary}` }, host.pair);
  expect(reported.status).toBe(201);
  await removeMember(room, host.pair, former.name);
  const path = `/api/admin/rooms/${deleted.slug}/delete`;
  expect((await asOwner(service, "POST", path, { reason: "For the test" })).status).toBe(200);
});
afterAll(() => service.stop());

/** The export of the instance, by the admin API. */
const exported = async (secrets: boolean): Promise<string> => {
  const url = `http://localhost/api/admin/export${secrets ? "?secrets=1" : ""}`;
  const response = await fetch(url, { unix: socketOf(service) });
  expect(response.status).toBe(200);
  return response.text();
};

/** Everything by which a private room is recognised. */
const marks = () => [canary, room.slug, deleted.slug, "private--"];
const found = (text: string) => marks().filter((mark) => text.includes(mark));

describe("an export of the instance", () => {
  test("without secrets has nothing of private rooms, of those that were deleted neither", async () => {
    expect(found(await storedRows(service.directory))).toEqual(marks());
    const text = await exported(false);
    expect(found(text)).toEqual([]);
    expect(text).not.toContain('"table":"room_members"');
  });

  test("with secrets has private rooms with their members, and becomes an instance with the same ones", async () => {
    const text = await exported(true);
    expect(found(text)).toEqual(marks());
    const directory = join(newDirectory(), "data");
    await importText(directory, text);
    const rows = tablesIn(join(directory, "wharf.db")).room_members!;
    expect(rows.map((row) => (JSON.parse(row) as { canonical: string }).canonical).sort()).toEqual([
      "hana",
      "milo",
    ]);
    const copy = await startSource({ data_dir: directory, database: null }, service.clock);
    const at = `${copy.url}/api/meet/rooms/${room.slug}`;
    const { body } = await get<{ members: { name: string; role: string }[] }>(`${at}/members`, member.pair);
    expect(body.members).toMatchObject([
      { name: "Hana", role: "host" },
      { name: "Milo", role: "member" },
    ]);
    const read = await get<{ posts: { body: string }[] }>(at, member.pair);
    expect(read.body.posts.map((one) => one.body)).toContain(`By Milo, ${canary}`);
    const missing = `${copy.url}/api/meet/rooms/private--${"a".repeat(26)}`;
    for (const slug of [room.slug, deleted.slug]) {
      const refused = await get(`${copy.url}/api/meet/rooms/${slug}`, former.pair);
      const { status, body } = await get(missing, former.pair);
      expect({ ...refused.body, request_id: 0 }).toEqual({ ...body, request_id: 0 });
      expect([refused.status, status]).toEqual([404, 404]);
    }
    await copy.stop();
    removeDirectory(join(directory, ".."));
  });
});

type Line = Record<string, unknown> & { kind: string };
const linesOf = async ({ pair }: Holder): Promise<Line[]> =>
  (await send("GET", `${service.url}/api/name/export`, pair)).body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const of = (lines: Line[], kind: string) => lines.filter((line) => line.kind === kind);

describe("the export of a name", () => {
  test("has its posts in private rooms, and the private rooms that it opened, while it is a member", async () => {
    const own = await linesOf(member);
    expect(of(own, "post").map(({ room, body }) => [room, body])).toEqual([
      [room.slug, `By Milo, ${canary}`],
    ]);
    const receipts = of(own, "receipt").map(({ act, ref }) => [act, ref]);
    expect(receipts).toContainEqual(["meet.speak", of(own, "post")[0]!.id]);
    expect(of(await linesOf(host), "room")).toMatchObject([
      { slug: room.slug, goal: `Goal ${canary}`, visibility: "private" },
    ]);
  });

  test("leaves a private room out once the name is removed, or has left", async () => {
    const lines = await linesOf(former);
    expect([of(lines, "post"), of(lines, "room")]).toEqual([[], []]);
    const receipts = of(lines, "receipt").map(({ act }) => act);
    expect(receipts).not.toContain("meet.speak");

    const leaving = await claim(service.url, "Lea");
    const opened = await openPrivate(service.url, leaving, `Left ${canary}`);
    await sayAs(opened, leaving, "Before I leave.");
    await putMember(opened, leaving.pair, host.name, "host");
    expect(of(await linesOf(leaving), "room")).toHaveLength(1);
    await removeMember(opened, leaving.pair, leaving.name);
    const left = await linesOf(leaving);
    expect(left.map(({ kind, act }) => act ?? kind)).toEqual(["name", "name.claim", "end"]);
    expect(JSON.stringify(left)).not.toContain(opened.slug);
    await putMember(opened, host.pair, leaving.name);
    expect(of(await linesOf(leaving), "post")).toHaveLength(1);
  });
});

describe("the lists of a name", () => {
  test("for others have no post and no room of a private room", async () => {
    for (const path of [
      "/name/milo",
      "/api/name/milo",
      "/api/name/milo/posts",
      "/name/hana",
      "/api/name/hana",
    ])
      for (const headers of [{}, host.pair, member.pair]) {
        const answer = await send("GET", `${service.url}${path}`, headers as Record<string, string>);
        expect([path, answer.status, found(answer.body)]).toEqual([path, 200, []]);
      }
  });

  test("for its holder have its posts and its receipts in private rooms while it is a member", async () => {
    const cookieOf = async ({ name, key }: Holder) => {
      const form = new URLSearchParams({ name, key });
      const signed = await fetch(`${service.url}/signin`, {
        method: "POST",
        body: form,
        redirect: "manual",
        headers: { origin: service.url },
      });
      return { cookie: signed.headers.get("set-cookie")!.split(";")[0]! };
    };
    const shown = async (who: Holder, path: string) =>
      (await send("GET", `${service.url}${path}`, await cookieOf(who))).body;
    expect(await shown(member, "/me")).toContain("Your posts in private rooms");
    expect(await shown(former, "/me")).not.toContain("Your posts in private rooms");
    for (const path of ["/me/receipts", "/me/receipts?kind=posts", "/me/receipts?kind=rooms"])
      expect([path, (await shown(former, path)).includes(canary)]).toEqual([path, false]);
    expect(await shown(member, "/me/receipts?kind=posts")).toContain(`Goal ${canary}`);
    expect(await shown(host, "/me/receipts?kind=rooms")).toContain(`Goal ${canary}`);
  });
});

test("a receipt says which room and post it is of, to those to whom its holder shows it, and has no text", async () => {
  const spoken = await post<{ receipt: string; id: string }>(
    `${room.api}/posts?receipt=1`,
    { name: member.name, body: `With a receipt, ${canary}` },
    member.pair,
  );
  const { receipt, id } = spoken.body;
  const checked = await post<{ payload: Record<string, unknown> }>(`${service.url}/receipt/verify`, {
    receipt,
  });
  expect(checked.body).toMatchObject({
    verdict: "valid",
    payload: { act: "meet.speak", ref: id, sub: "Milo" },
  });
  expect(JSON.stringify(checked.body)).not.toContain(canary);
  expect(JSON.stringify(checked.body.payload)).toContain(room.slug);
  const page = await send("GET", `${service.url}/receipt?r=${receipt}`);
  expect(page.body).not.toContain(canary);
});

test("the slug of a deleted private room stays stored, so that its posts are erased, and nobody learns of it", async () => {
  const rows = await stored(service.directory, "SELECT slug, is_empty FROM deleted_rooms");
  expect(rows as object[]).toEqual([{ slug: deleted.slug, is_empty: 1 }]);
  expect(await stored(service.directory, "SELECT room FROM room_members WHERE canonical = 'fox'")).toEqual(
    [],
  );
});
