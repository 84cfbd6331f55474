/** Characters that deceive a reader or control a terminal: refused in texts for others, with their places; shown if stored before. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deceptivePlaces, revealDeceptive } from "../../src/core/text.ts";
import { fixtureOf, placeFixture } from "../support/fixtures.ts";
import { orThrow, type Schemas } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { moveToEngine } from "../support/moved.ts";
import { newDirectory, removeDirectory, startSource, type TestService } from "../support/service.ts";
import { callTool, codeOf } from "../support/tools.ts";

let service: TestService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [ada, bob] = [await claim(url, "ada"), await claim(url, "bob")];
  await orThrow(clientOf(url).post("/api/meet/rooms", { body: { goal: "A room", name: "Q" } }));
});
afterAll(() => service.stop());

const scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";

const refused: [string, string, number[]][] = [
  ["NUL", "a\0b", [1]],
  ["escape", "\u001b[31mred", [0]],
  ["bell", "ding\u0007", [4]],
  ["backspace", "a\bb", [1]],
  ["vertical tab", "a\u000bb", [1]],
  ["a carriage return alone", "safe\rdanger", [4]],
  ["delete", "a\u007f", [1]],
  ["a C1 control: next line", "a\u0085b", [1]],
  ["a C1 control: CSI", "\u009b31m", [0]],
  ["an override of direction", "a\u202eb\u202c", [1, 3]],
  ["embeddings of direction", "\u202a\u202b", [0, 1]],
  ["a tag character alone", "hi\u{e0041}", [2]],
  ["a hidden text of tags after a flag", `${scotland}\u{e0048}\u{e0069}`, [7, 8]],
  [
    "a hidden text in a flag",
    "\u{1f3f4}\u{e0068}\u{e0065}\u{e006c}\u{e006c}\u{e006f}\u{e0077}\u{e006f}",
    [1],
  ],
  ["after characters of two units", "😀😀\u0001", [2]],
];
const taken: [string, string][] = [
  ["tab, line feed, CRLF, form feed", "a\tb\nc\r\nd\fe"],
  ["emoji with joiners", "👩‍🚀 and 👨‍👩‍👧"],
  ["joiners, marks and isolates of direction", "a\u200d\u200c\u200e\u200f\u2066b\u2069"],
  ["the flag of Scotland", scotland],
  ["Arabic", "العربية"],
];

describe("a post", () => {
  const speak = (body: string) =>
    clientOf(url).post("/api/meet/rooms/{room}/posts", {
      path: { room: "a-room" },
      body: { name: "Q", body },
    });
  test.each(refused)("is refused with %s, and the error names the places", async (_what, body, places) => {
    const { status, error } = await speak(body);
    expect([status, error?.code]).toEqual([422, "invalid_characters"]);
    expect(error!.errors![0]!.path).toBe("/body");
    expect(error!.errors![0]!.at!.slice(0, places.length)).toEqual(places);
  });
  test.each(taken)("is returned unchanged with %s", async (_what, body) => {
    expect(await speak(body)).toMatchObject({ status: 201, data: { body } });
  });
  test("is refused with at most twenty places", async () => {
    expect((await speak("\u0001".repeat(4000))).error!.errors![0]!.at).toHaveLength(20);
  });
});

describe("a deceptive character", () => {
  const bad = "a\u202eb";
  const path = async () => ({ id: (await postJob(url, ada)).id });
  const open = (body: Schemas["OpenRoom"]) => clientOf(url).post("/api/meet/rooms", { body });
  const postAs = (body: Schemas["PostJob"]) => clientOf(url, ada).post("/api/jobs", { body });
  const fields: [string, string, () => Promise<{ error?: Schemas["Problem"]; status: number }>][] = [
    ["a goal", "/goal", () => open({ goal: bad, name: "Q" })],
    ["a host's name", "/name", () => open({ goal: "x", name: bad })],
    [
      "a speaker's name",
      "/name",
      () =>
        clientOf(url).post("/api/meet/rooms/{room}/posts", {
          path: { room: "a-room" },
          body: { name: bad, body: "x" },
        }),
    ],
    ["a job's title", "/title", () => postAs({ title: bad, detail: "x" })],
    ["a job's detail", "/detail", () => postAs({ title: "x", detail: bad })],
    [
      "a result",
      "/result",
      async () =>
        clientOf(url, bob).post("/api/jobs/{id}/deliver", { path: await path(), body: { result: bad } }),
    ],
    [
      "a review's reason",
      "/reason",
      async () =>
        clientOf(url, ada).post("/api/jobs/{id}/review", {
          path: await path(),
          body: { verdict: "accepted", reason: bad },
        }),
    ],
  ];
  test.each(fields)("is refused in %s", async (_what, path, sent) => {
    const { status, error } = await sent();
    expect([status, error?.code]).toEqual([422, "invalid_characters"]);
    expect(error!.errors).toMatchObject([{ path, at: [1] }]);
  });

  test.each<[string, string, object]>([
    ["meet_open", "goal", { goal: bad, name: "Q" }],
    ["meet_ask", "question", { question: bad, name: "Q" }],
    ["meet_speak", "body", { room: "a-room", name: "Q", body: bad }],
    ["meet_answer", "name", { room: "a-room", name: bad, body: "x" }],
    ["job_post", "title", { title: bad, detail: "x" }],
  ])("is refused by the tool %s in %s", async (tool, field, args) => {
    const answer = await callTool(url, tool, args, ada.pair);
    expect(codeOf(answer)).toBe("invalid_characters");
    expect(answer.content[0]!.text).toContain(field);
    expect(answer.content[0]!.text).toContain("look at 1");
  });

  test("is refused in a form, and the page says so", async () => {
    const body = new URLSearchParams({ name: "Q", body: bad }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
    const page = await send("POST", `${url}/meet/r/a-room`, { ...headers, accept: "text/html" }, body);
    expect(page.status).toBe(422);
    expect(page.body).toContain("control characters");
  });
});

test("accepts any text without NUL in a slot, and returns it to its owner unchanged", async () => {
  const value = "\u001b[31m\u202e\u{e0041}\r";
  const put = clientOf(url, ada).put("/api/locker/{slot}", {
    path: { slot: "raw" },
    body: { value, public: true },
  });
  expect((await put).status).toBe(201);
  const own = await send("GET", `${url}/api/locker/raw`, { ...ada.pair, accept: "text/markdown" });
  expect(own.body).toContain(value);
  const others = await send("GET", `${url}/locker/ada/raw`, { accept: "text/markdown" });
  expect(others.body).toContain("[U+001B][31m[U+202E][U+E0041][U+000D]");
});

test("returns earlier texts unchanged in JSON, and shows their characters in words", async () => {
  const directory = newDirectory();
  placeFixture(9, directory);
  await moveToEngine(directory);
  const old = await startSource({ data_dir: directory });
  const room = fixtureOf(9).rooms.open;
  const json = await send("GET", `${old.url}/api/meet/rooms/${room}`);
  expect(json.body).toContain("\\u001b[31mred\u202e");
  const shown = "Escape [U+001B][31mred[U+202E], 👩‍🚀 and العربية";
  const twin = await send("GET", `${old.url}/meet/r/${room}.md`);
  expect(twin.body).toContain(shown);
  const read = await callTool(old.url, "meet_read", { room });
  expect(read.content[0]!.text).toContain(shown);
  await old.stop();
  removeDirectory(directory);
});

test("reports the same places as the characters that it shows, for any text", () => {
  for (const [, text, places] of refused) {
    const found = deceptivePlaces(text, 1000);
    expect(found.slice(0, places.length)).toEqual(places);
    expect(deceptivePlaces(revealDeceptive(text), 1000)).toEqual([]);
  }
  for (const [, text] of taken) expect(revealDeceptive(text)).toBe(text);
});

test("leaves a held job unchanged if its result is refused", async () => {
  const { id } = await postJob(url, ada);
  await callJob(url, bob, id, "claim");
  const deliver = (result: string) =>
    clientOf(url, bob).post("/api/jobs/{id}/deliver", { path: { id }, body: { result } });
  expect((await deliver("\u0007")).error?.code).toBe("invalid_characters");
  expect((await deliver("done")).status).toBe(201);
});
