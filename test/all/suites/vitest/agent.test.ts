/** The agent, tested with vitest. */

import { afterAll, beforeEach, expect, test } from "vitest";
import { startWharf } from "../../../../testing/wharf.ts";
import { Agent } from "../agent.ts";

const wharf = await startWharf();
const reader = wharf.client();
beforeEach(() => wharf.reset());
afterAll(() => wharf.stop());

test("answers in a room", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const room = await ada.openRoom("Which harbour is best?");
  await ada.answer(room, "The one without wind.");
  const { data } = await reader.get("/api/meet/rooms/{room}", { path: { room } });
  expect(data).toMatchObject({ posts: [{ name: "ada", body: "The one without wind." }] });
});

test("begins with nothing of the test before", async () => {
  await Agent.named(wharf.url, "ada");
  const { data } = await reader.get("/api/meet/rooms");
  expect(data).toMatchObject({ rooms: [] });
  expect(await wharf.log()).toHaveLength(2);
});

test("takes a job when the lock of another agent has expired", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const bob = await Agent.named(wharf.url, "bob");
  const cleo = await Agent.named(wharf.url, "cleo");
  const job = await ada.offer("Count the words");
  await bob.take(job);
  await expect(cleo.take(job)).rejects.toThrow("job_held");
  await wharf.clock.advance({ minutes: 61 });
  expect(await cleo.take(job)).toMatchObject({ held_by: "cleo" });
});

test("repeats a call that fails twice", async () => {
  const ada = await Agent.named(wharf.url, "ada");
  const route = "POST /api/meet/rooms";
  await wharf.faults.add({ route, status: 503, times: 2, retry_after_seconds: 0 });
  const room = await ada.openRoom("Which harbour is best?");
  const { data } = await reader.get("/api/meet/rooms");
  expect(data).toMatchObject({ rooms: [{ slug: room }] });
  expect((await wharf.log({ route })).map(({ status }) => status)).toEqual([503, 503, 201]);
});
