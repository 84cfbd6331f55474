/** Tools as tests call them: one POST each, without a handshake, at the service's address. */

import { expect } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import type { ToolDefinition } from "../../src/mcp/tool.ts";
import type { ToolAnswer } from "./mcp_clients.ts";
import { ask } from "./mcp_messages.ts";

/** What no refusal of a tool contains: a path of the API, a header, a status. */
export const http_words =
  /\b(?:GET|POST|PUT|PATCH|DELETE) \S*\/|\/api\/|\bx-[a-z]+-[a-z]|\b(?:ETag|If-(?:None-)?Match|Retry-After|Idempotency-Key|RateLimit|Authorization|Content-Type)\b|\bstatus [1-5]\d\d\b|\bHTTP\b/i;

/** Calls a tool. A refusal must not contain words of HTTP. */
export async function callTool(
  url: string,
  name: string,
  args: object,
  headers: Record<string, string> = {},
  path = "/mcp",
): Promise<ToolAnswer> {
  const { body } = await ask<ToolAnswer>(url + path, "tools/call", { name, arguments: args }, headers);
  const answer = body.result!;
  if (answer.isError) expect(answer.content[0]!.text).not.toMatch(http_words);
  return answer;
}

/** The definitions of the tools at an address. */
export const toolsOf = async (url: string, path = "/mcp"): Promise<ToolDefinition[]> =>
  (await ask<{ tools: ToolDefinition[] }>(url + path, "tools/list")).body.result!.tools;

/** Every text and time in a structured result. Its words must contain them too. */
export function saidIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(saidIn);
}

/** Checks that a result fits the output schema and says everything in both forms. */
export function expectBothForms({ name, outputSchema }: ToolDefinition, answer: ToolAnswer): void {
  const { content, structuredContent, isError } = answer;
  expect([name, isError, isError && content[0]!.text]).toEqual([name, undefined, undefined]);
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validate(outputSchema, structuredContent), ajv.errorsText()).toBe(true);
  expect(content).toHaveLength(1);
  for (const said of saidIn(structuredContent)) expect(content[0]!.text, name).toContain(said);
}

/** The code of a refusal; null for a result. */
export const codeOf = ({ isError, content }: ToolAnswer): string | null =>
  isError ? (/^Refused \((\w+)\): /.exec(content[0]!.text)?.[1] ?? "") : null;
