/** Redaction: the text is removed from every file, and the remaining data does not help to guess it. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenedRoom, Post, RoomList, RoomRead } from "../../src/api/rooms/rooms.ts";
import { filesIn } from "../support/directories.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { lacks_binary } from "../support/binary.ts";
import { moveToEngine } from "../support/moved.ts";
import { is_on_postgres, testOfSqlite } from "../support/postgres.ts";
import { isStoredIn, storedTexts } from "../support/stored.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  startSource,
  type SourceService,
  type TestService,
} from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { callTool } from "../support/tools.ts";
import { clockAfter, fixtureDatabase, fixtureOf, placeFixture } from "../support/fixtures.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const salt_form = /^[0-9a-f]{32}$/;

interface Room {
  api: string;
  url: string;
  slug: string;
  key: { "x-meet-key": string };
}
async function openRoom(url: string, goal: string): Promise<Room> {
  const { body } = await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal, name: "Host" });
  return { api: body.api, url: body.url, slug: body.slug, key: { "x-meet-key": body.host_key! } };
}
const say = async (room: Room, body: string): Promise<Post> =>
  (await post<Post>(`${room.api}/posts`, { name: "Ada", body })).body;
const redact = async (room: Room, { id }: Post): Promise<Post> =>
  (await call<Post>("DELETE", `${room.api}/posts/${id}`, undefined, room.key)).body;
const read = async (room: Room, query = ""): Promise<Post[]> =>
  (await get<RoomRead>(room.api + query)).body.posts;
const exported = async (room: Room): Promise<Post[]> =>
  (await send("GET", `${room.api}/export.jsonl`)).body
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as Post);

describe("a salt", () => {
  let service: TestService;
  let room: Room;
  beforeAll(async () => {
    service = await startSource();
    room = await openRoom(service.url, "Salts");
  });
  afterAll(() => service.stop());

  test("is unique, and is returned to the author with the post and with a repetition of it", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const speak = () => post<Post>(`${room.api}/posts`, { name: "Ada", body: "Mine." }, headers);
    const [first, again, other] = [await speak(), await speak(), await say(room, "Mine.")];
    expect(first.body.salt).toMatch(salt_form);
    expect(again.body).toEqual(first.body);
    expect(other.salt).toMatch(salt_form);
    expect(other.salt).not.toBe(first.body.salt);
  });

  test("is returned by a tool that posts, in both forms of the result", async () => {
    const calls: [string, object][] = [
      ["meet_speak", { room: room.slug, body: "By a tool." }],
      ["meet_answer", { room: room.slug, body: "By a tool." }],
      ["meet_ask", { question: "By a tool?" }],
    ];
    for (const [tool, args] of calls) {
      const { structuredContent, content } = await callTool(service.url, tool, { name: "Ada", ...args });
      const { salt } = structuredContent as { salt: string };
      expect([tool, salt]).toEqual([tool, expect.stringMatching(salt_form)]);
      expect(content[0]!.text).toContain(`salt: ${salt}`);
    }
  });

  test("is returned with proof=1 and in exports, and nowhere else", async () => {
    const [before_it, said] = [await say(room, "Before it."), await say(room, "Show it.")];
    expect((await read(room, "?proof=1")).slice(-2)).toEqual([before_it, said]);
    expect(await read(room, `?proof=1&since=${before_it.id}`)).toEqual([said]);
    expect(await read(room, `?proof=1&since=${before_it.id}&wait_seconds=5`)).toEqual([said]);
    expect((await exported(room)).at(-1)).toMatchObject(said);
    const markdown = await send("GET", `${room.api}.md?proof=1`);
    expect(markdown.body).toContain(`salt ${said.salt}`);
    for (const path of [
      room.api,
      `${room.api}?proof=0`,
      `${room.api}.md`,
      room.url,
      `${room.api}/feed.json`,
    ]) {
      expect((await send("GET", path)).body).not.toContain(said.salt!);
    }
    const by_tool = await callTool(service.url, "meet_read", { room: room.slug });
    expect(JSON.stringify(by_tool)).not.toContain(said.salt!);
  });

  test("proves what a redacted post said, and is destroyed with it", async () => {
    const said = await say(room, "The code is 4711.");
    const stream = await readEvents(`${room.api}/stream`);
    const gone = await redact(room, said);
    const { salt, ...rest } = said;
    expect(gone).toEqual({
      ...rest,
      body: null,
      redacted: "host",
      redacted_at: expect.any(String),
      commitment: sha256(`${salt}:The code is 4711.`),
    });
    expect(await stream.next()).toMatchObject({ event: "redacted", data: gone });
    await stream.close();
    expect(await redact(room, said)).toEqual(gone);
    expect((await read(room, "?proof=1")).at(-1)).toEqual(gone);
    expect((await exported(room)).at(-1)).toMatchObject(gone);
    const plain = sha256("The code is 4711.");
    for (const path of [
      room.api,
      `${room.api}.md`,
      room.url,
      `${room.api}/feed.json`,
      `${room.api}/feed.atom`,
    ]) {
      const { body } = await send("GET", path);
      expect([path, body.includes(gone.commitment!)]).toEqual([path, true]);
      for (const text of [plain, salt!, "code is 4711"])
        expect([path, body.includes(text)]).toEqual([path, false]);
    }
    const by_tool = JSON.stringify(await callTool(service.url, "meet_read", { room: room.slug }));
    expect(by_tool.split(gone.commitment!)).toHaveLength(3);
  });

  test("is left out of the answer to a repetition after the redaction", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const speak = () => post<Post>(`${room.api}/posts`, { name: "Ada", body: "Regretted." }, headers);
    const first = await speak();
    await redact(room, first.body);
    const again = await speak();
    expect([again.status, again.body.id, again.body.salt]).toEqual([201, first.body.id, undefined]);
  });
});

describe.skipIf(lacks_binary)("no file holds a redacted text", () => {
  /** Words that no other text of these tests has; the index stores them in lower case. */
  const short = "hunterzwei";
  const long = Array.from({ length: 300 }, (_, i) => `zebrawort${i}`).join(" ");

  let data_dir: string;
  beforeEach(() => {
    data_dir = newDirectory();
  });

  /**
   * The files that contain one of these texts, or whether a row of Postgres does. The `-shm` file contains none, and is not opened: closing it would release the
   * locks that a database of this process has on it (POSIX, fcntl).
   */
  async function holding(texts: string[]): Promise<string[]> {
    const isIn = (bytes: Buffer) => texts.some((text) => isStoredIn(bytes, text));
    if (is_on_postgres) return (await storedTexts(data_dir)).some(isIn) ? ["a row"] : [];
    return filesIn(data_dir).filter(
      (file) => !file.endsWith("-shm") && isIn(readFileSync(join(data_dir, file))),
    );
  }
  /** Resolves when no file contains these texts: after the writer's next idle time. */
  async function untilGone(texts: string[]): Promise<void> {
    while ((await holding(texts)).length > 0) await Bun.sleep(10);
  }

  async function fill(url: string): Promise<{ room: Room; secrets: Post[] }> {
    const room = await openRoom(url, "What is written");
    const secrets: Post[] = [];
    for (let i = 0; i < 300; i++) {
      await say(room, `An ordinary post, number ${i}, with words that many have.`);
      if (i === 100) secrets.push(await say(room, `My password is ${short}.`));
      if (i === 200) secrets.push(await say(room, long));
    }
    /** Whether it is indexed. A search may be refused while the search thread starts. */
    const isFound = async (q: string) => {
      const { status, body } = await get<RoomList>(`${url}/api/meet/rooms?q=${q}`);
      expect(status).toBeOneOf([200, 503]);
      return status === 200 && body.rooms.length > 0;
    };
    while (!(await isFound(short)) || !(await isFound("zebrawort299"))) await Bun.sleep(10);
    return { room, secrets };
  }
  const texts = (secrets: Post[]) => [
    short,
    "unterzwei",
    "zebrawort",
    "brawort29",
    ...secrets.map(({ salt }) => salt!),
  ];

  test("removes it from the database, the index and the log while the service runs", async () => {
    const service = await startBinary({ data_dir });
    const { room, secrets } = await fill(service.url);
    for (const text of texts(secrets))
      expect([text, (await holding([text])).length > 0]).toEqual([text, true]);
    const gone = [await redact(room, secrets[0]!), await redact(room, secrets[1]!)];
    await untilGone(texts(secrets));
    for (const { commitment } of gone) expect(await holding([commitment!])).not.toEqual([]);
    expect((await get<RoomList>(`${service.url}/api/meet/rooms?q=ordinary`)).body.rooms).toHaveLength(1);
    await service.stop();
    expect(await holding(texts(secrets))).toEqual([]);
    if (!is_on_postgres) {
      const database = new Database(join(data_dir, "wharf.db"));
      database.run("INSERT INTO search (search) VALUES ('integrity-check')");
      expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      database.close();
    }
    removeDirectory(data_dir);
  });

  test("removes it after the process was killed before it emptied the log", async () => {
    let service = await startBinary({ data_dir });
    const { room, secrets } = await fill(service.url);
    await redact(room, secrets[0]!);
    service.process.kill("SIGKILL");
    await service.process.exited;
    service = await startBinary({ data_dir });
    await untilGone([short, secrets[0]!.salt!]);
    await service.stop();
    removeDirectory(data_dir);
  });

  testOfSqlite(
    "removes it when another process has finished reading the database",
    "it is about the log of SQLite",
    async () => {
      const service = await startBinary({ data_dir });
      const { room, secrets } = await fill(service.url);
      const outside = new Database(join(data_dir, "wharf.db"));
      outside.run("BEGIN");
      outside.query("SELECT COUNT(*) FROM posts").get();
      await redact(room, secrets[0]!);
      expect((await say(room, "Writing goes on.")).id).toBeString();
      expect(await holding([short])).not.toEqual([]);
      outside.run("COMMIT");
      outside.close();
      await untilGone([short, secrets[0]!.salt!]);
      await service.stop();
      removeDirectory(data_dir);
    },
  );
});

describe("posts of a release without salts", () => {
  const fixture = fixtureOf(9);
  const directory = newDirectory();
  let service: SourceService;
  let api: string;
  beforeAll(async () => {
    placeFixture(9, directory);
    await moveToEngine(directory);
    service = await startSource({ data_dir: directory }, clockAfter(fixture));
    api = `${service.url}/api/meet/rooms/${fixture.rooms.open}`;
  });
  afterAll(async () => {
    await service.stop();
    removeDirectory(directory);
  });

  test("have no salt, and get a commitment that cannot be guessed when they are redacted", async () => {
    const { body } = await get<RoomRead>(`${api}?proof=1`);
    expect(body.posts[0]).toMatchObject({ id: fixture.posts.first.id, body: "By what they are for." });
    expect(body.posts[0]!.salt).toBeUndefined();
    const key = { "x-wf-name": "ada", "x-wf-key": fixture.claimed.ada.key };
    const url = `${api}/posts/${fixture.posts.first.id}`;
    const { body: gone } = await call<Post>("DELETE", url, undefined, key);
    expect(gone.commitment).toMatch(/^[0-9a-f]{64}$/);
    for (const guess of ["By what they are for.", ":By what they are for.", "null:By what they are for."]) {
      expect(gone.commitment).not.toBe(sha256(guess));
    }
  });

  test("lose the plain hash that their tombstones had", async () => {
    const { body } = await get<RoomRead>(api);
    const tombstone = body.posts.find(({ id }) => id === fixture.posts.redacted)!;
    expect(tombstone).toMatchObject({ body: null, redacted: "author", redacted_at: expect.any(String) });
    expect(Object.keys(tombstone)).not.toContain("sha256");
    expect(Object.keys(tombstone)).not.toContain("commitment");
    const hash = sha256("The code is 4711.");
    // The file before the upgrade had it, and so has its copy.
    expect(fixtureDatabase(9).includes(hash)).toBe(true);
    await service.stop();
    for (const file of filesIn(directory)) {
      if (file === "wharf.db.before-09") continue;
      expect([file, readFileSync(join(directory, file)).includes(hash)]).toEqual([file, false]);
    }
    service = await startSource({ data_dir: directory }, service.clock);
  });

  test("are found by a search again", async () => {
    const { url } = service;
    const found = async () => (await get<RoomList>(`${url}/api/meet/rooms?q=العربية`)).body.rooms;
    while ((await found()).length === 0) await Bun.sleep(10);
    expect((await found()).map(({ slug }) => slug)).toEqual([fixture.rooms.open]);
  });
});

test("adds a commitment if the claimed author redacts the post", async () => {
  const service = await startSource();
  const ada = await claim(service.url, "Ada");
  const room = await openRoom(service.url, "Hers");
  const said = await post<Post>(`${room.api}/posts`, { name: "Ada", body: "Hers." }, ada.pair);
  const { body } = await call<Post>("DELETE", `${room.api}/posts/${said.body.id}`, undefined, ada.bearer);
  expect(body).toMatchObject({ redacted: "author", commitment: sha256(`${said.body.salt}:Hers.`) });
  await service.stop();
});
