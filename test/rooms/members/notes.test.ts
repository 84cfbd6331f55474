/** The notes of private rooms: about a role, mentions and replies for members only, and what those see who may not read the room any more. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PostDelivery } from "../../../src/api/rooms/delivery.ts";
import type { LeanMailbox, Note } from "../../../src/api/mailbox.ts";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { noteLines } from "../../../src/cli/shell/texts.ts";
import { call, get, post, send } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { openPrivate, putMember, removeMember, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";
import { callTool, wordsOf } from "../../support/tools.ts";

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
  room = await openPrivate(url, ann, "Goalword");
});
afterEach(() => service.stop());

const kindsOf = async (who: Holder) => (await notesOf(url, who)).map(({ kind, seq }) => `${seq} ${kind}`);
const ack = (who: Holder, through: number) => post(`${url}/api/mailbox/ack`, { through }, who.pair);

describe("a note about a role", () => {
  test("says the room, the role and who gave it, in every form", async () => {
    await putMember(room, ann.pair, "Bob", "reader");
    const [note] = await notesOf(url, bob);
    const at = new Date(service.clock.now()).toISOString();
    const { slug } = room;
    const said = {
      kind: "room.added",
      at,
      unread: true,
      room: slug,
      role: "reader",
      by: "Ann",
      by_claimed: true,
    };
    expect(note).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), seq: 1, ...said } as never);
    const lean = (await get<LeanMailbox>(`${url}/api/mailbox?fields=lean`, bob.pair)).body.notes;
    const in_short = { room: slug, role: "reader", by: "Ann", claimed: true as const };
    expect(lean).toEqual([{ seq: 1, kind: "room.added", ago: 0, ...in_short }]);
    const words = wordsOf(await callTool(url, "mailbox_read", {}, bob.pair));
    expect(words).toContain(`1 room.added 0 s ago ${slug} "Ann" key you are reader`);
    expect(noteLines(note as never)).toEqual([
      `• 1  ${at.slice(0, 10)} ${at.slice(11, 16)}  room.added by Ann  ${slug}`,
      "  as reader",
    ]);
    const browser = await signedIn(url, bob);
    for (const path of ["/me", "/me/mailbox"]) {
      const page = await browser.get(path);
      expect(page.body).toContain("gave you a role in a private room: reader");
      expect(page.body).toContain("Goalword");
    }
  });

  test("says who gave it also beside the host key, which the shell sends with the name", async () => {
    await putMember(room, { ...ann.pair, "x-meet-key": room.host_key! }, "Bob");
    expect(await notesOf(url, bob)).toMatchObject([{ kind: "room.added", by: "Ann", by_claimed: true }]);
  });

  test("of the host key alone names nobody", async () => {
    await putMember(room, { "x-meet-key": room.host_key! }, "Bob");
    const [note] = await notesOf(url, bob);
    expect(note).toMatchObject({ kind: "room.added", role: "member" });
    expect(note).not.toHaveProperty("by");
    expect((await (await signedIn(url, bob)).get("/me/mailbox")).body).toContain("The host gave you a role");
  });

  test("is one for each room while it is unread: the latest role, with a new seq", async () => {
    const other = await openPrivate(url, cid);
    await putMember(other, cid.pair, "Bob");
    const [first] = await notesOf(url, bob);
    for (let i = 0; i < 3; i++) {
      await putMember(room, ann.pair, "Bob", "reader");
      await removeMember(room, ann.pair, "Bob");
    }
    await putMember(room, ann.pair, "Bob", "member");
    await putMember(room, ann.pair, "Bob", "host");
    const notes = await notesOf(url, bob);
    expect(notes).toMatchObject([
      { id: first!.id, seq: 1, room: other.slug },
      { seq: 6, room: room.slug, role: "host" },
    ]);
    await ack(bob, 6);
    service.clock.advance(1_000);
    await putMember(room, ann.pair, "Bob", "reader");
    expect(await kindsOf(bob)).toEqual(["1 room.added", "6 room.added", "7 room.added"]);
    expect((await notesOf(url, bob))[2]!.id).not.toBe(notes[1]!.id);
  });

  test("folds into no reply or mention of the room, nor these into it", async () => {
    await sayAs(room, ann, "Hello");
    await putMember(room, ann.pair, "Bob");
    await sayAs(room, ann, "@Bob");
    await putMember(room, ann.pair, "Bob", "reader");
    await sayAs(room, ann, "@Bob");
    const shown = (await notesOf(url, bob)).map(({ seq, kind, count, n }) => [seq, kind, count, n]);
    expect(shown).toEqual([
      [3, "room.added", undefined, undefined],
      [4, "room.mention", 2, 3],
    ]);
    const { delivery } = (await get<PostDelivery>(`${room.api}/posts/2?fields=delivery`, ann.pair)).body;
    expect(delivery).toEqual([{ name: "Bob", state: "fetched" }]);
  });

  test("is none for who gives it to itself, nor about a removal", async () => {
    await putMember(room, { ...bob.pair, "x-meet-key": room.host_key! }, "Bob", "host");
    await putMember(room, bob.pair, "Bob", "member");
    await removeMember(room, ann.pair, "Bob");
    await putMember(room, ann.pair, "Bob");
    await removeMember(room, bob.pair, "Bob");
    expect(await kindsOf(bob)).toEqual(["1 room.added"]);
    expect(await notesOf(url, ann)).toEqual([]);
  });
});

describe("a mention or a reply in a private room", () => {
  test("makes a note for members and readers, and for nobody else", async () => {
    await putMember(room, ann.pair, "Bob", "reader");
    const { body } = await sayAs(room, ann, "Hello @Bob, @Cid and @nobody");
    expect(body.mentions).toEqual([
      { name: "Bob", claimed: true, notified: true },
      { name: "Cid", claimed: true, notified: false },
      { name: "nobody", claimed: false, notified: false },
    ]);
    expect(await notesOf(url, cid)).toEqual([]);
    expect((await notesOf(url, bob))[1]).toMatchObject({ kind: "room.mention", also: ["Cid", "nobody"] });
    const { delivery } = (await get<PostDelivery>(`${room.api}/posts/1?fields=delivery`, ann.pair)).body;
    expect(delivery).toEqual([
      { name: "Bob", state: "fetched" },
      { name: "Cid", state: "not_notified" },
      { name: "nobody", state: "unclaimed" },
    ]);
  });

  test("makes none for a former member, also of the first post of a room", async () => {
    await putMember(room, ann.pair, "Bob");
    const said = (await sayAs(room, bob, "Hello")).body;
    await removeMember(room, ann.pair, "Bob");
    expect((await sayAs(room, ann, "Gone", { in_reply_to: said.id })).status).toBe(201);
    expect(await kindsOf(bob)).toEqual(["1 room.added"]);
    const { delivery } = (await get<PostDelivery>(`${room.api}/posts/2?fields=delivery`, ann.pair)).body;
    expect(delivery).toEqual([{ name: "Bob", state: "not_notified", reply: true }]);
    await callTool(url, "meet_ask", { question: "Who is @Cid?", visibility: "private" }, ann.pair);
    expect(await notesOf(url, cid)).toEqual([]);
  });

  test("says no more of a stranger than in a public room: neither when it waits nor what it reads", async () => {
    const seen = [];
    for (const hides of [false, true]) {
      await call("PUT", `${url}/api/mailbox/delivery`, { shown: !hides }, cid.pair);
      const n = (await sayAs(room, ann, "@Cid")).body.n!;
      seen.push((await get<PostDelivery>(`${room.api}/posts/${n}?fields=delivery`, ann.pair)).body.delivery);
    }
    expect(seen).toEqual([[{ name: "Cid", state: "not_notified" }], [{ name: "Cid", state: "withheld" }]]);
  });
});

describe("the mailbox of a former member", () => {
  const answers = async (): Promise<string[]> => {
    const browser = await signedIn(url, bob);
    return Promise.all([
      send("GET", `${url}/api/mailbox`, bob.pair).then(({ body }) => body),
      send("GET", `${url}/api/mailbox?fields=lean`, bob.pair).then(({ body }) => body),
      send("GET", `${url}/api/name/export`, bob.pair).then(({ body }) => body),
      callTool(url, "mailbox_read", { since: 0 }, bob.pair).then((answer) => JSON.stringify(answer)),
      browser.get("/me").then(({ body }) => body),
      browser.get("/me/mailbox").then(({ body }) => body),
    ]);
  };
  const secrets = ["Goalword", "Textword", "Milo", "Nora"];
  const found = async () => (await answers()).map((text) => secrets.filter((word) => text.includes(word)));

  test("has its notes still, with nothing of the room: no text, goal, number or name", async () => {
    const milo = await claim(url, "Milo");
    await putMember(room, ann.pair, "Bob");
    await putMember(room, ann.pair, "Milo");
    const first = (await sayAs(room, milo, "Textword for @Bob and @Nora")).body;
    await sayAs(room, milo, "Textword again, @Bob and @Nora");
    expect((await found()).every((words) => words.includes("Textword") || words.includes("Goalword"))).toBe(
      true,
    );
    const before = await notesOf(url, bob);
    expect(before[1]).toMatchObject({
      count: 2,
      n: 2,
      by: "Milo",
      also: ["Nora"],
      first: { post: first.id },
    });
    await removeMember(room, ann.pair, "Bob");
    expect(await found()).toEqual([[], [], [], [], [], []]);
    const [added, mention] = await notesOf(url, bob);
    expect(added).toEqual(before[0]!);
    const { id, seq, at, post: post_id } = before[1] as Note & { post: string };
    const left = {
      id,
      seq,
      at,
      post: post_id,
      kind: "room.mention",
      room: room.slug,
      count: 2,
      unread: true,
    };
    expect(mention).toEqual(left as never);
    expect(wordsOf(await callTool(url, "mailbox_read", {}, bob.pair))).toContain(
      `3 room.mention 0 s ago ${room.slug} 2\n`,
    );
    await putMember(room, ann.pair, "Bob", "reader");
    expect((await notesOf(url, bob)).find(({ kind }) => kind === "room.mention")).toMatchObject({
      n: 2,
      by: "Milo",
      excerpt: "Textword again, @Bob and @Nora",
    });
  });

  test("has no note of a reply with its text, and a read of one note is not reported", async () => {
    await putMember(room, ann.pair, "Bob");
    const { id } = (await sayAs(room, bob, "Hello")).body;
    await sayAs(room, ann, "Textword", { in_reply_to: id });
    await removeMember(room, bob.pair, "Bob");
    expect(await found()).toEqual([[], [], [], [], [], []]);
  });
});

test("who claims a name gets no mention of it in a private room", async () => {
  const public_room = (
    await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "For all", name: "Ann" }, ann.pair)
  ).body;
  for (const one of [room, public_room]) await sayAs(one, ann, "Do you know @Dora?");
  service.clock.advance(1_000);
  const { body } = await post<{ mentions: { room: string }[] }>(`${url}/api/name`, { name: "Dora" });
  expect(body.mentions.map(({ room: slug }) => slug)).toEqual([public_room.slug]);
});
