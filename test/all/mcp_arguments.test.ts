/**
 * Arguments of tools. Wrong ones, alone and beside each other argument, are no fault of the service; each refusal that demands one
 * names one of the schema, and each value that a schema lists is understood.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type TestService } from "../support/service.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";

interface Property {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Property[];
  items?: Property;
  additionalProperties?: Property;
}

let service: TestService;
let ada: Holder;
beforeAll(async () => {
  service = await startSource({ rate_limit: false });
  ada = await claim(service.url, "ada");
  await open(service.url, "A room");
});
afterAll(() => service.stop());

/** Values that the schema of an argument allows: all that it lists, one of each other kind. */
function allowed(
  name: string,
  { type, enum: options, anyOf, items, additionalProperties }: Property,
): unknown[] {
  if (name === "wait_seconds") return [0];
  if (options) return options;
  if (anyOf) return anyOf.flatMap((option) => allowed(name, option));
  const types = [type ?? []].flat();
  return types.flatMap((one): unknown[] => {
    if (one === "boolean") return [true, false];
    if (one === "integer" || one === "number") return [1];
    if (one === "array") return allowed(name, items ?? {}).map((item) => [item]);
    if (one === "object")
      return allowed(name, additionalProperties ?? {}).map((value) => ({ "a-room": value }));
    return one === "string" ? [name === "room" ? "a-room" : name === "name" ? "ada" : "a"] : [];
  });
}

/** The arguments that a refusal demands or finds wrong. */
function named(text: string): string[] {
  const [, code, said = ""] = /^Refused \((\w+)\): (.*)/.exec(text) ?? [];
  if (code === "credential_required") return ["key"];
  if (code !== "invalid_fields") return [];
  return said.split("; ").flatMap((fault) => /^(\w+): /.exec(fault)?.[1] ?? []);
}

test("of every tool, each argument of its schema alone and with none, by nobody and by the holder of a name", async () => {
  const missing: string[] = [];
  const not_understood: string[] = [];
  for (const { name: tool, inputSchema } of await toolsOf(service.url)) {
    const { properties } = inputSchema as unknown as { properties: Record<string, Property> };
    const calls = Object.entries(properties).flatMap(([argument, schema]) =>
      allowed(argument, schema).map((value) => ({ argument, args: { [argument]: value } })),
    );
    for (const { argument, args } of [{ argument: "", args: {} }, ...calls])
      for (const headers of [{}, ada.bearer]) {
        const { isError, content } = await callTool(service.url, tool, { wait_seconds: 0, ...args }, headers);
        if (!isError) continue;
        const call = `${tool} ${JSON.stringify(args)}: ${content[0]!.text}`;
        const demanded = named(content[0]!.text);
        if (demanded.some((name) => !(name in properties))) missing.push(call);
        if (properties[argument]?.enum && demanded.includes(argument)) not_understood.push(call);
      }
  }
  expect(missing).toEqual([]);
  expect(not_understood).toEqual([]);
});

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
