/** Posts and rooms for the tests of moderation, who follows them, and which ways of reading show them. */

import { expect } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { asOwner, auditOf } from "./admin.ts";
import { get, post } from "./http.ts";
import { ask, beginSession, listen } from "./mcp_messages.ts";
import { claim } from "./names.ts";
import { ways_to_read, type Place, type Read } from "./readings.ts";
import { open, type Opened } from "./rooms.ts";
import type { SourceService } from "./service.ts";
import { readEvents, type EventReader } from "./sse.ts";

let places = 0;

export interface Prepared extends Place {
  room: Opened;
  id: string;
  salt: string;
}

/** A room whose post has a word that is nowhere else, and a mailbox with a note about it. */
export async function prepare(service: SourceService): Promise<Prepared> {
  const goal_word = `ziel${++places}x`;
  const word = `quokka${places}x`;
  const mentioned = await claim(service.url, `carol${places}`);
  const room = await open(service.url, goalOf({ goal_word }));
  const speaker = await claim(service.url, `dave${places}`);
  const say = async (body: string, { name, pair }: Partial<typeof speaker> = { name: "Bob" }) =>
    (await post<Post>(`${room.api}/posts`, { name, body }, pair)).body;
  await say("Before it.");
  const { id, n, salt } = await say(`The ${word} for @${mentioned.name}.`, speaker);
  await say("After it.");
  // The sitemap has a new room within the hour.
  service.clock.advance(3600);
  return {
    room,
    id,
    salt: salt!,
    url: service.url,
    slug: room.slug,
    api: room.api,
    n,
    word,
    goal_word,
    mentioned,
    speaker,
  };
}
export const goalOf = ({ goal_word }: Pick<Place, "goal_word">): string => `Moderated ${goal_word}`;
export const textOf = ({ word, mentioned }: Place): string => `The ${word} for @${mentioned.name}.`;

export const onPost = (service: SourceService, action: string, { id }: Prepared) =>
  asOwner(service, "POST", `/api/admin/posts/${id}/${action}`, { reason: `Because of ${action}` });
export const onRoom = (service: SourceService, action: string, { slug }: Place) =>
  asOwner(service, "POST", `/api/admin/rooms/${slug}/${action}`, { reason: `Because of ${action}` });

/** Whether a way shows what it is for. */
const shows = ({ word, slug }: Place, kind: string, { text }: Read): boolean =>
  text.includes(kind === "post" ? word : slug);

/** Reads in every way; returns the names of those that show it. Checks that none fails. */
export async function showing(place: Place, of: (kind: string) => boolean = () => true): Promise<string[]> {
  const shown: string[] = [];
  for (const way of ways_to_read.filter(({ kind }) => of(kind))) {
    const read = await way.read(place);
    expect([way.name, read.status]).toEqual([way.name, 200]);
    if (shows(place, way.kind, read)) shown.push(way.name);
  }
  return shown;
}

export const names = (of: (kind: string) => boolean): string[] =>
  ways_to_read.filter(({ kind }) => of(kind)).map(({ name }) => name);
export const by_text = (kind: string) => kind === "post" || kind === "search";
export const by_room = (kind: string) => !by_text(kind);
export const any = () => true;

/** The ETag of each way that has one, which is confirmed by 304 as long as nothing changes. */
export async function etagsOf(place: Place): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  for (const way of ways_to_read) {
    const { etag } = await way.read(place);
    // A note says how long ago it came.
    if (!etag || way.name === "lean mailbox") continue;
    expect([way.name, (await way.read(place, etag)).status]).toEqual([way.name, 304]);
    etags.set(way.name, etag);
  }
  expect(etags.size).toBeGreaterThan(15);
  return etags;
}

export const audited = async (service: SourceService, action: string, target: string) =>
  (await auditOf(service)).filter((line) => line.action === action && line.target === target);

/** Streams, subscriptions and waits, which are open during an action. */
export async function following(service: SourceService, { room, slug, api, n }: Prepared) {
  const stream = await readEvents(`${api}/stream`);
  const session = await beginSession(`${service.url}/mcp`);
  const uri = `meet://room/${slug}`;
  await ask(`${service.url}/mcp`, "resources/subscribe", { uri }, session);
  const of_session = await readEvents(`${service.url}/mcp`, { accept: "text/event-stream", ...session });
  const listener = await listen(`${service.url}/mcp`, [uri]);
  await listener.next();
  const wait = { room: slug, since: n + 1, wait_seconds: 50 };
  const ended: Record<string, Read> = {};
  const started: Record<string, Promise<{ status: number; body: unknown }>> = {
    "long poll": get(`${api}?since=${n + 1}&wait_seconds=50`),
    "lean long poll": get(`${api}?since=${n + 1}&wait_seconds=50&fields=lean`),
    wait: get(`${service.url}/api/wait?room=${slug}:${n + 1}&wait_seconds=50`),
    meet_read: ask(`${service.url}/mcp`, "tools/call", { name: "meet_read", arguments: wait }),
    "meet_read of a session": ask(
      `${service.url}/mcp`,
      "tools/call",
      { name: "meet_read", arguments: wait },
      session,
    ),
  };
  const all = Object.entries(started).map(async ([name, answer]) => {
    const { status, body } = await answer;
    ended[name] = { status, text: JSON.stringify(body) };
  });
  while (service.open().waits < all.length) await Bun.sleep(1);
  const notified = async () => {
    for (const reader of [of_session, listener]) {
      expect(await reader.next()).toMatchObject({
        data: { method: "notifications/resources/updated", params: { uri } },
      });
    }
  };
  return {
    stream,
    notified,
    /** What the waits have returned so far. */
    ended,
    /** Ends the waits by a post. */
    async speak() {
      await post(`${room.api}/posts`, { name: "Bob", body: "Go on." });
      await Promise.all(all);
      return ended;
    },
    allEnded: () => Promise.all(all),
    close: () => Promise.all([stream, of_session, listener].map((reader: EventReader) => reader.close())),
  };
}
