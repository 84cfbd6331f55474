/** docs/contract.md and what callers send: each field, parameter and argument is named beside its call. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { get } from "../support/http.ts";
import { startSource, type TestService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

interface Schema {
  $ref?: string;
  properties?: Record<string, object>;
}
interface Operation {
  parameters: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let service: TestService;
let document: Document;
let contract: string;
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  document = (await get<Document>(`${service.url}/openapi.json`)).body;
  contract = await Bun.file(join(import.meta.dir, "../../docs/contract.md")).text();
});
afterAll(() => service.stop());

/** Whether `text` has the word in code. */
const names = (text: string, word: string): boolean =>
  (text.match(/```[^]*?```|`[^`\n]*`/g) ?? []).some((code) => new RegExp(`\\b${word}\\b`).test(code));

/** The sections of the contract. The first two are about all calls. */
const sections = () => contract.split(/^(?=## )/m);

/** What a call takes over HTTP, without the headers. */
function sentOf({ parameters, requestBody }: Operation): string[] {
  const schema = requestBody?.content["application/json"]?.schema ?? {};
  const { properties = {} } = schema.$ref
    ? document.components.schemas[schema.$ref.split("/").at(-1)!]!
    : schema;
  return [
    ...Object.keys(properties),
    ...parameters.filter((one) => one.in === "query").map(({ name }) => name),
  ];
}

test("the section of a call, or that of all calls, names each of its fields and parameters", () => {
  const [preface, common, ...others] = sections();
  const missing: string[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const call = `${method.toUpperCase()} ${path}`;
      const own = [preface, common, ...others.filter((section) => section.includes(`\`${call}\``))].join(
        "\n",
      );
      missing.push(
        ...sentOf(operation)
          .filter((word) => !names(own, word))
          .map((word) => `${call}: ${word}`),
      );
    }
  }
  expect(missing).toEqual([]);
});

describe("the table of the tools of rooms", () => {
  /** Arguments of every tool that writes, which the text below the table describes. */
  const common = ["once", "key"];

  test("names each argument of each tool", async () => {
    const rows = contract.split("\n").filter((line) => /^\| `meet_\w+` /.test(line));
    const missing: string[] = [];
    for (const { name, inputSchema } of await toolsOf(service.url, "/mcp/meet")) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\``));
      const other = /as `(meet_\w+)`/.exec(row?.split("|")[2] ?? "")?.[1];
      const own = [row, rows.find((line) => line.startsWith(`| \`${other}\``))].join("\n");
      const properties = Object.keys((inputSchema as Schema).properties ?? {});
      missing.push(
        ...properties
          .filter((word) => !common.includes(word) && !names(own, word))
          .map((word) => `${name}: ${word}`),
      );
    }
    expect(missing).toEqual([]);
  });
});
