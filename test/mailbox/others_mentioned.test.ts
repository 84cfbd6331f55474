/** A note about a post says which other names the post mentions. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LeanMailbox, Note } from "../../src/api/mailbox.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { notesOf } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";
import { withStored } from "../support/stored.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

let claimed = 0;
const somebody = (name = "reader"): Promise<Holder> => claim(url, `${name}-${++claimed}`);
const say = async ({ api }: Opened, body: string, who?: Holder, more: object = {}): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: who?.name ?? "stranger", body, ...more }, who?.pair)).body;
const latestOf = async (who: Holder): Promise<Note> => (await notesOf(url, who)).at(-1)!;
const leanOf = async (who: Holder) =>
  (await get<LeanMailbox>(`${url}/api/mailbox?fields=lean`, who.pair)).body.notes.at(-1)!;
/** The content of the latest note as it is stored. */
const storedOf = ({ name }: Holder): Promise<string> =>
  withStored(service.directory, async ({ run }) => {
    const notes = await run(`SELECT content FROM notes WHERE owner = '${canonicalName(name)}' ORDER BY seq`);
    return (notes.at(-1) as { content: string }).content;
  });

test("names the others as they are written, claimed or not, each once, without the reader and the author", async () => {
  const [ada, bob, author] = [await somebody(), await somebody(), await somebody()];
  const room = await open(url, "Who takes it?");
  const [shown_ada, shown_bob] = [ada.name.toUpperCase(), bob.name];
  await say(room, `@${shown_ada} @${bob.name}: who? @nobody @${ada.name} @${author.name}`, author);
  expect((await latestOf(ada)).also).toEqual([shown_bob, "nobody"]);
  expect((await latestOf(bob)).also).toEqual([shown_ada, "nobody"]);
  expect((await leanOf(ada)).also).toEqual([shown_bob, "nobody"]);
});

test("is absent from a note about a post that mentions nobody else, which is stored as before", async () => {
  const [ada, bob] = [await somebody(), await somebody()];
  const room = await open(url, "Alone");
  const { n } = await say(room, `@${ada.name} @${ada.name}`, bob);
  await say(room, `yes, @${bob.name}`, ada, { in_reply_to: n });
  for (const who of [ada, bob]) {
    for (const note of [await latestOf(who), await leanOf(who)]) expect(note).not.toHaveProperty("also");
    expect(await storedOf(who)).not.toContain("also");
  }
});

test("a reply names those whom it mentions besides its reader", async () => {
  const [ada, bob] = [await somebody(), await somebody()];
  const room = await open(url, "Replies");
  const { n } = await say(room, "who?", ada);
  await say(room, `@${bob.name} knows`, undefined, { in_reply_to: n });
  expect(await latestOf(ada)).toMatchObject({ kind: "room.reply", also: [bob.name] });
  expect(await latestOf(bob)).not.toHaveProperty("also");
});

test("a folded note says it of its latest post alone", async () => {
  const [ada, bob] = [await somebody(), await somebody()];
  const room = await open(url, "Folded");
  await say(room, `@${ada.name} @${bob.name} one`);
  await say(room, `@${ada.name} @carol two`);
  const folded = await latestOf(ada);
  expect(folded).toMatchObject({ count: 2, also: ["carol"] });
  for (const event of [folded.first, folded.last])
    expect(Object.keys(event!).sort()).toEqual(["at", "by", "by_claimed", "kind", "n", "post"]);
  await say(room, `@${ada.name} three`);
  expect(await latestOf(ada)).not.toHaveProperty("also");
  await say(room, `@${ada.name} @dora four`);
  await post(`${url}/api/mailbox/ack`, { through: 3 }, ada.pair);
  expect(await latestOf(ada)).toMatchObject({ n: 4, also: ["dora"] });
});

test("a name in a script without spaces is the one that was found, and its case stays", async () => {
  const [ada] = [await somebody(), await claim(url, "はるか")];
  await say(await open(url, "Scripts"), `@はるかさん、@${ada.name} @はるか @Zoe\u0308`);
  expect((await latestOf(ada)).also).toEqual(["はるか", "Zoë"]);
});

test("streams, the tool and the page show it, and what forges a line stays quoted", async () => {
  const [ada, bob] = [await somebody(), await somebody()];
  const stream = await readEvents(`${url}/api/mailbox/stream`, ada.pair);
  await say(await open(url, "Everywhere"), `@${ada.name} @${bob.name} @carol`);
  expect(await stream.next()).toMatchObject({ data: { also: [bob.name, "carol"] } });
  await stream.close();
  const { content, structuredContent } = await callTool(url, "mailbox_read", {}, ada.pair);
  expect(content[0]!.text).toContain(`\nalso: "${bob.name}" "carol"\n`);
  expect(structuredContent).toMatchObject({ notes: [{ also: [bob.name, "carol"] }] });
  const { body } = await (await signedIn(url, ada)).get("/me/mailbox");
  expect(body).toMatch(new RegExp(`also mentioned:\\s*<bdi>${bob.name}</bdi>, <bdi>carol</bdi>`));
});

test("a redaction, by its author or the operator, takes the names out, and nothing of them was stored beside the post", async () => {
  const [ada, author] = [await somebody(), await somebody()];
  const room = await open(url, "Redacted");
  for (const redact of [
    (id: string) => call("DELETE", `${room.api}/posts/${id}`, undefined, author.pair),
    (id: string) => asOwner(service, "POST", `/api/admin/posts/${id}/hide`, { reason: "spam" }),
    (id: string) => asOwner(service, "POST", `/api/admin/posts/${id}/erase`, { reason: "spam" }),
  ]) {
    const { id } = await say(room, `@${ada.name} @secret-word`, author);
    expect((await latestOf(ada)).also).toEqual(["secret-word"]);
    expect(await storedOf(ada)).not.toContain("secret");
    expect((await redact(id)).status).toBe(200);
    expect(await latestOf(ada)).not.toHaveProperty("also");
    expect(await latestOf(ada)).not.toHaveProperty("also_lengths");
  }
});

test("the release of a name changes no note of others: they say what the post says", async () => {
  const [ada, bob, room] = [await somebody(), await somebody(), await open(url, "Released")];
  await say(room, `@${ada.name} @${bob.name}`);
  await asOwner(service, "POST", `/api/admin/names/${bob.name}/release`, { reason: "asked for it" });
  expect((await latestOf(ada)).also).toEqual([bob.name]);
  await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "spam" });
  expect(await latestOf(ada)).not.toHaveProperty("also");
});

test("has the nine others of ten mentions in each of 120 notes of a page", async () => {
  const ada = await somebody();
  const others = Array.from({ length: 10 }, (_, i) => `other-${i}`);
  const body = `@${ada.name} ${others.map((name) => `@${name}`).join(" ")}`;
  for (let i = 0; i < 120; i++) await say(await open(url, "Many"), body);
  const notes = await notesOf(url, ada, "?limit=1000");
  expect(notes).toHaveLength(120);
  for (const { also } of notes) expect(also).toEqual(others.slice(0, 9));
});
