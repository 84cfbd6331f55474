/** An unknown parameter in an address changes nothing but the header that names it, whatever is beside it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { call, fetchWatched, post } from "../support/http.ts";
import { postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

interface Parameter {
  in: string;
  name: string;
}
interface Operation {
  parameters: Parameter[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}
interface Document {
  paths: Record<string, { get?: Operation }>;
}

let service: SourceService;
let ada: Holder;
let paths: [path: string, operation: Operation][];

/** Values of parameters; of any other a text that no call understands, which must be refused alike. */
const values: Record<string, string> = {
  since: "0",
  before: "2",
  limit: "5",
  wait_seconds: "0",
  proof: "1",
  fields: "lean",
  closed: "true",
  q: "word",
  sort: "oldest",
  state: "open",
  label: "a",
  room: "a-room:0",
};
const in_path: Record<string, string> = {};

beforeAll(async () => {
  service = await startSource({ rate_limit: false, webhooks: true });
  const { url } = service;
  ada = await claim(url, "ada");
  const room = await post<{ api: string }>(`${url}/api/meet/rooms`, { goal: "A room", name: "Ana" });
  // More than an answer may have to be sent as a whole.
  for (let i = 0; i < 30; i++)
    await post(`${room.body.api}/posts`, { name: "Ana", body: "word ".repeat(700) });
  for (let i = 0; i < 200; i++)
    await post(`${url}/api/meet/rooms`, { goal: `Goal ${i} `.repeat(30), name: "Ana" });
  const job = await postJob(url, ada, { title: "A job", detail: "word" });
  await call("PUT", `${url}/api/locker/notes`, { value: "x", public: true }, ada.pair);
  service.clock.advance(3_600);
  Object.assign(in_path, { room: "a-room", id: job.id, name: "ada", slot: "notes", post: "1", n: "1" });
  const document = (await call<Document>("GET", `${url}/openapi.json`)).body;
  paths = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [[path, get]] : []));
});
afterAll(() => service.stop());

const isStream = ({ responses }: Operation): boolean =>
  Object.keys(responses["200"]?.content ?? {}).includes("text/event-stream");

async function answerTo(path: string, query: string) {
  const response = await fetchWatched(`${service.url}${path}${query}`, { headers: ada.pair });
  const text = (await response.text())
    .replace(/"request_id":"[^"]*"/, "")
    // A page may have the query in a link, and each form a key of its own.
    .replace(/ (?:href|action|value)="[^"]*"/g, "");
  return { status: response.status, text };
}

test("of every GET of the document, alone and beside each known parameter", async () => {
  let compared = 0;
  for (const [template, operation] of paths) {
    if (isStream(operation)) continue;
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => in_path[name] ?? "1");
    const known = operation.parameters.filter((parameter) => parameter.in === "query");
    const queries = ["", ...known.map(({ name }) => `${name}=${values[name] ?? "zzz"}`)];
    for (const query of queries) {
      const without = await answerTo(path, query && `?${query}`);
      for (const unknown of ["utm_source=zz", "_=1"]) {
        const beside = await answerTo(path, `?${[query, unknown].filter(Boolean).join("&")}`);
        expect([path, query, unknown, beside]).toEqual([path, query, unknown, without]);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(200);
});
