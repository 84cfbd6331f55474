/** Unknown fields: those that resemble a known field are refused, others are ignored and named. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { editDistance } from "../../src/core/edit_distance.ts";
import { fieldMeant } from "../../src/web/known_fields.ts";
import { call, get, post } from "../support/http.ts";
import { claim, mistyped, type Holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

interface Refused {
  code: string;
  errors?: { path: string; did_you_mean?: string }[];
}

let service: TestService;
let api: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  api = `${service.url}/api/meet/rooms`;
  ada = await claim(service.url, "ada");
  await post(api, { goal: "A room", name: "Q" });
});
afterAll(() => service.stop());

const opened = async () => (await get<{ total: number }>(api)).body.total;

describe("refuses a field that resembles a known one, and executes nothing", () => {
  test.each<[string, object, string, string]>([
    ["/api/meet/rooms", { goal: "x", name: "q", visiblity: "unlisted" }, "visiblity", "visibility"],
    ["/api/meet/rooms", { question: "x", name: "q" }, "question", "goal"],
    ["/api/meet/rooms", { goal: "x", name: "q", Visibility: "unlisted" }, "Visibility", "visibility"],
    ["/api/meet/rooms", { gaol: "x", name: "q" }, "gaol", "goal"],
    ["/api/meet/rooms/a-room/posts", { name: "q", body: "x", reply_to: "y" }, "reply_to", "in_reply_to"],
    ["/api/meet/rooms/a-room/posts", { name: "q", body: "x", inReplyTo: "y" }, "inReplyTo", "in_reply_to"],
    ["/api/meet/rooms/a-room/posts", { name: "q", text: "x" }, "text", "body"],
    ["/api/meet/rooms/a-room/posts", { nmae: "q", body: "x" }, "nmae", "name"],
    ["/api/name", { username: "q" }, "username", "name"],
    ["/api/jobs", { title: "x", description: "y" }, "description", "detail"],
    ["/api/name/recover", { name: "x", code: "y" }, "code", "recovery_code"],
  ])("POST %s %j", async (path, body, field, meant) => {
    const before = await opened();
    const refused = await post<Refused>(service.url + path, body, ada.pair);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: "unknown_field",
      errors: [{ path: `/${field}`, did_you_mean: meant }],
    });
    expect(await opened()).toBe(before);
  });

  test("refuses such a field in a PUT of a slot", async () => {
    const slot = `${service.url}/api/locker/notes`;
    const refused = await call<Refused>("PUT", slot, { value: "x", is_public: true }, ada.pair);
    expect(refused.body.errors).toMatchObject([{ path: "/is_public", did_you_mean: "public" }]);
    expect((await get(slot, ada.pair)).status).toBe(404);
  });
});

describe("names each ignored field in a header", () => {
  const named = (headers: Headers) => headers.get("x-ignored-fields");

  test("names fields of a body, and uses the known ones", async () => {
    const said = await post(`${api}/a-room/posts`, { name: "q", body: "x", colour: "red", "a b": 1 });
    expect(said.status).toBe(201);
    expect(named(said.headers)).toBe("colour, ?");
  });

  test("exposes the header to pages of other origins", async () => {
    const open = await startSource({ base_url: "https://wharf.example" });
    const { headers } = await get(`${open.url}/api/meet/rooms?foo=1`);
    expect(headers.get("access-control-expose-headers")).toContain("X-Ignored-Fields");
    await open.stop();
  });

  test("names parameters of a query", async () => {
    const list = await get(`${api}?foo=1`);
    expect([list.status, named(list.headers)]).toEqual([200, "foo"]);
    const read = await get(`${api}/a-room?limit=5&colour=red`);
    expect([read.status, named(read.headers)]).toEqual([200, "colour"]);
    const name = await get(`${service.url}/api/name/ada?verbose=1`);
    expect([name.status, named(name.headers)]).toEqual([200, "verbose"]);
    expect(named((await get(`${api}/a-room?limit=5`)).headers)).toBeNull();
  });

  test("hides names that could be a key or break the header", async () => {
    const body = { name: "q", body: "x", [mistyped(ada.key)]: 1, "x\r\nset-cookie: a=b": 1 };
    const said = await post(`${api}/a-room/posts`, body);
    expect([said.status, named(said.headers)]).toEqual([201, "?, ?"]);
    expect(said.headers.get("set-cookie")).toBeNull();
  });

  test("names at most ten fields, and refuses more than a hundred", async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`something_else_${i}`, i]));
    const said = await post(`${api}/a-room/posts`, { name: "q", body: "x", ...fields(12) });
    expect(named(said.headers)).toEndWith("something_else_9, and 2 more");
    const refused = await post<Refused>(`${api}/a-room/posts`, { name: "q", body: "x", ...fields(101) });
    expect([refused.status, refused.body.code]).toEqual([422, "unknown_field"]);
  });
});

test("refuses API parameters that resemble a known one, and lists at most 20", async () => {
  const refused = await get<Refused>(`${api}/a-room?limt=5`);
  expect(refused.body).toMatchObject({
    code: "unknown_field",
    errors: [{ path: "limt", did_you_mean: "limit" }],
  });
  const many = Array.from({ length: 60 }, (_, i) => `limit${i}=1`).join("&");
  const listed = await get<Refused>(`${api}/a-room?${many}`);
  expect(listed.body.errors).toHaveLength(20);
});

test("pages ignore unknown parameters", async () => {
  for (const path of ["/meet?querry=1", "/meet/r/a-room?limt=1", "/jobs?stat=open", "/beacon?rond=1"]) {
    const response = await fetch(service.url + path, { headers: { accept: "text/html" } });
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("x-ignored-fields")).toBeNull();
  }
});

describe("tools", () => {
  test("refuse an argument that resembles a known one", async () => {
    const answer = await callTool(service.url, "meet_speak", {
      room: "a-room",
      name: "q",
      body: "x",
      reply_to: "y",
    });
    expect(answer.isError).toBe(true);
    expect(answer.content[0]!.text).toContain("unknown_field");
    expect(answer.content[0]!.text).toContain("in_reply_to");
  });

  test("ignore other unknown arguments, and name them in one line in both forms of the result", async () => {
    const answer = await callTool(service.url, "meet_rooms", { colour: "red" });
    expect(answer.content[0]!.text).toEndWith("Ignored arguments: colour.");
    expect(answer.structuredContent).toMatchObject({ ignored_arguments: ["colour"] });
  });

  test("accept a credential in every tool", async () => {
    const answer = await callTool(service.url, "meet_rooms", { name: ada.name, key: ada.key });
    expect(answer.structuredContent).not.toHaveProperty("ignored_arguments");
  });
});

test("counts insertions, deletions, substitutions and swaps of neighbours as one edit each", () => {
  const pairs: [string, string, number][] = [
    ["name", "name", 0],
    ["nmae", "name", 1],
    ["nam", "name", 1],
    ["names", "name", 1],
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["ca", "abc", 3],
  ];
  for (const [a, b, edits] of pairs) expect([a, b, editDistance(a, b)]).toEqual([a, b, edits]);
});

test("does not take a name for a known one if all characters differ", () => {
  expect(fieldMeant("x", ["q"])).toBeNull();
  expect(fieldMeant("nane", ["name"])).toBe("name");
  expect(fieldMeant("colour", ["name", "body"])).toBeNull();
});
