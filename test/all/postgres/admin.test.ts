/** What admins do at one node of a database, or from the command line, is in force at the other nodes when it is answered. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { binary } from "../../support/binary.ts";
import { FakeClock } from "../../support/clock.ts";
import { get, post } from "../../support/http.ts";
import { ask, beginSession } from "../../support/mcp_messages.ts";
import {
  any,
  by_room,
  by_text,
  following,
  names,
  onPost,
  onRoom,
  prepare,
  showing,
  type Prepared,
} from "../../support/moderation.ts";
import { claim } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { ways_to_read } from "../../support/readings.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  startSource,
  type SourceService,
} from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";

/** The same place at another node. */
const at = (url: string, place: Prepared): Prepared => {
  const api = place.api.replace(/^http:\/\/[^/]+/, url);
  return { ...place, url, api, room: { ...place.room, api } };
};

describe.skipIf(lacks_postgres)("at the other nodes", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describe("a post or a room", () => {
    let acting: SourceService;
    let reading: SourceService;
    beforeAll(async () => {
      const clock = new FakeClock();
      const database = `${server.url}?schema=moderated`;
      acting = await startSource({ database, database_connections: 5 }, clock, 1);
      reading = await startSource({ database, database_connections: 5 }, clock, 2);
    });
    afterAll(async () => {
      await acting.stop();
      await reading.stop();
    });

    test("is hidden, shown again and erased in every way to read it, from caches, too", async () => {
      const place = await prepare(acting);
      const there = at(reading.url, place);
      expect(await showing(there)).toEqual(names(any));
      const open = await following(reading, there);
      await onPost(acting, "hide", place);
      expect(await showing(there, by_text)).toEqual([]);
      expect(await showing(there, by_room)).toEqual(names(by_room));
      expect(await open.stream.next()).toMatchObject({ event: "redacted", data: { id: place.id } });
      await open.notified();
      await onPost(acting, "restore", place);
      expect(await showing(there)).toEqual(names(any));
      await onPost(acting, "erase", place);
      expect(await showing(there, by_text)).toEqual([]);
      await open.speak();
      await open.close();
    });

    test("is deleted in every way, and its streams and waits end", async () => {
      const place = await prepare(acting);
      const there = at(reading.url, place);
      expect(await showing(there)).toEqual(names(any));
      const open = await following(reading, there);
      await onRoom(acting, "delete", place);
      for (const way of ways_to_read) {
        const { text } = await way.read(there);
        expect([way.name, way.kind !== "search" && text.includes(place.word)]).toEqual([way.name, false]);
      }
      expect(await open.stream.next()).toBeNull();
      await open.allEnded();
      for (const { text } of Object.values(open.ended)) expect(text).toContain("room_deleted");
      await open.close();
    });
  });

  describe("with the real clock", () => {
    type Node = Awaited<ReturnType<typeof startBinary>>;
    let acting: Node;
    let reading: Node;
    let directory: string;
    beforeAll(async () => {
      directory = newDirectory();
      acting = await startBinary({ database: server.url });
      reading = await startBinary({ database: server.url });
    });
    afterAll(async () => {
      await acting.stop();
      await reading.stop();
      removeDirectory(directory);
    });

    /** Runs a command of the program, whose data directory is nobody's. */
    async function run(...args: string[]): Promise<string> {
      const child = Bun.spawn([binary(), ...args, "--data-dir", directory], {
        env: { ...process.env, WHARF_DATABASE: server.url },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [output, errors] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, errors]).toEqual([0, ""]);
      return output;
    }

    test("a network is banned, and its streams end; the ban is lifted", async () => {
      const headers = { "x-forwarded-for": "203.0.113.9" };
      const room = await post<{ slug: string }>(`${reading.url}/api/meet/rooms`, {
        goal: "Ban",
        name: "Eve",
      });
      const api = `${reading.url}/api/meet/rooms/${room.body.slug}`;
      for (let i = 0; i < 5; i++) {
        const stream = await readEvents(`${api}/stream`, headers);
        const network = { network: "203.0.113.0/24", reason: "floods" };
        await asOwner(acting, "POST", "/api/admin/bans", network);
        expect((await get(api, headers)).status).toBe(403);
        expect(await stream.next()).toBeNull();
        await asOwner(acting, "POST", "/api/admin/bans/lift", network);
        expect((await get(api, headers)).status).toBe(200);
      }
    });

    test("a token opens nothing once it is revoked", async () => {
      const made = await asOwner<{ token: string; id: string }>(acting, "POST", "/api/admin/tokens", {
        label: "short",
        scope: "moderate",
      });
      const headers = { authorization: `Bearer ${made.body.token}` };
      const audit = async () => (await get(`${reading.url}/api/admin/audit`, headers)).status;
      expect(await audit()).toBe(200);
      await asOwner(acting, "POST", `/api/admin/tokens/${made.body.id}/revoke`, { reason: "leaked" });
      expect(await audit()).toBe(401);
    });

    test("a suspended name's key opens nothing, and its waits end", async () => {
      const eve = await claim(reading.url, "noisy-eve");
      const mailbox = `${reading.url}/api/mailbox`;
      expect((await get(mailbox, eve.pair)).status).toBe(200);
      const stream = await readEvents(`${mailbox}/stream`, eve.pair);
      await asOwner(acting, "POST", "/api/admin/names/noisy-eve/suspend", { reason: "spam" });
      expect((await get(mailbox, eve.pair)).status).toBe(403);
      expect(await stream.next()).toBeNull();
    });

    test("commands of the command line are in force, too: hide, delete-room, ban, keys rotate", async () => {
      const name = await claim(reading.url, "cli-eve");
      const opened = await post<{ slug: string }>(`${reading.url}/api/meet/rooms`, {
        goal: "Commands",
        name: "Ada",
      });
      const { slug } = opened.body;
      const api = `${reading.url}/api/meet/rooms/${slug}`;
      const word = "quokka";
      const spoken = await post<{ id: string }>(`${api}/posts`, { name: "Bob", body: `The ${word}.` });
      const session = await beginSession(`${reading.url}/mcp`);
      const read = async () =>
        Promise.all([
          fetch(`${reading.url}/meet/r/${slug}`).then((answer) => answer.text()),
          fetch(api).then((answer) => answer.text()),
          fetch(`${api}/feed.atom`).then((answer) => answer.text()),
          ask(`${reading.url}/mcp`, "resources/read", { uri: `meet://room/${slug}` }, session).then(
            (answer) => JSON.stringify(answer.body),
          ),
        ]);
      for (const text of await read()) expect(text).toContain(word);
      await run("admin", "hide", spoken.body.id, "--reason", "x");
      for (const text of await read()) expect(text).not.toContain(word);
      await run("admin", "restore", spoken.body.id, "--reason", "x");
      for (const text of await read()) expect(text).toContain(word);
      await run("admin", "delete-room", slug, "--reason", "x");
      for (const text of await read()) expect(text).not.toContain(word);
      await run("admin", "ban", "cli-eve", "--reason", "x");
      expect((await get(`${reading.url}/api/mailbox`, name.pair)).status).toBe(403);
      const keys = async () =>
        (await get<{ keys: { kid: string }[] }>(`${reading.url}/.well-known/jwks.json`)).body.keys;
      const [before] = await keys();
      const kid = /signed with (\S+) from/.exec(await run("keys", "rotate"))![1]!;
      expect((await keys()).map((key) => key.kid)).toEqual([kid, before!.kid]);
    });
  });
});
