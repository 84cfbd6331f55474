/** The typed client: each operation has the types of its answers and problems, and they are those of the document. */

import { afterAll, beforeAll, expect, expectTypeOf, test } from "bun:test";
import { clientTypes, types_file } from "../../scripts/client_types.ts";
import type { Client, Problems, Schemas } from "../../src/client/client.ts";
import type { OpenedRoom, RoomRead, SpokenPost } from "../../src/api/rooms/rooms.ts";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import { clientOf } from "../support/client.ts";
import { get } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

let service: TestService;
let api: Client;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  api = clientOf(service.url);
});
afterAll(() => service.stop());

test("the generated types are those of the OpenAPI document", async () => {
  const { body } = await get<OpenApi>(`${service.url}/openapi.json`);
  const is_current = (await clientTypes(body)) === (await Bun.file(types_file).text());
  expect([is_current, "or run: bun scripts/client_types.ts"]).toEqual([true, expect.anything()]);
});

test("the types of successful answers are those of the schemas", async () => {
  const opened = await api.post("/api/meet/rooms", { body: { goal: "Typed", name: "Ada" } });
  expectTypeOf(opened.data).toEqualTypeOf<OpenedRoom | undefined>();
  expect([opened.status, opened.data?.slug]).toEqual([201, "typed"]);

  const path = { room: "typed" };
  const posted = await api.post("/api/meet/rooms/{room}/posts", {
    path,
    body: { name: "Ada", body: "hello" },
  });
  expectTypeOf(posted.data).toEqualTypeOf<SpokenPost | undefined>();
  expect([posted.status, posted.data?.body]).toEqual([201, "hello"]);

  const read = await api.get("/api/meet/rooms/{room}", { path, query: { limit: 1 } });
  expectTypeOf(read.data).toEqualTypeOf<RoomRead | undefined>();
  expect(read.data?.posts.map(({ body }) => body)).toEqual(["hello"]);

  const as_text = await api.get("/api/meet/rooms/{room}", {
    path,
    as: "text",
    headers: { accept: "text/markdown" },
  });
  expectTypeOf(as_text.data).toEqualTypeOf<string | undefined>();
  expect(as_text.data).toContain("> hello");
});

test("a status or an error narrows a result", async () => {
  const { data, error } = await api.get("/api/meet/rooms/{room}", { path: { room: "typed" } });
  if (error) throw new Error(error.detail);
  expectTypeOf(data).toEqualTypeOf<RoomRead>();

  const ready = await api.get("/readyz");
  if (ready.status !== 200) throw new Error("The service is not ready.");
  expectTypeOf(ready.data).toEqualTypeOf<Schemas["Readiness"]>();
  expect(ready.data.status).toBe("ready");
});

test("a parameter that gives the answer another form changes its type", async () => {
  const api = clientOf(service.url, await claim(service.url, "Reader"));
  const full = await api.get("/api/mailbox");
  expectTypeOf(full.data).toEqualTypeOf<Schemas["Mailbox"] | undefined>();
  expect(full.data?.notes).toEqual([]);
  const lean = await api.get("/api/meet/rooms/{room}", {
    path: { room: "typed" },
    query: { fields: "lean", since: "0" },
  });
  if (!lean.data) throw new Error(lean.error.detail);
  expectTypeOf(lean.data.next_since).toEqualTypeOf<number>();
  expect(lean.data.next_since).toBe(1);
  // @ts-expect-error: the short form has no total.
  expect(lean.data.total).toBeUndefined();
  const count = await api.get("/api/mailbox", { query: { count: "1" } });
  // @ts-expect-error: only a count.
  expect(count.data?.notes).toBeUndefined();
});

test("the codes of problems are those of the operation", async () => {
  const refused = await api.post("/api/meet/rooms", { body: { goal: "", name: "Ada" } });
  if (refused.status !== 422) throw new Error(`422 was expected: ${refused.status}`);
  expect(refused.error.code).toBe("invalid_fields");
  expect(refused.error.errors).toMatchObject([{ path: "/goal" }]);
  // @ts-expect-error: no problem of this operation has this code.
  expect(refused.error.code === "room_not_found").toBe(false);
  // @ts-expect-error: problems have no such member.
  expect(refused.error.reason).toBeUndefined();

  const missing = await api.get("/api/meet/rooms/{room}", { path: { room: "nowhere" } });
  if (missing.status !== 404) throw new Error(`404 was expected: ${missing.status}`);
  expectTypeOf(missing.error.code).toEqualTypeOf<"room_not_found">();
  expect(missing.error.code).toBe("room_not_found");
  // @ts-expect-error: this operation has no such status.
  expect(missing.status === 418).toBe(false);

  const { error } = await clientOf(service.url).post("/api/jobs/{id}/claim", { path: { id: "nothing" } });
  if (error?.code === "job_held") {
    expectTypeOf(error).toEqualTypeOf<Problems["job_held"]>();
    expectTypeOf(error.status).toEqualTypeOf<409>();
    expectTypeOf(error.held_by).toEqualTypeOf<string>();
  }
  expect(error?.code).toBe("credential_required");
});

test("what is sent has the types of the schemas", async () => {
  // @ts-expect-error: `name` is missing.
  const incomplete = await api.post("/api/meet/rooms", { body: { goal: "Typed" } });
  expect(incomplete.status).toBe(422);
  // @ts-expect-error: there is no such field.
  await api.post("/api/meet/rooms", { body: { goal: "Typed", name: "Ada", colour: "red" } });
  // @ts-expect-error: there is no such state.
  const lost = await api.get("/api/jobs", { query: { state: "lost" } });
  expect(lost.status).toBe(422);
  // @ts-expect-error: there is no such parameter.
  await api.get("/api/jobs", { query: { state: "open", colour: "red" } });
  // @ts-expect-error: there is no such operation.
  await api.delete("/api/jobs").catch(() => {});
  const closed = await api.post("/api/meet/rooms/{room}/close", { path: { room: "typed" } });
  expect(closed.error?.code).toBe("host_key_required");
  // @ts-expect-error: the path has a part.
  await api.get("/api/meet/rooms/{room}").catch(() => {});
});
