/** What a member of a private room may have open there: every wait, stream and subscription, and how each ends. */

import { expect } from "bun:test";
import type { NameLookup } from "../../src/api/names/names.ts";
import { repeatedWhileBusy } from "./busy.ts";
import { call, get, post } from "./http.ts";
import { take } from "./leases.ts";
import { askModern, beginSession, following, message, modern } from "./mcp_messages.ts";
import { claim, type Holder } from "./names.ts";
import type { Opened } from "./rooms.ts";
import { readEvents, type EventReader } from "./sse.ts";
import type { ToolAnswer } from "./mcp_clients.ts";
import { codeOf, wordsOf } from "./tools.ts";

export type PrivateRoom = Opened;

/** The room at another node. */
export const at = (room: PrivateRoom, url: string): PrivateRoom => ({
  ...room,
  api: `${url}/api/meet/rooms/${room.slug}`,
});

/** Opens a private room. */
export async function openPrivately(url: string, { name, pair }: Holder): Promise<PrivateRoom> {
  const body = { goal: "Among us", name, visibility: "private" };
  return (await post<Opened>(`${url}/api/meet/rooms`, body, pair)).body;
}

export const admitName = ({ api }: PrivateRoom, { pair }: Holder, name: string, role = "member") =>
  post<{ code?: string }>(`${api}/members`, { name, role }, pair);

export const remove = ({ api }: PrivateRoom, { pair }: Holder, name: string) =>
  call<{ removed?: boolean; code?: string }>(
    "DELETE",
    `${api}/members/${encodeURIComponent(name)}`,
    undefined,
    pair,
  );

export const sayIn = ({ api }: PrivateRoom, { name, pair }: Holder, body: string, headers = {}) =>
  post<{ code?: string; n: number; ts: string; mentions?: { notified: boolean }[] }>(
    `${api}/posts`,
    { name, body },
    { ...pair, ...headers },
  );

/** Claims a name and makes it a member. */
export async function newMember(
  url: string,
  room: PrivateRoom,
  host: Holder,
  name: string,
  role = "member",
): Promise<Holder> {
  const holder = await claim(url, name);
  await admitName(room, host, name, role);
  return holder;
}

interface Open {
  url: string;
  room: PrivateRoom;
  who: Holder;
}

/** How a call ended: the status and the code of its answer. */
const answered = async (answer: Promise<{ status: number; body: { code?: string } }>): Promise<string> => {
  const { status, body } = await answer;
  return `${status} ${body.code}`;
};

/** How a tool ended. */
const returned = async (answer: Promise<{ body: { result?: ToolAnswer } }>): Promise<string> => {
  const { result } = (await answer).body;
  return codeOf(result!) ?? wordsOf(result!);
};

/** Resolves when a stream has ended. Its events are no part of that. */
const closed = async (stream: EventReader): Promise<string> => {
  for (;;) if ((await stream.next()) === null) return "closed";
};

const tool =
  (name: string, args: object, path = (_slug: string) => "/mcp") =>
  async ({ url, room, who }: Open): Promise<Promise<string>[]> => [
    returned(
      askModern<ToolAnswer>(
        url + path(room.slug),
        "tools/call",
        { name, arguments: { room: room.slug, wait_seconds: 50, ...args } },
        who.pair,
      ),
    ),
  ];

const wait =
  (query: (slug: string) => string) =>
  async ({ url, room, who }: Open): Promise<Promise<string>[]> => [
    answered(get(`${url}/api/wait?${query(room.slug)}&wait_seconds=50`, who.pair)),
  ];

/** Everything that is open for long, with how it ends for a former member. Each returns the promise of its end, in an array. */
export const long_lived: Record<string, [ends: string, open: (open: Open) => Promise<Promise<string>[]>]> = {
  // They post, which would end the waits of the others.
  meet_ask: [
    "room_not_found",
    (open) =>
      tool(
        "meet_ask",
        { name: open.who.name, question: "And?", room: undefined },
        (slug) => `/mcp/meet/${slug}`,
      )(open),
  ],
  meet_speak: [
    "room_not_found",
    (open) => tool("meet_speak", { name: open.who.name, body: "And?", quiet: true })(open),
  ],
  stream: ["closed", async ({ room, who }) => [closed(await readEvents(`${room.api}/stream`, who.pair))]],
  "long read": [
    "404 room_not_found",
    async ({ room, who }) => [answered(get(`${room.api}?since=2&wait_seconds=50`, who.pair))],
  ],
  "long read without own posts": [
    "404 room_not_found",
    async ({ room, who }) => [answered(get(`${room.api}?since=2&wait_seconds=50&not_by=x`, who.pair))],
  ],
  wait: ["404 room_not_found", wait((slug) => `room=${slug}:now`)],
  "wait for leases": ["404 room_not_found", wait((slug) => `leases=${slug}:now`)],
  "wait for much": ["404 room_not_found", wait((slug) => `room=${slug}&mailbox=now&jobs=now&rooms=now`)],
  "place in line": [
    "404 room_not_found",
    async ({ room, who }) => [answered(take(room, who, "src", { wait_seconds: 50 }))],
  ],
  meet_read: ["room_not_found", tool("meet_read", { since: 2 })],
  wait_tool: [
    "room_not_found",
    ({ url, room, who }) =>
      tool("wait", { room: undefined, rooms: { [room.slug]: "now" } })({ url, room, who }),
  ],
  lease_take: ["room_not_found", tool("lease_take", { paths: ["src"], ttl_seconds: 60 })],
  "tool in a session": [
    "room_not_found",
    async ({ url, room, who }) => {
      const session = await beginSession(`${url}/mcp`);
      const args = { room: room.slug, since: 2, wait_seconds: 50 };
      const body = JSON.stringify(message("tools/call", { name: "meet_read", arguments: args }));
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
        ...who.pair,
      };
      const response = fetch(`${url}/mcp`, { method: "POST", headers, body });
      const answer = response.then(async (stream) => {
        const [, data] = /^data: (\{.*)$/m.exec(await stream.text())!;
        return { body: JSON.parse(data!) as { result?: ToolAnswer } };
      });
      return [returned(answer)];
    },
  ],
  subscription: [
    "closed",
    async ({ url, room, who }) => {
      const uri = `meet://room/${room.slug}`;
      const { headers, body } = modern("subscriptions/listen", following([uri]), "a");
      const stream = await readEvents(`${url}/mcp`, { ...headers, ...who.pair }, JSON.stringify(body));
      const acknowledged = (await stream.next())!.data as {
        params: { notifications: { resourceSubscriptions?: string[] } };
      };
      if (!acknowledged.params.notifications.resourceSubscriptions?.includes(uri)) return [];
      return [closed(stream)];
    },
  ],
};

/** Opens each thing as a member of its own; the host holds the path that some are in line for. Resolves when all are open. */
export async function openAll(
  url: string,
  room: PrivateRoom,
  host: Holder,
  prefix: string,
): Promise<{ kind: string; who: Holder; end: Promise<string>; expected: string }[]> {
  const here = at(room, url);
  await take(here, host, "src", { ttl_seconds: 3_600 });
  const all = [];
  for (const [i, [kind, [expected, open]]] of Object.entries(long_lived).entries()) {
    const who = await newMember(url, here, host, `${prefix} ${i}`);
    const [end] = await open({ url, room: here, who });
    if (!end) throw new Error(`${kind} did not open`);
    let early = "";
    void end.then((ended) => (early = ended));
    while (!(await isWaiting(url, who))) {
      if (early) throw new Error(`${kind} ended: ${early}`);
      await Bun.sleep(2);
    }
    all.push({ kind, who, end, expected });
  }
  return all;
}

export const isWaiting = async (url: string, { name }: Holder): Promise<boolean> =>
  (await get<NameLookup>(`${url}/api/name/${encodeURIComponent(name)}`)).body.waiting;

const racers = 64;

/**
 * A member speaks as often as it can while it is removed; it holds a lease, so the removal has a place in the order of the room's
 * events. Expects no post of it after that, and none that was accepted to be missing. `apiOf`: the room at the node of call `i`.
 */
export async function expectSilence(
  urlOf: (i: number) => string,
  room: PrivateRoom,
  host: Holder,
  round: number,
): Promise<void> {
  const who = await newMember(urlOf(0), at(room, urlOf(0)), host, `speaker ${round}`);
  await take(at(room, urlOf(0)), who, `speech/${round}`);
  const speak = (i: number) => repeatedWhileBusy(() => sayIn(at(room, urlOf(i)), who, `${round} ${i}`));
  const before = Array.from({ length: racers / 2 }, (_, i) => speak(i));
  const removing = repeatedWhileBusy(() => remove(at(room, urlOf(round)), host, who.name));
  const beside = Array.from({ length: racers / 2 }, (_, i) => speak(i));
  expect((await removing).body).toEqual({ removed: true });
  const after = await Promise.all([speak(round), speak(round + 1)]);
  expect(after.map(({ status, body }) => [status, body.code])).toEqual([
    [404, "room_not_found"],
    [404, "room_not_found"],
  ]);
  const answers = await Promise.all([...before, ...beside]);
  const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.n);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ body }) => body.code ?? ""))).toEqual(
    new Set(refused.length > 0 ? ["room_not_found"] : []),
  );
  const wait = `${urlOf(round)}/api/wait?leases=${room.slug}:1970-01-01T00:00:00.000Z`;
  const { cursors } = (await get<{ cursors: { leases: Record<string, string> } }>(wait, host.pair)).body;
  const removed_at = cursors.leases[room.slug]!;
  const posts = await postsBy(at(room, urlOf(round)), host, who.name);
  expect(posts.map(({ n }) => n).sort((a, b) => a - b)).toEqual(accepted.sort((a, b) => a - b));
  expect(posts.filter(({ ts }) => ts >= removed_at)).toEqual([]);
}

async function postsBy(
  { api }: PrivateRoom,
  { pair }: Holder,
  name: string,
): Promise<{ n: number; ts: string }[]> {
  const found: { n: number; ts: string }[] = [];
  for (let since = 0; ;) {
    interface Page {
      posts: { n: number; ts: string; name: string }[];
      more: boolean;
      next_n: number;
    }
    const { posts, more } = (await get<Page>(`${api}?since=${since}&limit=500`, pair)).body;
    found.push(...posts.filter((post) => post.name === name));
    if (!more) return found;
    since = posts.at(-1)!.n;
  }
}

/** Two hosts remove each other at the same time. Expects one of them to be left, and the other to be removed. */
export async function expectOneHostLeft(urlOf: (i: number) => string, round: number): Promise<void> {
  const [one, other] = await Promise.all([0, 1].map((i) => claim(urlOf(i), `pair ${round} ${i}`)));
  const room = await openPrivately(urlOf(round), one!);
  await admitName(room, one!, other!.name, "host");
  const answers = await Promise.all([
    repeatedWhileBusy(() => remove(at(room, urlOf(0)), one!, other!.name)),
    repeatedWhileBusy(() => remove(at(room, urlOf(1)), other!, one!.name)),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  const read = await Promise.all([one!, other!].map(({ pair }) => get(at(room, urlOf(round)).api, pair)));
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200, 404]));
}
