/** Many calls through a bridge whose connections are cut at random and whose service is killed: each is answered once, and done once. */

import { expect, test } from "bun:test";
import { startBridge } from "../support/bridge.ts";
import { startForwarder } from "../support/forwarder.ts";
import { freePort } from "../support/free_port.ts";
import { get } from "../support/http.ts";
import { open } from "../support/rooms.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const calls = 1_000;
const side_by_side = 10;
const kills = 4;

test("each of 1,000 calls is answered once and done once", async () => {
  const random = testRandom("bridge cuts");
  const data_dir = newDirectory();
  const port = await freePort();
  let service = await startBinary({ data_dir, port });
  const room = await open(service.url, "Cuts");
  const forwarder = await startForwarder(service.url);
  const client = startBridge(`${forwarder.url}/mcp`);
  await client.begin();

  const made = { begun: 0, ended: 0 };
  const failed: unknown[] = [];
  async function callOnAndOn(): Promise<void> {
    while (made.begun < calls) {
      const args = { room: room.slug, name: "Ada", body: `Call ${made.begun++}.` };
      // Without waiting it is answered as JSON, with it on a stream.
      const { result, error } = await client.call("meet_speak", {
        ...args,
        ...(random.below(4) === 0 && { wait_seconds: 1 }),
      });
      made.ended++;
      if (error || result!.isError) failed.push(error ?? result);
    }
  }
  const calling = Promise.all(Array.from({ length: side_by_side }, callOnAndOn));
  let killed = 0;
  while (made.ended < calls) {
    const before = made.ended;
    if (before > ((killed + 1) * calls) / (kills + 1)) {
      killed++;
      service.process.kill("SIGKILL");
      await service.process.exited;
      service = await startBinary({ data_dir, port });
    } else if (random.below(2) === 0) forwarder.cut();
    else forwarder.loseAnswers(1 + random.below(3));
    // The next fault comes when calls have gone on.
    while (made.ended < Math.min(before + 1 + random.below(20), calls)) await Bun.sleep(2);
  }
  await calling;
  await client.end();

  expect(failed).toEqual([]);
  expect(killed).toBe(kills);
  const bodies: string[] = [];
  for (let since = "0"; bodies.length < calls;) {
    const { body } = await get<{ posts: { body: string }[]; next_since: string }>(
      `${room.api}?since=${since}&limit=200`,
    );
    if (body.posts.length === 0) break;
    bodies.push(...body.posts.map((post) => post.body));
    since = body.next_since;
  }
  const expected = Array.from({ length: calls }, (_, i) => `Call ${i}.`);
  expect(bodies.toSorted()).toEqual(expected.toSorted());
  const answered = client.said.filter(({ id }) => id !== undefined).map(({ id }) => id);
  expect(new Set(answered).size).toBe(answered.length);
  forwarder.stop();
  await service.stop();
  removeDirectory(data_dir);
});
