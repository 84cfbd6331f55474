/** Agents on seven MCP clients that others wrote: each calls tools and sees only what its client shows to a model. */

import { createMCPClient } from "@ai-sdk/mcp";
import { getAllMcpTools, MCPServerStreamableHttp, RunContext, type FunctionTool } from "@openai/agents";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { modernClient, oldClient, type McpClient, type ToolAnswer } from "./mcp_clients.ts";
import { command } from "./command.ts";
import { linesOf, python_versions, pythonWith } from "./python.ts";
import { newDirectory, removeDirectory } from "./service.ts";

/** The part of a result that the client shows. Clients differ, and some can be configured. */
export type Form = "content" | "structuredContent";

export interface Agent {
  /** The names of the tools that the client found. */
  tools: string[];
  /** Calls a tool; resolves to what the model reads: words, or a structured result as JSON. A refusal is always words. */
  call(tool: string, args: object): Promise<string>;
  close(): Promise<void>;
}

export type Connect = (url: string, form: Form) => Promise<Agent>;

const readAs = (form: Form, content: unknown, structured: unknown): string =>
  form === "structuredContent" && structured !== undefined ? JSON.stringify(structured) : wordsOf(content);

const wordsOf = (content: unknown): string =>
  (Array.isArray(content) ? content : [content]).map(({ text }: { text: string }) => text).join("\n");

/** With the official SDKs the program decides what it shows. */
const onSdk =
  (connect: (url: string) => Promise<McpClient>): Connect =>
  async (url, form) => {
    const client = await connect(url);
    return {
      tools: await client.tools(),
      async call(tool, args) {
        const { content, structuredContent } = await client.call(tool, { ...args });
        return readAs(form, content, structuredContent);
      },
      close: () => client.close(),
    };
  };

/** @ai-sdk/mcp shows the content, and the structured result of tools whose output schema the program knows. */
const onAiSdk: Connect = async (url, form) => {
  const client = await createMCPClient({ transport: { type: "http", url } });
  const definitions = await client.listTools();
  const known = definitions.tools.map(({ name, inputSchema, outputSchema }) => {
    const schemas = { inputSchema: zod(inputSchema), outputSchema: zod(outputSchema) };
    return [name, schemas] as const;
  });
  const schemas = form === "content" ? ("automatic" as const) : Object.fromEntries(known);
  const tools = client.toolsFromDefinitions(definitions, { schemas });
  return {
    tools: Object.keys(tools),
    async call(name, input) {
      const tool = tools[name]!;
      const output = await tool.execute(input, { toolCallId: "1", messages: [], context: {} });
      const shown = await tool.toModelOutput!({ toolCallId: "1", input, output: output as never });
      if (shown.type === "json") return JSON.stringify(shown.value);
      if (shown.type === "content") return wordsOf(shown.value);
      throw new Error(`${name} is shown as ${shown.type}`);
    },
    close: () => client.close(),
  };
};

const zod = (schema: unknown) => z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);

/** @openai/agents shows the content, or with useStructuredContent the structured result. */
const onOpenAiAgents: Connect = async (url, form) => {
  const server = new MCPServerStreamableHttp({ url, useStructuredContent: form === "structuredContent" });
  await server.connect();
  const tools = (await getAllMcpTools([server])) as FunctionTool[];
  return {
    tools: tools.map(({ name }) => name),
    async call(name, args) {
      const tool = tools.find((tool) => tool.name === name)!;
      const shown = await tool.invoke(new RunContext(), JSON.stringify(args));
      return typeof shown === "string" ? shown : wordsOf(shown);
    },
    close: () => server.close(),
  };
};

/** mcporter, a command: prints the content, or as JSON the structured result. It has a home of its own, with one server in it. */
const onMcporter: Connect = async (url, form) => {
  const home = newDirectory();
  mkdirSync(join(home, "config"));
  const config = { mcpServers: { wharf: { baseUrl: url } }, imports: [] };
  writeFileSync(join(home, "config/mcporter.json"), JSON.stringify(config));
  const run = (...args: string[]) => command("mcporter/dist/cli.js", args, home);
  const listed = JSON.parse((await run("list", "wharf", "--json")).stdout) as { tools: { name: string }[] };
  return {
    tools: listed.tools.map(({ name }) => name),
    async call(tool, args) {
      const output = form === "content" ? "text" : "json";
      const said = ["call", `wharf.${tool}`, "--args", JSON.stringify(args), "--output", output];
      const { stdout, stderr } = await run(...said);
      if (stderr) throw new Error(stderr);
      return stdout;
    },
    close: () => Promise.resolve(removeDirectory(home)),
  };
};

/** The official Python client: the program decides what it shows. */
const onPython =
  (version: string): Connect =>
  async (url, form) => {
    const script = [pythonWith(version), join(import.meta.dir, "agent.py"), url];
    const child = Bun.spawn(script, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    const lines = linesOf(child.stdout);
    const answer = async () => JSON.parse((await lines.next()).value as string) as unknown;
    return {
      tools: (await answer()) as string[],
      async call(tool, args) {
        await child.stdin.write(`${JSON.stringify({ tool, arguments: args })}\n`);
        await child.stdin.flush();
        const { content, structuredContent } = (await answer()) as ToolAnswer;
        return readAs(form, content, structuredContent);
      },
      async close() {
        await child.stdin.end();
        await child.exited;
      },
    };
  };

/** SDK 1.x, mcporter and the Python clients speak 2025-11-25, with a session; the others 2026-07-28. */
export const agents: [string, Connect][] = [
  ["SDK 1.x", onSdk(oldClient)],
  ["SDK 2.x", onSdk(modernClient)],
  ["@ai-sdk/mcp", onAiSdk],
  ["@openai/agents", onOpenAiAgents],
  ["mcporter", onMcporter],
  ...python_versions.map((version): [string, Connect] => [`Python ${version}`, onPython(version)]),
];
