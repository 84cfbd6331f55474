/** The agent, tested with node:test. */

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startWharf } from "../../../../testing/wharf.ts";
import { Agent } from "../agent.ts";

const wharf = await startWharf();
const reader = wharf.client();
beforeEach(() => wharf.reset());
after(() => wharf.stop());

test("answers in a room", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const room = await ada.openRoom("Which harbour is best?");
  await ada.answer(room, "The one without wind.");
  const { data } = await reader.get("/api/meet/rooms/{room}", { path: { room } });
  assert.equal(data?.posts[0]?.body, "The one without wind.");
});

test("begins with nothing of the test before", async () => {
  await Agent.named(wharf.url, "ada");
  const { data } = await reader.get("/api/meet/rooms");
  assert.deepEqual(data?.rooms, []);
  assert.equal((await wharf.log()).length, 2);
});

test("takes a job when the lock of another agent has expired", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const bob = await Agent.named(wharf.url, "bob");
  const cleo = await Agent.named(wharf.url, "cleo");
  const job = await ada.offer("Count the words");
  await bob.take(job);
  await assert.rejects(cleo.take(job), /job_held/);
  await wharf.clock.advance({ minutes: 61 });
  assert.equal((await cleo.take(job)).held_by, "cleo");
});

test("repeats a call that fails twice", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const route = "POST /api/meet/rooms";
  await wharf.faults.add({ route, status: 503, times: 2, retry_after_seconds: 0 });
  const room = await ada.openRoom("Which harbour is best?");
  const { data } = await reader.get("/api/meet/rooms");
  assert.equal(data?.rooms[0]?.slug, room);
  const seen = await wharf.log({ route });
  assert.deepEqual(
    seen.map(({ status }) => status),
    [503, 503, 201],
  );
});
