/**
 * Scenes of an agent's first hour, each over HTTP, over MCP and in the shell: an invitation that was folded into a later note, a wait of
 * 280 seconds, a toss that the other side words differently, and a search for a room that is closed.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post } from "../support/http.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { newShell, type Shell } from "../support/shell.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, wordsOf } from "../support/tools.ts";

/** One way to call the service, as the agent `invited`. Each function resolves to the text that the agent reads. */
interface Way {
  inbox(): Promise<string>;
  search(words: string): Promise<string>;
  /** Posts a question and waits up to 280 seconds for an answer. */
  askAndWait(room: string, question: string): Promise<string>;
  /** For how many seconds one call of `askAndWait` is held; null if it follows the stream of the room. */
  held_seconds: number | null;
  /** Reads a toss by its line. */
  toss(line: string): Promise<string>;
}

const overHttp = ({ url }: SourceService, { pair, name }: Holder): Way => {
  const read = async (path: string) => JSON.stringify((await get(url + path, pair)).body);
  const rooms = `${url}/api/meet/rooms`;
  return {
    inbox: () => read("/api/mailbox?fields=lean"),
    search: (words) => read(`/api/meet/rooms?q=${encodeURIComponent(words)}`),
    async askAndWait(room, body) {
      const { n } = (await post<{ n: number }>(`${rooms}/${room}/posts`, { name, body }, pair)).body;
      return read(`/api/meet/rooms/${room}?since=${n}&wait_seconds=280`);
    },
    held_seconds: 280,
    toss: (line) => read(`/api/beacon/toss?${new URLSearchParams({ toss: line, fields: "lean" })}`),
  };
};

const overMcp = ({ url }: SourceService, { pair, name }: Holder): Way => {
  const call = (tool: string, args: object) => callTool(url, tool, args, pair);
  const words = async (tool: string, args: object) => wordsOf(await call(tool, args));
  return {
    inbox: () => words("mailbox_read", {}),
    search: (query) => words("meet_rooms", { query }),
    async askAndWait(room, body) {
      let heard = await call("meet_speak", { room, name, body, wait_seconds: 280 });
      for (;;) {
        const { next_since, waited_seconds } = heard.structuredContent as {
          next_since: string;
          waited_seconds?: number;
        };
        if (waited_seconds === undefined) return wordsOf(heard);
        expect([waited_seconds, wordsOf(heard)]).toEqual([50, expect.stringContaining("waited_seconds: 50")]);
        heard = await call("meet_read", { room, since: next_since, wait_seconds: 280 });
      }
    },
    held_seconds: 50,
    toss: (toss) => words("beacon", { toss }),
  };
};

const inShell = (shell: Shell): Way => {
  const printed = async (...args: string[]) => {
    const ended = await shell.run(...args);
    expect([args[0], ended.errors, ended.status]).toEqual([args[0], expect.any(String), 0]);
    return ended.printed;
  };
  return {
    inbox: () => printed("inbox"),
    search: (words) => printed("rooms", "--search", words),
    askAndWait: (room, question) => printed("say", room, question, "--wait", "280"),
    held_seconds: null,
    toss: (line) => printed("beacon", "toss", line),
  };
};

describe.each(["HTTP", "MCP", "the shell"])("an agent over %s", (kind) => {
  let service: SourceService;
  let shell: Shell;
  let rooms: string;
  let way: Way;

  const open = async (goal: string) =>
    (await post<{ slug: string; host_key: string }>(rooms, { goal, name: "Eve" })).body;
  const say = (room: string, body: string) => post(`${rooms}/${room}/posts`, { name: "Eve", body });
  const untilPosted = (room: string) =>
    get(`${rooms}/${room}?since=0&wait_seconds=50`).then(({ body }) =>
      expect(body).toMatchObject({ posts: [{ n: 1 }] }),
    );

  beforeAll(async () => {
    service = await startSource();
    rooms = `${service.url}/api/meet/rooms`;
    shell = newShell(service.url);
    if (kind === "the shell") {
      expect(await shell.run("name", "claim", "invited")).toMatchObject({ errors: "", status: 0 });
      way = inShell(shell);
      return;
    }
    const agent = await claim(service.url, "invited");
    way = (kind === "HTTP" ? overHttp : overMcp)(service, holder(agent.name, agent.key));
  });
  afterAll(async () => {
    await service.stop();
    shell.remove();
  });

  test("finds the invitation in a note into which later posts were folded", async () => {
    const { slug } = await open("Plan the release");
    await say(slug, "Nothing for anybody.");
    await say(slug, "@invited, will you write the notes?");
    for (let n = 3; n < 8; n++) await say(slug, `Draft ${n} mentions @invited.`);
    const inbox = await way.inbox();
    expect(inbox).toMatch(/mentioned.in\D+2\D{1,2}3\D{1,2}4\D{1,2}5\D{1,2}6\D{1,2}7\b/);
  });

  test("hears an answer that comes after 200 of the 280 seconds that it waits", async () => {
    const { slug } = await open("Wait long");
    const heard = way.askAndWait(slug, "Who knows?");
    const { held_seconds } = way;
    for (let waited = 0; waited < 200; waited += held_seconds ?? 200) {
      if (held_seconds === null) await untilPosted(slug);
      else await service.clock.timerAt(held_seconds);
      service.clock.advance(Math.min(held_seconds ?? 200, 200));
    }
    await say(slug, "I do, after a while.");
    expect(await heard).toContain("I do, after a while.");
  });

  test("has the coin of the other side, although that side names tails first and with other white space", async () => {
    const past = Math.floor(service.clock.now() / 60_000) - 2;
    const line = `toss ${past}: Who begins?; heads: Ada; tails: Bob`;
    const proposed = await get<{ value: { coin: string }; means: string; toss: string }>(
      `${service.url}/api/beacon/toss?${new URLSearchParams({ toss: line })}`,
    );
    const { value, means, toss } = proposed.body;
    const read = await way.toss(`toss ${past}: Who  begins? ; tails: Bob; heads: Ada`);
    expect(read).toContain(toss);
    expect(read).toContain(value.coin);
    expect(means).toBe(value.coin === "heads" ? "Ada" : "Bob");
    expect(read).toContain(means);
  });

  test("finds a closed room by its last word, with the post and the words around it", async () => {
    const { slug, host_key } = await open("How do we name things?");
    await say(slug, "By what they are for.");
    const last = { last_word: "We agreed on kumquats.", name: "Eve" };
    expect((await post(`${rooms}/${slug}/close`, last, { "x-meet-key": host_key })).status).toBe(200);
    const found = await way.search("kumquats");
    for (const part of [slug, "closed", "We agreed on kumquats."]) expect(found).toContain(part);
    expect(found).toMatch(/#2|"n":2/);
  });
});
