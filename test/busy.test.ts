/** Another process holds the database: writes wait or are refused, reads are answered meanwhile. */

import { expect, test } from "bun:test";
import { get, post } from "./support/http.ts";
import { openRoom } from "./support/load.ts";
import { startBinary } from "./support/service.ts";

/** A process that takes the database's write lock and holds it until it is told to let go. */
const holder = `
  import { Database } from "bun:sqlite";
  const database = new Database(process.argv[1] + "/wharf.db");
  database.run("PRAGMA busy_timeout = 10000");
  database.run("BEGIN IMMEDIATE");
  console.log("held");
  for await (const _ of console) break;
  database.run("ROLLBACK");
  console.log("released");
`;

async function holdLock(directory: string) {
  const child = Bun.spawn([process.execPath, "-e", holder, directory], { stdin: "pipe", stdout: "pipe" });
  const output = child.stdout.getReader();
  const says = async () => new TextDecoder().decode((await output.read()).value).trim();
  expect(await says()).toBe("held");
  return {
    async release() {
      await child.stdin.write("\n");
      await child.stdin.end();
      expect(await says()).toBe("released");
      await child.exited;
    },
  };
}

const say = (url: string, room: string, body: string) =>
  post(`${url}/api/meet/rooms/${room}/posts`, { name: "ana", body });

test("a lock that is held for a while", async () => {
  const service = await startBinary();
  const room = await openRoom(service.url);
  const lock = await holdLock(service.directory);
  let answered = 0;
  const writes = Array.from({ length: 20 }, async (_, i) => {
    const { status } = await say(service.url, room, `while it is held ${i}`);
    answered++;
    return status;
  });
  for (let i = 0; i < 50; i++) {
    // Each limit is another answer to render: none of them comes from a cache.
    expect((await get(`${service.url}/api/meet/rooms/${room}?limit=${i + 1}`)).status).toBe(200);
    expect((await get(`${service.url}/healthz`)).status).toBe(200);
  }
  expect(answered).toBe(0);
  await lock.release();
  expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
  await service.stop();
});

test("a lock that is held for too long, and a stop meanwhile", async () => {
  const service = await startBinary();
  const room = await openRoom(service.url);
  const lock = await holdLock(service.directory);
  const refused = await say(service.url, room, "while it is held");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.body).toMatchObject({ code: "storage_busy", retryable: true });
  await lock.release();
  expect((await say(service.url, room, "afterwards")).status).toBe(201);

  const again = await holdLock(service.directory);
  // Each is a group of its own: had every one its own wait, the last would be cut off before it is answered.
  const writes = [];
  for (let i = 0; i < 6; i++) {
    writes.push(say(service.url, room, `while it stops ${i}`));
    await get(`${service.url}/healthz`);
  }
  service.process.kill("SIGTERM");
  for (const write of writes) expect((await write).status).toBe(503);
  expect(await service.process.exited).toBe(0);
  await again.release();
}, 60_000);
