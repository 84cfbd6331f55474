/** Request targets that no client library sends: fragments, broken percent-encoding, whole addresses. No route fails at one. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";
import { startSource, type TestService } from "../support/service.ts";

let service: TestService;
let paths: string[];
beforeAll(async () => {
  service = await startSource({ rate_limit: false, webhooks: true });
  const { body } = await get<{ paths: Record<string, { get?: object }> }>(`${service.url}/openapi.json`);
  paths = Object.keys(body.paths).filter((path) => body.paths[path]!.get);
});
afterAll(() => service.stop());

/** What stands for the last parameter of a path, or behind the path. */
const odd = [
  "#",
  "#%",
  "%",
  "%zz",
  "%ff",
  "%00",
  "a#%b",
  "a?%",
  "a?%zz=%",
  "a?#%",
  "a/#%",
  "#?%",
  "%2F%",
  "\\",
];

test("answers every GET of the document at odd targets, with no status of 500 or above", async () => {
  expect(paths.length).toBeGreaterThan(40);
  const failures: string[] = [];
  for (const path of paths) {
    const parts = path.split(/\{\w+\}/);
    const targets = odd.flatMap((text) => {
      const filled = parts.length > 1 ? parts.slice(0, -1).join("a") + text + parts.at(-1)! : path + text;
      return [filled, `http://localhost${filled}`];
    });
    const answers = await Promise.all(
      targets.map(async (target) => {
        const lines = [`GET ${target} HTTP/1.1`, "Host: localhost", "Connection: close", "", ""];
        return `${(await rawRequest(service.url, lines)).status} ${target}`;
      }),
    );
    failures.push(...answers.filter((answer) => !/^[234]/.test(answer)));
  }
  expect(failures).toEqual([]);
});

test("refuses a fragment, which no request has", async () => {
  const lines = ["GET /api/meet/rooms#a HTTP/1.1", "Host: localhost", "Connection: close", "", ""];
  const answer = await rawRequest(service.url, lines);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "malformed_request" });
});
