/** Tools as tests call them: one POST each, without a handshake, at the service's address. */

import { expect } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import { quoted, quoted_notice, quotedName, treat_as } from "../../src/core/text_form.ts";
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

/** The words of a result: all blocks of its content. */
export const wordsOf = ({ content }: ToolAnswer): string => content.map(({ text }) => text).join("\n");

/** Whether `words` say a text of the structured result, in the text form too. */
export const isSaid = (words: string, said: string): boolean =>
  [said, quoted(said), quotedName(said), said === treat_as ? quoted_notice : said].some((form) =>
    words.includes(form),
  ) ||
  (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(said) &&
    [said.slice(0, 10), said.slice(11, 19)].every((part) => words.includes(part)));

/** Checks that a result fits the output schema and says everything in both forms. */
export function expectBothForms({ name, outputSchema }: ToolDefinition, answer: ToolAnswer): void {
  const { structuredContent, isError } = answer;
  const words = wordsOf(answer);
  expect([name, isError, isError && words]).toEqual([name, undefined, undefined]);
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validate(outputSchema, structuredContent), ajv.errorsText()).toBe(true);
  for (const said of saidIn(structuredContent))
    expect([name, said, words, isSaid(words, said)]).toEqual([name, said, words, true]);
}

/** The code of a refusal; null for a result. */
export const codeOf = ({ isError, content }: ToolAnswer): string | null =>
  isError ? (/^Refused \((\w+)\): /.exec(content[0]!.text)?.[1] ?? "") : null;
