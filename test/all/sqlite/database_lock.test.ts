/** Another process holds the database: writes wait or are refused, reads are answered meanwhile. */

import { expect, test } from "bun:test";
import { get, post } from "../../support/http.ts";
import { started } from "../../support/leftovers.ts";
import { openRoom } from "../../support/load.ts";
import { openConnection, postLines, type RawConnection } from "../../support/raw.ts";
import { startBinary } from "../../support/service.ts";

/** A process that takes the database's write lock and holds it until a message asks it to release it. */
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
  started.push(child);
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

/**
 * Sends posts, each on a connection of its own. The system has their bytes when this resolves, so a signal that is sent
 * afterwards comes after them. The answer resolves to their statuses.
 */
async function sendPosts(url: string, room: string, count: number): Promise<() => Promise<number[]>> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = await openConnection(url);
    connection.write(postLines(room, `while it stops ${i}`));
    connections.push(connection);
  }
  return async () => (await Promise.all(connections.map(({ answer }) => answer))).map(({ status }) => status);
}

test("waits with writes for a short lock, and answers reads meanwhile", async () => {
  const service = await startBinary();
  const room = await openRoom(service.url);
  const lock = await holdLock(service.directory);
  let answered = 0;
  const writes = Array.from({ length: 20 }, async (_, i) => {
    const { status } = await say(service.url, room, `while it is held ${i}`);
    answered++;
    return status;
  });
  // At once: one after the other they would take longer on a busy machine than the writes wait for the lock.
  const reads = Array.from({ length: 5 }, (_, i) => [
    // Each limit is another answer to render: none of them comes from a cache.
    get(`${service.url}/api/meet/rooms/${room}?limit=${i + 1}`),
    get(`${service.url}/healthz`),
  ]);
  const answers = await Promise.all(reads.flat());
  expect(answered).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await lock.release();
  expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
  await service.stop();
});

test("refuses writes if the lock is held too long, and stops meanwhile", async () => {
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
  const answers = await sendPosts(service.url, room, 6);
  service.process.kill("SIGTERM");
  expect(await answers()).toEqual(Array.from({ length: 6 }, () => 503));
  expect(await service.process.exited).toBe(0);
  await again.release();
}, 60_000);

test("refuses writes that wait for a lock before the stop ends them, even if the machine was suspended", async () => {
  const service = await startBinary();
  const room = await openRoom(service.url);
  const lock = await holdLock(service.directory);
  const wait = get(`${service.url}/api/meet/rooms/${room}?since=2999-01-01T00:00:00.000Z&wait_seconds=50`);
  const answers = await sendPosts(service.url, room, 6);
  // Each answer takes a turn of the service's event loop, in which it reads what has arrived before.
  for (let i = 0; i < 3; i++) await get(`${service.url}/healthz`);
  service.process.kill("SIGTERM");
  // The stop has begun when it has ended the wait.
  expect((await wait).status).toBe(200);
  // The process gets no time of the processor for longer than a write may wait. Its clock continues, and so does the time
  // after which the stop cuts connections.
  service.process.kill("SIGSTOP");
  await Bun.sleep(5_000);
  service.process.kill("SIGCONT");
  expect(await answers()).toEqual(Array.from({ length: 6 }, () => 503));
  expect(await service.process.exited).toBe(0);
  await lock.release();
}, 60_000);
