/** The MCP Inspector's command at every kind of address, in both eras: it reads all that is offered, and its linter finds nothing. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { command } from "../support/command.ts";
import { post } from "../support/http.ts";
import { newDirectory, removeDirectory, startSource, ways, type TestService } from "../support/service.ts";

const home = newDirectory();
afterAll(() => removeDirectory(home));

/** Runs the Inspector. Returns the `result` that it prints. */
async function inspect(url: string, method: string, ...options: string[]) {
  const script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
  const said = ["--cli", url, "--transport", "http", "--format", "json", "--method", method, ...options];
  const { stdout, stderr, code } = await command(script, said, home);
  const { result } = JSON.parse(stdout || "{}") as { result?: Record<string, { name: string }[]> };
  return { code, stderr, result };
}

const meet = ["meet_ask", "meet_answer", "meet_rooms", "meet_open", "meet_read", "meet_speak"];
const addresses = ["/mcp", "/mcp/meet", "/mcp/meet/tea"];
const offered: [method: string, member: string, names: string[], ...options: string[]][] = [
  ["tools/list", "tools", meet, "--strict"],
  ["resources/list", "resources", ["tea"]],
  ["resources/templates/list", "resourceTemplates", ["room"]],
  ["prompts/list", "prompts", ["join_room"]],
];
const eras = ["legacy", "modern"];

describe.each(ways)("%s", (_, start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
    await post(`${service.url}/api/meet/rooms`, { goal: "tea", name: "Ada" });
  });
  afterAll(() => service.stop());

  const calls = addresses.flatMap((address) => eras.map((era) => [address, era] as const));
  test.each(calls)("reads %s in the %s era without an error or a warning", async (address, era) => {
    for (const [method, member, names, ...options] of offered) {
      const seen = await inspect(service.url + address, method, "--protocol-era", era, ...options);
      expect([method, seen.code, seen.stderr]).toEqual([method, 0, ""]);
      const found = seen.result![member]!.map(({ name }) => name);
      expect(found.slice(0, names.length)).toEqual(names);
    }
  });

  test.each(eras)("calls a tool in the %s era, and reports a refusal", async (era) => {
    const read = (room: string) => {
      const options = ["--tool-name", "meet_read", "--tool-arg", `room=${room}`, "--protocol-era", era];
      return inspect(`${service.url}/mcp`, "tools/call", ...options);
    };
    const answer = await read("tea");
    expect([answer.code, answer.stderr]).toEqual([0, ""]);
    expect(answer.result).toMatchObject({ structuredContent: { room: { goal: "tea" } } });
    const refused = await read("nowhere");
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("tool_is_error")]);
  });
});

/** Schemas that some clients cannot take, what the linter calls them, and the code with which it ends. */
const planted: [schema: string, called: string, code: number][] = [
  ["true", "Error", 6],
  ["{}", "Warning", 0],
];

test.each(planted)(
  "control: its linter finds a property whose schema is %s",
  async (schema, called, code) => {
    const service = await startSource();
    const server = Bun.serve({
      port: 0,
      async fetch({ url, method, headers, body }) {
        const response = await fetch(service.url + new URL(url).pathname, { method, headers, body });
        const answer = (await response.text()).replace('"properties":{', `"properties":{"odd":${schema},`);
        return new Response(answer, response);
      },
    });
    const url = new URL("/mcp", server.url).href;
    const seen = await inspect(url, "tools/list", "--protocol-era", "modern", "--strict");
    await server.stop(true);
    await service.stop();
    expect([seen.code, seen.stderr]).toEqual([code, expect.stringContaining(`${called}: tool "meet_ask"`)]);
  },
);
