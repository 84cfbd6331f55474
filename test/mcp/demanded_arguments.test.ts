/** Each refusal of a tool that demands an argument names one of its schema, and each value that a schema lists is understood. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type TestService } from "../support/service.ts";
import { callTool, toolsOf } from "../support/tools.ts";

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

test("every tool, with each argument of its schema alone and with none, by nobody and by the holder of a name", async () => {
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
