/** The service whose answers are counted: the source in this process, with a clock, ids and addresses that never vary. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../src/app/serve.ts";
import { createLog } from "../../src/core/log.ts";
import { default_config } from "../../src/core/settings.ts";
import type { ToolDefinition } from "../../src/mcp/tool.ts";
import { FakeClock } from "../../test/support/clock.ts";
import { seededRandom } from "../../src/dev/random.ts";

export type Headers = Record<string, string>;

/** The two forms of a tool's result, as a client hands them to a model. */
export interface ToolForms {
  text: string;
  /** `structuredContent` as JSON without spaces. */
  structured: string;
}

export interface CountedService {
  clock: FakeClock;
  /** Returns the body of an answer. Throws if the call is refused. */
  get(path: string, headers?: Headers): Promise<string>;
  post<Body>(path: string, body: object, headers?: Headers): Promise<Body>;
  tool(name: string, args: object, headers?: Headers): Promise<ToolForms>;
  tools(path: string): Promise<ToolDefinition[]>;
  /** How many waits are open. */
  waits(): number;
  stop(): Promise<void>;
}

interface RpcAnswer {
  result: {
    content: { text: string }[];
    structuredContent: object;
    isError?: boolean;
    tools: ToolDefinition[];
  };
}

/** Links begin with an address of usual length, not with the port of this run. */
const base_url = "https://wharf.example";

export async function startCountedService(): Promise<CountedService> {
  const clock = new FakeClock("2026-03-01T22:40:00.000Z");
  const data_dir = mkdtempSync(join(tmpdir(), "wharf-tokens-"));
  const service = await serve(
    { ...default_config, port: 0, base_url, data_dir },
    { clock, random: seededRandom(1), log: createLog(clock, "error", console.error) },
  );

  async function send(method: string, path: string, headers: Headers, body?: object): Promise<string> {
    const response = await fetch(service.url + path, {
      method,
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  const rpc = async (path: string, method: string, params: object, headers: Headers = {}) => {
    const message = { jsonrpc: "2.0", id: 1, method, params };
    return (JSON.parse(await send("POST", path, headers, message)) as RpcAnswer).result;
  };

  return {
    clock,
    get: (path, headers = {}) => send("GET", path, headers),
    post: async <Body>(path: string, body: object, headers = {}) =>
      JSON.parse(await send("POST", path, headers, body)) as Body,
    async tool(name, args, headers) {
      const result = await rpc("/mcp", "tools/call", { name, arguments: args }, headers);
      const text = result.content.map(({ text }) => text).join("\n");
      if (result.isError) throw new Error(`${name}: ${text}`);
      return { text, structured: JSON.stringify(result.structuredContent) };
    },
    tools: async (path) => (await rpc(path, "tools/list", {})).tools,
    waits: () => service.open().waits,
    async stop() {
      await service.stop();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
