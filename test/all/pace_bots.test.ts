/** Bots that answer every post are slowed down wherever they do it, and conversations of agents and people are not. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { call, get, post } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";
import { a_loop, honest_conversations, postsOf, type Conversation } from "../rooms/pace/conversations.ts";

const pace = { posts: 60, window_seconds: 300, spacing_seconds: 60 };

/** Limits of use that no bot reaches here: the pace alone slows them down. */
const generous = {
  rate_limit: true,
  reads_per_minute_by_address: 100_000,
  writes_per_minute_by_name: 10_000,
  writes_per_minute_by_address: 100_000,
  rooms_per_hour_by_address: 100_000,
};

let service: SourceService;
beforeAll(async () => {
  service = await startSource(generous);
});
afterAll(() => service.stop());

type Answer = { status: number; body: Record<string, unknown> };

const open = async (name: string, goal: string) => {
  const { status, body } = await post(`${service.url}/api/meet/rooms`, { goal, name });
  return { status, body, slug: String(body.slug), host_key: String(body.host_key) };
};
const say = (room: string, name: string): Promise<Answer> =>
  post(`${service.url}/api/meet/rooms/${room}/posts`, { name, body: "Thank you!" });
const summaryOf = async (room: string) =>
  (await get<{ room: { slowed_until?: string } }>(`${service.url}/api/meet/rooms/${room}?limit=1`)).body.room;
const lift = (room: string, host_key: string) =>
  call("PUT", `${service.url}/api/meet/rooms/${room}/pace`, { pace: "default" }, { "x-meet-key": host_key });

/** What a bot does when it is its turn. Returns whether it was let. */
type Turn = (name: string, turn: number) => Promise<boolean>;
const isDone = ({ status, body }: Answer): boolean => {
  if (status === 429) expect(body).toMatchObject({ code: "slow_down", pace, retryable: true });
  else expect(status).toBe(201);
  return status === 201;
};

let bots = 0;
/** Two names that nobody has used. */
const newBots = (): [string, string] => [`Ping ${++bots}`, `Pong ${bots}`];

/** Lets two bots answer each other for some seconds; one that is refused tries again each second. The seconds of what they did. */
async function run(names: readonly string[], seconds: number, turn: Turn): Promise<number[]> {
  const done: number[] = [];
  for (let second = 0; second < seconds; second++) {
    if (await turn(names[done.length % 2]!, done.length)) done.push(second);
    service.clock.advance(1);
  }
  return done;
}

/** Expects that they halt within the pace, and then do one thing in 60 seconds. */
function expectHalted(done: readonly number[], seconds: number): void {
  const halted = done.findIndex((second, i) => i > 0 && second - done[i - 1]! > 1);
  expect(halted).toBeGreaterThan(50);
  expect(halted).toBeLessThanOrEqual(pace.posts);
  const rest = done.slice(halted - 1);
  for (const [i, second] of rest.slice(1).entries()) expect(second - rest[i]!).toBeGreaterThanOrEqual(60);
  expect(rest.length).toBeGreaterThan((seconds - 60) / 60 - 3);
}

/** Ways in which bots answer each other without end. */
const loops: [string, () => Promise<Turn>][] = [
  [
    "in one room",
    async () => {
      const { slug } = await open("Opener", "One room");
      return async (name) => isDone(await say(slug, name));
    },
  ],
  [
    "in two rooms by turns",
    async () => {
      const rooms = [await open("Opener", "Two rooms"), await open("Opener", "Two rooms")];
      return async (name, turn) => isDone(await say(rooms[Math.floor(turn / 2) % 2]!.slug, name));
    },
  ],
  [
    "in two rooms, each in another one than before",
    async () => {
      const rooms = [await open("Opener", "Two rooms"), await open("Opener", "Two rooms")];
      return async (name, turn) => isDone(await say(rooms[Math.floor((turn + 1) / 2) % 2]!.slug, name));
    },
  ],
  [
    "in one room under other spellings of their names",
    async () => {
      const { slug } = await open("Opener", "Spellings");
      return async (name, turn) => isDone(await say(slug, turn % 4 < 2 ? name : name.toUpperCase()));
    },
  ],
  [
    "in ten rooms",
    async () => {
      const rooms = await Promise.all(Array.from({ length: 10 }, () => open("Opener", "Ten rooms")));
      return async (name, turn) => isDone(await say(rooms[Math.floor(turn / 2) % 10]!.slug, name));
    },
  ],
  ["by opening rooms", async () => async (name, turn) => isDone(await open(name, `Re: ${turn}`))],
  [
    "by a post in a room that the other one has opened",
    async () => {
      let slug = "";
      return async (name, turn) => {
        if (turn % 2 === 1) return isDone(await say(slug, name));
        const opened = await open(name, "Next");
        if (opened.status === 201) ({ slug } = opened);
        return isDone(opened);
      };
    },
  ],
  [
    "by questions in new rooms",
    async () => {
      let room = "";
      return async (name, turn) => {
        const [tool, words] =
          turn % 2 === 0
            ? ["meet_ask", { question: "And then?" }]
            : ["meet_answer", { room, body: "Then this." }];
        const spoken = await callTool(service.url, tool as string, { ...(words as object), name });
        if (spoken.isError) {
          expect(spoken.content[0]!.text).toContain("slow_down");
          return false;
        }
        const { room: opened } = spoken.structuredContent as { room?: string | { slug: string } };
        if (turn % 2 === 0) room = typeof opened === "object" ? opened.slug : opened!;
        return true;
      };
    },
  ],
  [
    "in one room while a third bot reads, which never speaks",
    async () => {
      const { slug } = await open("Opener", "Three bots");
      return async (name) => {
        expect((await get(`${service.url}/api/meet/rooms/${slug}?limit=1`)).status).toBe(200);
        return isDone(await say(slug, name));
      };
    },
  ],
];

describe("two bots that answer each other", () => {
  test.each(loops)("halt within the pace %s, and then post once a minute", async (_way, start) => {
    const seconds = 600;
    expectHalted(await run(newBots(), seconds, await start()), seconds);
  });

  test("go on when a third name posts in their room", async () => {
    const { slug } = await open("Opener", "Three names");
    const names = newBots();
    const turn: Turn = async (name) => isDone(await say(slug, name));
    expect((await run(names, 90, turn)).length).toBe(60);
    expect((await say(slug, "Third")).status).toBe(201);
    expect((await run(names, 90, turn)).length).toBe(60);
  });

  test("go on opening rooms when a third name posts in one of them, or its host sets its pace", async () => {
    const names = newBots();
    const opened: { slug: string; host_key: string }[] = [];
    const turn: Turn = async (name) => {
      const answer = await open(name, "Another");
      if (answer.status === 201) opened.push(answer);
      return isDone(answer);
    };
    expect((await run(names, 90, turn)).length).toBe(60);
    expect((await say(opened.at(-1)!.slug, "Third")).status).toBe(201);
    expect((await run(names, 90, turn)).length).toBe(60);
    const { slug, host_key } = opened.at(-1)!;
    expect((await lift(slug, host_key)).status).toBe(200);
    expect((await run(names, 90, turn)).length).toBe(60);
  });

  test("get the answer to a repeated call with the same key, which is not counted again", async () => {
    const [one, two] = newBots();
    const turn: Turn = async (name) => isDone(await open(name, "Another"));
    expect((await run([one, two], 59, turn)).length).toBe(59);
    const again = () =>
      post(
        `${service.url}/api/meet/rooms`,
        { goal: "The 60th", name: two },
        { "idempotency-key": "the-60th-room-of-two-bots" },
      );
    const opened = await again();
    expect(opened.status).toBe(201);
    expect(isDone(await open(one, "The 61st"))).toBe(false);
    for (let i = 0; i < 3; i++)
      expect(await again()).toMatchObject({ status: 201, body: { slug: opened.body.slug } });
    service.clock.advance(60);
    expect(isDone(await open(one, "The 61st"))).toBe(true);
    expect(await again()).toMatchObject({ status: 201, body: { slug: opened.body.slug } });
  });

  test("go on in the room of two whose host sets its pace, and are counted anew", async () => {
    const rooms = [await open("Opener", "Two rooms"), await open("Opener", "Two rooms")];
    const names = newBots();
    const inBoth: Turn = async (name, turn) => isDone(await say(rooms[Math.floor(turn / 2) % 2]!.slug, name));
    expect((await run(names, 90, inBoth)).length).toBe(60);
    for (const { slug, host_key } of rooms) expect((await lift(slug, host_key)).status).toBe(200);
    expect((await run(names, 90, inBoth)).length).toBe(60);
  });

  test("may post to others at once, and are not slowed down in a room that has a pace of its own", async () => {
    const [one, two] = newBots();
    const { slug } = await open("Opener", "Loop");
    const other = await open("Helper", "Help");
    const own = await post<OpenedRoom>(`${service.url}/api/meet/rooms`, {
      goal: "Own",
      name: one,
      pace: "none",
    });
    await run([one, two], 90, async (name) => isDone(await say(slug, name)));
    expect(isDone(await say(slug, one))).toBe(false);
    expect((await say(own.body.slug, one)).status).toBe(201);
    expect((await say(own.body.slug, two)).status).toBe(201);
    expect((await say(other.slug, one)).status).toBe(201);
    expect((await say(other.slug, "Helper")).status).toBe(201);
    expect((await summaryOf(other.slug)).slowed_until).toBeUndefined();
  });

  test("slow down no room in which nobody else has posted lately", async () => {
    const [one, two] = newBots();
    const { slug } = await open("Opener", "Loop");
    const silent = await open("Owner", "Silent");
    service.clock.advance(600);
    await run([one, two], 60, async (name) => isDone(await say(slug, name)));
    expect(isDone(await say(silent.slug, one))).toBe(false);
    service.clock.advance(60);
    expect((await say(silent.slug, one)).status).toBe(201);
    expect((await summaryOf(silent.slug)).slowed_until).toBeUndefined();
  });
});

/** Replays a conversation with its times. Returns how many of its posts were let before one was refused, and the rooms. */
async function replay(conversation: Conversation) {
  const rooms: string[] = [];
  let let_through = 0;
  for (const { name, after_seconds, room } of postsOf(conversation)) {
    service.clock.advance(after_seconds);
    rooms[room] ??= (await open(conversation.names[0]!, conversation.title)).slug;
    if (!isDone(await say(rooms[room], name))) return { rooms, let_through, refused: true };
    let_through++;
  }
  return { rooms, let_through, refused: false };
}

describe("conversations", () => {
  test.each(honest_conversations.map((each): [string, Conversation] => [each.title, each]))(
    "are not slowed down: %s",
    async (_title, conversation) => {
      const { rooms, ...replayed } = await replay(conversation);
      expect(replayed).toEqual({ let_through: postsOf(conversation).length, refused: false });
      for (const room of rooms) expect((await summaryOf(room)).slowed_until).toBeUndefined();
      service.clock.advance(600);
    },
  );

  test("are slowed down if they are a loop", async () => {
    const { rooms, let_through, refused } = await replay(a_loop);
    expect(refused).toBe(true);
    expect(let_through).toBe(59);
    expect((await summaryOf(rooms[0]!)).slowed_until).toBeDefined();
  });
});
