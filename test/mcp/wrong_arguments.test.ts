/** Wrong arguments of tools, alone and beside each other argument: each call is answered, and none is a fault of the service. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type TestService } from "../support/service.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";

let service: TestService;
let ada: Holder;
beforeAll(async () => {
  service = await startSource({ rate_limit: false });
  ada = await claim(service.url, "ada");
  await open(service.url, "A room");
});
afterAll(() => service.stop());

/** Values of which at least one is wrong for any argument. */
const wrong = [
  null,
  "z",
  -1,
  1e21,
  0.5,
  true,
  [],
  [1],
  {},
  { a: "z" },
  { a: { b: [] } },
  "\u0000",
  "x".repeat(5_000),
];

/** A value that fits, or that is at least understood. */
function fitting(name: string, { type, enum: options }: { type?: string; enum?: unknown[] }): unknown {
  const known: Record<string, unknown> = {
    room: "a-room",
    rooms: { "a-room": 0 },
    name: "ada",
    key: ada.key,
    wait_seconds: 0,
    since: 0,
    once: Bun.randomUUIDv7(),
  };
  if (name in known) return known[name];
  if (options) return options[0];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  return type === "array" ? ["a"] : type === "object" ? {} : "a";
}

test("of every tool, each argument wrong in turn", async () => {
  const faults: string[] = [];
  let calls = 0;
  const attempt = async (tool: string, args: object) => {
    calls++;
    const code = codeOf(await callTool(service.url, tool, { wait_seconds: 0, ...args }));
    if (code === "internal") faults.push(`${tool} ${JSON.stringify(args).slice(0, 100)}`);
  };
  for (const { name: tool, inputSchema } of await toolsOf(service.url)) {
    const { properties } = inputSchema as unknown as {
      properties: Record<string, { type?: string; enum?: unknown[] }>;
    };
    for (const argument of [...Object.keys(properties), "unknown_argument"]) {
      const others = Object.keys(properties).filter((other) => other !== argument);
      const fit = Object.fromEntries(others.map((other) => [other, fitting(other, properties[other]!)]));
      for (const value of wrong) {
        await attempt(tool, { [argument]: value });
        await attempt(tool, { ...fit, [argument]: value });
        for (const other of others) await attempt(tool, { [other]: fit[other], [argument]: value });
      }
    }
  }
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(5_000);
}, 60_000);

test("of wait, a wrong one beside a map of rooms", async () => {
  const answer = await callTool(service.url, "wait", { rooms: { a: 1 }, wait_seconds: "z" });
  expect(codeOf(answer)).toBe("invalid_fields");
  expect(answer.content[0]!.text).toContain("wait_seconds");
});
