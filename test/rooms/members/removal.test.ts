/** A name that leaves a private room or is removed from it: what it has open there ends, and nothing of it is stored any more. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { call, get, post } from "../../support/http.ts";
import { take } from "../../support/leases.ts";
import { claim, type Holder } from "../../support/names.ts";
import {
  admitName,
  expectOneHostLeft,
  expectSilence,
  isWaiting,
  newMember,
  openAll,
  openPrivately,
  remove,
  sayIn,
  type PrivateRoom,
} from "../../support/removals.ts";
import { readEvents } from "../../support/sse.ts";
import { getText, stall } from "../../support/stalled.ts";
import { sessionOf, tokenOf, type StandIn } from "../../support/stand_ins.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { room_limits } from "../../../src/api/limits.ts";
import type { Present } from "../../../src/api/rooms/present.ts";

/** What ends an answer in chunks (RFC 9112, section 7.1). */
const last_chunk = "0\r\n\r\n";

let service: SourceService;
let url: string;
let host: Holder;
let room: PrivateRoom;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  host = await claim(url, "Grace");
  room = await openPrivately(url, host);
});
afterAll(() => service.stop());

test("a removal ends every wait, stream and subscription in the room", async () => {
  const all = await openAll(url, room, host, "member");
  await Promise.all(all.map(({ who }) => remove(room, host, who.name)));
  for (const { kind, end, expected } of all) expect([kind, await end]).toEqual([kind, expected]);
  for (const { who } of all) {
    while (await isWaiting(url, who)) await service.clock.turn();
    expect((await get(room.api, who.pair)).status).toBe(404);
  }
  expect((await get<Present>(`${room.api}/present`, host.pair)).body).toMatchObject({ names: [], others: 0 });
});

test("nothing that a member says is stored after its removal, in 64 races", async () => {
  for (let round = 0; round < 64; round++) await expectSilence(() => url, room, host, round);
});

test("of two hosts who remove each other one is left, in 64 races", async () => {
  for (let round = 0; round < 64; round++) await expectOneHostLeft(() => url, round);
});

/** A room with 16 MB of posts: more than the connection of a reader holds that has stopped reading, some 6 MB. */
async function largeRoom(): Promise<PrivateRoom> {
  const large = await openPrivately(url, host);
  const body = "🌊".repeat(room_limits.post_body_chars_max);
  for (let i = 0; i < 100; i++) {
    const posts = await Promise.all(Array.from({ length: 10 }, () => sayIn(large, host, body)));
    for (const { status } of posts) expect(status).toBe(201);
  }
  return large;
}
let large: Promise<PrivateRoom> | undefined;

let gils = 0;
/** What a member reads with, and the call that ends its reading. */
type Ending = (room: PrivateRoom, member: Holder) => Promise<StandIn>;
const removal: Ending = async (room, { name, pair }) => ({
  headers: pair,
  end: () => remove(room, host, name),
});
const revocation: Ending = async (_room, { key, pair }) => ({
  headers: pair,
  end: () => post(`${url}/api/name/revoke`, { key }),
});
const endOfGrant: Ending = (_room, member) => tokenOf(url, member);
const endOfSession: Ending = (_room, member) => sessionOf(url, member);

test.each([
  ["/export.jsonl", "its removal", removal],
  ["?limit=1000", "its removal", removal],
  [".md?limit=1000", "its removal", removal],
  ["/export.jsonl", "the end of its key", revocation],
  ["/export.jsonl", "the end of the grant that it is read with", endOfGrant],
  ["?limit=1000", "the end of the grant that it is read with", endOfGrant],
  ["/export.jsonl", "the end of the session that it is read with", endOfSession],
  [".md?limit=1000", "the end of the session that it is read with", endOfSession],
])("an answer that a member still reads breaks off: %s at %s", async (part, _what, ending) => {
  const mine = await (large ??= largeRoom());
  const gil = await newMember(url, mine, host, `Gil ${++gils}`);
  const { headers, end } = await ending(mine, gil);
  const path = new URL(mine.api).pathname + part;
  const [member, other] = [
    await stall(url, getText(path, { connection: "close", ...headers })),
    await stall(url, getText(path, { connection: "close", ...host.pair })),
  ];
  expect((await end()).status).toBeOneOf([200, 303]);
  await sayIn(mine, host, `After ${gil.name}`);
  const [read, whole] = [await member.readOn(), await other.readOn()].map(String) as [string, string];
  expect(read).not.toContain(`After ${gil.name}`);
  expect([whole.endsWith(last_chunk), read.endsWith(last_chunk)]).toEqual([true, false]);
  expect(read.length).toBeLessThan(whole.length / 2);
});

/** Reads of some 400 KB, of which ten are made at the same time and the others wait for memory. */
const large_reads: Record<string, (room: PrivateRoom, n: number) => string> = {
  "pages as JSON": ({ api }, n) => `${api}?since=${n}&limit=300`,
  "pages as JSON without own posts": ({ api }, n) => `${api}?since=${n}&limit=300&not_by=x`,
  "pages as Markdown": ({ api }, n) => `${api}.md?since=${n}&limit=300`,
  "parts of pages": ({ slug }, n) => `${url}/meet/r/${slug}/after/${n}`,
};
test.each([
  ...Object.entries(large_reads).map(
    ([what, addressOf]) => [what, "its removal", addressOf, removal] as const,
  ),
  ["pages as JSON", "the end of its key", large_reads["pages as JSON"]!, revocation] as const,
  ["pages as JSON", "the end of its grant", large_reads["pages as JSON"]!, endOfGrant] as const,
  ["pages as JSON", "the end of its session", large_reads["pages as JSON"]!, endOfSession] as const,
])(
  "no read of a member that waits for memory has a post from after: %s, %s, in 8 races",
  async (_what, _end, addressOf, ending) => {
    const mine = await openPrivately(url, host);
    const body = "many words ".padEnd(room_limits.post_body_chars_max, "x");
    for (let i = 0; i < 100; i++) await sayIn(mine, host, body);
    for (let round = 0; round < 8; round++) {
      const { headers, end } = await ending(mine, await newMember(url, mine, host, `Hal ${++gils}`));
      const reads = Array.from({ length: 40 }, async (_, n) => {
        const answer = await fetch(addressOf(mine, n), { headers });
        return `${answer.status} ${await answer.text()}`;
      });
      await end();
      await sayIn(mine, host, `After removal ${round}`);
      for (const read of await Promise.all(reads)) {
        expect(read).not.toContain(`After removal ${round}`);
        expect(read.slice(0, 3)).toBeOneOf(["200", "401", "404", "503"]);
      }
    }
  },
);

test.each([
  ["with since", { since: 0 }],
  ["with if_latest", { if_latest: 0 }],
])(
  "closing %s and the host key, a member that is removed gets no later post, in 32 races",
  async (_how, body) => {
    for (let round = 0; round < 32; round++) {
      const jan = await claim(url, `Jan ${++gils}`);
      const mine = await openPrivately(url, jan);
      await admitName(mine, jan, host.name, "host");
      const [removed, said, closed] = await Promise.all([
        remove(mine, host, jan.name),
        sayIn(mine, host, `@${jan.name.replace(" ", "_")} After the removal`),
        post(`${mine.api}/close`, body, { "x-meet-key": mine.host_key, ...jan.pair }),
      ]);
      expect(removed.status).toBe(200);
      // Their order is the service's; only a member is notified.
      const before = said.body.mentions?.[0]?.notified;
      if (!before) expect(JSON.stringify(closed.body)).not.toContain("After the removal");
    }
  },
);

test("a check of many leases shows a member that is removed none from after that, in 32 races", async () => {
  const mine = await openPrivately(url, host);
  const paths = Array.from({ length: 1_000 }, (_, i) => `${i}`);
  for (let round = 0; round < 32; round++) {
    const kim = await newMember(url, mine, host, `Kim ${++gils}`);
    // The removal ends it, so nobody else can have it before.
    await take(mine, kim, "999");
    const [checked, removed, taken] = await Promise.all([
      post(`${mine.api}/leases/check`, { paths }, kim.pair),
      remove(mine, host, kim.name),
      take(mine, host, "999", { purpose: "After the removal", wait_seconds: 50 }),
    ]);
    expect([removed.status, taken.status]).toEqual([200, 201]);
    expect(JSON.stringify(checked.body)).not.toContain("After the removal");
    await post(`${mine.api}/leases/release`, { fence: taken.body.fence }, host.pair);
  }
});

test("a former member gets no stored answer by its Idempotency-Key", async () => {
  const mine = await openPrivately(url, host);
  const ann = await newMember(url, mine, host, "Ann");
  const key = () => ({ "idempotency-key": crypto.randomUUID() });
  const calls: (() => Promise<{ status: number; body: { code?: string } }>)[] = [
    [key()].map((once) => () => sayIn(mine, ann, "Once", once))[0]!,
    [key()].map((once) => () => take(mine, ann, "docs", {}, once))[0]!,
    [key()].map(
      (once) => () =>
        post<{ code?: string }>(`${mine.api}/leases/release`, { fence: 1 }, { ...ann.pair, ...once }),
    )[0]!,
  ];
  const first = [];
  for (const each of calls) first.push(await each());
  expect(first.map(({ status }) => status)).toEqual([201, 201, 200]);
  for (const each of calls) expect((await each()).status).toBeLessThan(300);
  await remove(mine, host, ann.name);
  for (const each of calls) {
    const { status, body } = await each();
    expect([status, body.code]).toEqual([404, "room_not_found"]);
  }
});

test("the opener who has left gets no stored answer to the opening", async () => {
  const ben = await claim(url, "Ben");
  const body = { goal: "Opened once", name: ben.name, visibility: "private" };
  const once = { ...ben.pair, "idempotency-key": crypto.randomUUID() };
  const opening = () => post<PrivateRoom>(`${url}/api/meet/rooms`, body, once);
  const opened = (await opening()).body;
  expect((await opening()).body.slug).toBe(opened.slug);
  await admitName(opened, ben, host.name, "host");
  expect((await remove(opened, ben, ben.name)).status).toBe(200);
  expect(await opening()).toMatchObject({ status: 404, body: { code: "room_not_found" } });
});

test("the leases and places of a former member end, and others get the paths", async () => {
  const mine = await openPrivately(url, host);
  const [cat, dan] = [await newMember(url, mine, host, "Cat"), await newMember(url, mine, host, "Dan")];
  await take(mine, cat, "a");
  const waiting = take(mine, dan, "a", { wait_seconds: 50 });
  while (!(await isWaiting(url, dan))) await service.clock.turn();
  await remove(mine, host, cat.name);
  expect((await waiting).status).toBe(201);
  // A place in line that its caller has left stays for a while, unless the caller is a member no more.
  const eve = await newMember(url, mine, host, "Eve");
  const left = new AbortController();
  const body = JSON.stringify({ paths: ["a"], ttl_seconds: 60, wait_seconds: 50 });
  const headers = { "content-type": "application/json", ...eve.pair };
  const in_line = fetch(`${mine.api}/leases`, { method: "POST", body, headers, signal: left.signal });
  while (!(await isWaiting(url, eve))) await service.clock.turn();
  left.abort();
  await in_line.catch(() => {});
  await remove(mine, host, eve.name);
  await remove(mine, host, dan.name);
  expect((await take(mine, host, "a")).status).toBe(201);
});

test("a member that is made a reader loses its leases, and may take none", async () => {
  const mine = await openPrivately(url, host);
  const fay = await newMember(url, mine, host, "Fay");
  const { fence } = (await take(mine, fay, "a")).body;
  await take(mine, host, "b");
  const in_line = take(mine, fay, "b", { wait_seconds: 50 });
  while (!(await isWaiting(url, fay))) await service.clock.turn();
  await admitName(mine, host, fay.name, "reader");
  const refused = { status: 403, body: { code: "readers_only_read" } };
  expect(await in_line).toMatchObject(refused);
  expect((await take(mine, host, "a")).status).toBe(201);
  expect(await take(mine, fay, "c")).toMatchObject(refused);
  expect(await take(mine, fay, "c", { wait_seconds: 1 })).toMatchObject(refused);
  expect(await post(`${mine.api}/leases/extend`, { fence, ttl_seconds: 60 }, fay.pair)).toMatchObject(
    refused,
  );
  expect(await post(`${mine.api}/leases/release`, { fence }, fay.pair)).toMatchObject(refused);
});

test("a reader that was a member follows the room on, and may redact what it has posted", async () => {
  const mine = await openPrivately(url, host);
  const gil = await newMember(url, mine, host, "Gil");
  await sayIn(mine, gil, "Mine.");
  const stream = await readEvents(`${mine.api}/stream`, gil.pair);
  await admitName(mine, host, gil.name, "reader");
  await sayIn(mine, host, "Read on.");
  expect(await stream.next()).toMatchObject({ event: "post", data: { body: "Read on." } });
  expect((await call("DELETE", `${mine.api}/posts/1`, undefined, gil.pair)).status).toBe(200);
  expect(await stream.next()).toMatchObject({ event: "redacted" });
  await remove(mine, host, gil.name);
  expect(await stream.next()).toBeNull();
});

test("a name that has left is not among those who were there lately", async () => {
  const mine = await openPrivately(url, host);
  const hal = await newMember(url, mine, host, "Hal");
  const stream = await readEvents(`${mine.api}/stream`, hal.pair);
  const present = async () => (await get<Present>(`${mine.api}/present`, host.pair)).body.names;
  expect(await present()).toMatchObject([{ name: "Hal", waiting: true }]);
  expect((await remove(mine, hal, hal.name)).status).toBe(200);
  expect(await stream.next()).toBeNull();
  expect(await present()).toEqual([]);
});

test("the deletion of a room ends the same, with 404 and never 410", async () => {
  const mine = await openPrivately(url, host);
  const all = await openAll(url, mine, host, "of the deleted");
  const deletion = await asOwner(service, "POST", `/api/admin/rooms/${mine.slug}/delete`, { reason: "Test" });
  expect(deletion.status).toBe(200);
  for (const { kind, end, expected } of all) expect([kind, await end]).toEqual([kind, expected]);
});

test("the host key of a former host closes the room, and reads nothing of it", async () => {
  const ian = await claim(url, "Ian");
  const mine = await openPrivately(url, ian);
  await admitName(mine, ian, host.name, "host");
  await remove(mine, host, ian.name);
  await sayIn(mine, host, "Among us.");
  const close = (body: object) =>
    post(`${mine.api}/close`, body, { "x-meet-key": mine.host_key, ...ian.pair });
  const missing = { status: 404, body: { code: "room_not_found" } };
  expect(await close({ since: 0 })).toMatchObject(missing);
  expect(await close({ if_latest: 0 })).toMatchObject(missing);
  expect(await close({ last_word: "Mine." })).toMatchObject({
    status: 403,
    body: { code: "readers_only_read" },
  });
  expect((await close({})).body).toMatchObject({ closed: true });
});
