/** Eden, the client of Elysia, typed by our routes: each answer has the type that the client expects. */

import { afterAll, beforeAll, expect, expectTypeOf, test } from "bun:test";
import { treaty } from "@elysiajs/eden";
import type { HttpRoutes } from "../../src/app/routes.ts";
import type { Static } from "@sinclair/typebox";
import type { ClaimedJob } from "../../src/jobs/schema.ts";
import type { OpenedRoom, RoomRead, SpokenPost } from "../../src/rooms/schema.ts";
import type { Problem } from "../../src/web/problems.ts";
import { postJob } from "../support/jobs.ts";
import { claim } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

// Our times are strings. Eden would turn them into dates, which its types do not show.
const clientOf = (url: string) => treaty<HttpRoutes>(url, { parseDate: false });

let service: TestService;
let api: ReturnType<typeof clientOf>["api"];
beforeAll(async () => {
  service = await startSource();
  ({ api } = clientOf(service.url));
});
afterAll(() => service.stop());

test("the types of successful answers are those of the schemas", async () => {
  const opened = await api.meet.rooms.post({ goal: "Typed", name: "Ada" });
  expectTypeOf(opened.data).toEqualTypeOf<OpenedRoom | null>();
  expect([opened.status, opened.data?.slug]).toEqual([201, "typed"]);

  const room = api.meet.rooms({ room: "typed" });
  const posted = await room.posts.post({ name: "Ada", body: "hello" });
  expectTypeOf(posted.data).toEqualTypeOf<SpokenPost | null>();
  expect([posted.status, posted.data?.body]).toEqual([201, "hello"]);

  const read = await room.get({ query: { limit: "1" } });
  expectTypeOf(read.data).toEqualTypeOf<RoomRead | null>();
  expect(read.data?.posts.map(({ body }) => body)).toEqual(["hello"]);

  const [poster, worker] = [await claim(service.url, "Poster"), await claim(service.url, "Worker")];
  const { id } = await postJob(service.url, poster);
  const claimed = await api.jobs({ id }).claim.post(undefined, { headers: worker.pair });
  expectTypeOf(claimed.data).toEqualTypeOf<Static<typeof ClaimedJob> | null>();
  expect([claimed.status, claimed.data?.state]).toEqual([200, "held"]);
});

test("events come as a stream, and as an empty body with 204 when there is nothing to follow", async () => {
  const { data: opened } = await api.meet.rooms.post({ goal: "Closing", name: "Ada" });
  const room = api.meet.rooms({ room: "closing" });
  const closed = await room.close.post(undefined, { headers: { "x-meet-key": opened!.host_key! } });
  const first = await room.stream.get({ query: { since: "2026-01-01T00:00:00.000Z" } });
  expectTypeOf(first.data).toExtend<AsyncGenerator<{ event?: unknown }> | "" | null>();
  if (!first.data) throw new Error("There are no events.");
  const events: unknown[] = [];
  for await (const { event } of first.data) events.push(event);
  expect(events).toEqual(["closed"]);

  const last = await room.stream.get({ headers: { "last-event-id": closed.data!.closed_at } });
  expect([last.status, last.data]).toEqual([204, ""]);
});

test("the types of problems are known by status, with the codes of the route", async () => {
  const refused = await api.meet.rooms.post({ goal: "", name: "Ada" });
  if (refused.error?.status !== 422) throw new Error(`422 was expected: ${refused.status}`);
  expectTypeOf(refused.error.value).toExtend<Problem>();
  expectTypeOf(refused.error.value.status).toEqualTypeOf<422>();
  expect(refused.error.value.code).toBe("invalid_fields");
  expect(refused.error.value.errors).toMatchObject([{ path: "/goal" }]);
  // @ts-expect-error: no 422 of this route has this code.
  expect(refused.error.value.code === "room_not_found").toBe(false);
  // @ts-expect-error: problems have no such member.
  expect(refused.error.value.reason).toBeUndefined();

  const missing = await api.meet.rooms({ room: "nowhere" }).get();
  if (missing.error?.status !== 404) throw new Error(`404 was expected: ${missing.status}`);
  expectTypeOf(missing.error.value.code).toEqualTypeOf<"room_not_found">();
  expect(missing.error.value.code).toBe("room_not_found");
  // @ts-expect-error: this route has no such status.
  expect(missing.error.status === 410).toBe(false);

  const busy = await claim(service.url, "Busy");
  for (let i = 0; i < 10; i++) await postJob(service.url, busy);
  const eleventh = await api.jobs.post({ title: "t", detail: "d" }, { headers: busy.pair });
  if (eleventh.error?.status !== 429) throw new Error(`429 was expected: ${eleventh.status}`);
  expectTypeOf(eleventh.error.value.code).toEqualTypeOf<"too_many_open_jobs" | "rate_limited">();
  expect(eleventh.error.value.code).toBe("too_many_open_jobs");
});

test("what is sent has the types of the schemas", async () => {
  // @ts-expect-error: `name` is missing.
  const incomplete = await api.meet.rooms.post({ goal: "Typed" });
  expect(incomplete.status).toBe(422);
  const { error } = await api.jobs.get({
    // @ts-expect-error: there is no such state.
    query: { state: "lost" },
  });
  expect(error?.status).toBe(422);
});
