/** What an admin erases is stored nowhere afterwards: in no file of the data directory and in no row of Postgres. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { OpenedRoom, Post, RoomList } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { get, post, send } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { databaseOf, is_on_postgres } from "../support/postgres.ts";
import { isStoredIn, storedTexts } from "../support/stored.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";

let data_dir: string;
beforeEach(() => void (data_dir = newDirectory()));
afterEach(() => removeDirectory(data_dir));

/** Which of `texts` are stored, in any case: in a file, or in a row of Postgres. */
async function held(texts: string[]): Promise<string[]> {
  const stored = await storedTexts(data_dir);
  return texts.filter((text) => stored.some((bytes) => isStoredIn(bytes, text)));
}
/** Resolves when these texts are stored. A text may move from the log to the database while they are read. */
async function untilHeld(texts: string[]): Promise<void> {
  while ((await held(texts)).length < texts.length) await Bun.sleep(20);
}
/** Resolves when none of these texts is stored: after the writer's next idle time. */
async function untilGone(texts: string[]): Promise<void> {
  while ((await held(texts)).length > 0) await Bun.sleep(20);
}

/** The start of the room's address does not reach the word of its goal. */
const goal = "A room whose address has only the beginning of its goal: koboldwort";

interface Filled {
  room: OpenedRoom;
  posts: Post[];
  /** Words and salts that only this room has; those of its goal and its host come first. */
  secrets: string[];
}

/** A room with posts, all of them indexed. Carol is mentioned in the first. */
async function fill(url: string, count = 250): Promise<Filled> {
  await claim(url, "carol");
  const repeatable = { "idempotency-key": crypto.randomUUID() };
  const { body: room } = await post<OpenedRoom>(
    `${url}/api/meet/rooms`,
    { goal, name: "Hostwort" },
    repeatable,
  );
  const posts: Post[] = [];
  for (let i = 0; i < count; i++) {
    const said = { name: "Bobwort", body: `An ordinary text, @carol, with nixenwort${i}x.` };
    const headers: Record<string, string> = i === 0 ? { "idempotency-key": crypto.randomUUID() } : {};
    posts.push((await post<Post>(`${room.api}/posts`, said, headers)).body);
  }
  const found = async () =>
    (await get<RoomList>(`${url}/api/meet/rooms?q=nixenwort${count - 1}x`)).body.rooms.length;
  while ((await found()) === 0) await Bun.sleep(10);
  const salts = [posts[0]!.salt!, posts[count - 1]!.salt!];
  return { room, posts, secrets: ["koboldwort", "hostwort", "bobwort", "nixenwort", ...salts] };
}

const act = (directory: string, path: string) =>
  asOwner({ directory }, "POST", `/api/admin/${path}`, { reason: "It must disappear." });

/** Stops the service. Checks the database and its index. */
async function stopped(service: TestService): Promise<void> {
  await service.stop();
  if (is_on_postgres) return;
  const database = new Database(join(data_dir, "wharf.db"));
  database.run("INSERT INTO search (search) VALUES ('integrity-check')");
  expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(database.query("PRAGMA foreign_key_check").all()).toEqual([]);
  database.close();
}

describe.skipIf(lacks_binary)("no file holds", () => {
  test("the text and the salt of an erased post, hidden before or not", async () => {
    const service = await startBinary({ data_dir });
    const { room, posts } = await fill(service.url, 20);
    const [visible, hidden, restored] = [posts[5]!, posts[10]!, posts[15]!];
    const words = ["nixenwort5x", "nixenwort10x"];
    const secrets = [...words, visible.salt!, hidden.salt!];
    // A report may repeat the text.
    for (const [i, { id }] of [visible, hidden].entries()) {
      const reported = await post(`${room.api}/posts/${id}/report`, { reason: `It says ${words[i]}.` });
      expect(reported.status).toBeLessThan(300);
    }
    for (const { id } of [hidden, restored]) await act(service.directory, `posts/${id}/hide`);
    await act(service.directory, `posts/${restored.id}/restore`);
    await untilHeld(secrets);
    for (const { id } of [visible, hidden]) await act(service.directory, `posts/${id}/erase`);
    await untilGone(secrets);
    expect((await get<RoomList>(`${service.url}/api/meet/rooms?q=nixenwort15x`)).body.rooms).toHaveLength(1);
    await stopped(service);
    expect(await held(secrets)).toEqual([]);
    expect(await held(["nixenwort15x", restored.salt!])).toHaveLength(2);
  });

  test("the texts and salts of posts that a rule removed, when the run has ended", async () => {
    const service = await startBinary({ data_dir });
    const { room, posts } = await fill(service.url, 120);
    await act(service.directory, `posts/${posts[5]!.id}/hide`);
    const gone = ["nixenwort3x", "nixenwort5x", "nixenwort117x", posts[0]!.salt!, posts[100]!.salt!];
    await untilHeld(gone);
    const run = await asOwner(service, "POST", "/api/admin/retention?posts_by_room=2");
    expect(run.body.counts).toMatchObject({ posts: 118 });
    await untilGone(gone);
    expect(await held(["nixenwort118x", "nixenwort119x"])).toHaveLength(2);
    const found = async (word: string) =>
      (await get<RoomList>(`${service.url}/api/meet/rooms?q=${word}`)).body.rooms.length;
    expect([await found("nixenwort3x"), await found("nixenwort119x")]).toEqual([0, 1]);
    await post(`${room.api}/posts`, { name: "Ada", body: "Indexed afterwards: lindwurm." });
    expect(await found("lindwurm")).toBe(1);
    await stopped(service);
    expect(await held(gone)).toEqual([]);
  });

  test("a deleted room's goal, names, texts and salts", async () => {
    const service = await startBinary({ data_dir });
    const { room, posts, secrets } = await fill(service.url);
    await act(service.directory, `posts/${posts[7]!.id}/hide`);
    await send("DELETE", `${room.api}/posts/9`, { "x-meet-key": room.host_key! });
    await post(`${room.api}/posts/3/report`, { reason: "It says nixenwort2x." });
    await untilHeld(secrets);
    expect((await act(service.directory, `rooms/${room.slug}/delete`)).body).toMatchObject({ changed: true });
    // The mailbox of a mentioned name has who mentioned it.
    const left = secrets.filter((secret) => secret !== "bobwort");
    await untilGone(left);
    const next = await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Elsewhere", name: "Ada" });
    await post(`${next.body.api}/posts`, { name: "Ada", body: "Indexed afterwards: lindwurm." });
    const found = await get<RoomList>(`${service.url}/api/meet/rooms?q=lindwurm`);
    expect(found.body.rooms).toHaveLength(1);
    await stopped(service);
    expect(await held(left)).toEqual([]);
  });

  test("them if the process was killed while it erased", async () => {
    const first = await startBinary({ data_dir });
    const { room, secrets } = await fill(first.url, 600);
    void act(first.directory, `rooms/${room.slug}/delete`).catch(() => {});
    while ((await get(room.api)).status !== 410) await Bun.sleep(1);
    first.process.kill("SIGKILL");
    await first.process.exited;
    const second = await startBinary({ data_dir });
    const left = secrets.filter((secret) => secret !== "bobwort");
    await untilGone(left);
    await stopped(second);
    expect(await held(left)).toEqual([]);
  });

  test("them if the room was deleted while the service was stopped", async () => {
    const service = await startBinary({ data_dir });
    const { room, secrets } = await fill(service.url);
    await service.stop();
    const command = [binary(), "admin", "delete-room", room.slug, "--reason", "x", "--data-dir", data_dir];
    const { database } = databaseOf(data_dir);
    const env = { ...process.env, ...(database && { WHARF_DATABASE: database }) };
    expect(Bun.spawnSync(command, { env }).stdout.toString()).toContain("is deleted.");
    expect(await held(secrets.filter((secret) => secret !== "bobwort"))).toEqual([]);
  });
});
