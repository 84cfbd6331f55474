/** `wharf serve` has none of the calls below /_dev. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ways } from "../support/service.ts";
import { startDev } from "../support/dev.ts";
import { call, get, post } from "../support/http.ts";

const root = join(import.meta.dir, "../..");

/** The calls that `wharf dev` has, by its own words. */
async function devCalls(): Promise<[method: string, path: string][]> {
  const { url } = await startDev();
  const { body } = await get<{ hint: string }>(`${url}/_dev/nothing`);
  const calls = Array.from(body.hint.matchAll(/([A-Z]+) (\/_dev[^\s,]*?)\.?(?=,|$)/g));
  return calls.map(([, method, path]) => [method!, path!.replace(/\{\w+\}/g, "a")]);
}

for (const [way, start] of ways) {
  test(`answers each of them with 404 path_not_found (${way})`, async () => {
    const calls = await devCalls();
    expect(calls.length).toBeGreaterThanOrEqual(13);
    const service = await start();
    try {
      const { url } = service;
      await post(`${url}/api/meet/rooms`, { goal: "Which harbour?", name: "ana" });
      const rooms = await get(`${url}/api/meet/rooms`);
      for (const [method, path] of calls) {
        const fields = { advance_seconds: 3600, name: "a", route: "* *", status: 500 };
        const body = method === "POST" ? fields : undefined;
        const answer = await call(method, url + path, body);
        expect([method, path, answer.status, answer.body.code]).toEqual([
          method,
          path,
          404,
          "path_not_found",
        ]);
      }
      expect((await get(`${url}/api/meet/rooms`)).body).toEqual(rooms.body);
      const { body } = await get<{ paths: object }>(`${url}/openapi.json`);
      expect(Object.keys(body.paths).filter((path) => path.includes("_dev"))).toEqual([]);
      expect((await get(`${url}/problems/clock_goes_back`, { accept: "application/json" })).status).toBe(404);
    } finally {
      await service.stop();
    }
  });
}

test("only the command `wharf dev` imports from src/dev, and it does so when it runs", () => {
  const files = [...new Bun.Glob("{src,views}/**/*.{ts,tsx}").scanSync(root)];
  const importing = files.filter(
    (path) =>
      !path.startsWith("src/dev/") &&
      /from "[^"]*\/dev\/|import\("[^"]*\/dev\//.test(readFileSync(join(root, path), "utf8")),
  );
  expect(importing).toEqual(["src/cli/commands/dev.ts"]);
  expect(readFileSync(join(root, "src/cli/commands/dev.ts"), "utf8")).not.toMatch(
    /^import .* from "[^"]*\/dev\//m,
  );
});
