/** MCP clients that others wrote, behind one interface: each opens a connection of its own kind to an address. */

import { createMCPClient } from "@ai-sdk/mcp";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type Transport as ModernTransports,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface McpClient {
  /** The names of the tools that the address offers. */
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const info = { name: "test", version: "1.0.0" };

/** @modelcontextprotocol/sdk 1.x: protocol 2025-11-25, with a session. */
export const oldClient = (url: string) => oldClientOver(new OldTransport(new URL(url)));

/** The same over any transport. */
export async function oldClientOver<T extends Transport>(
  transport: T,
): Promise<McpClient & { transport: T; client: OldClient }> {
  const client = new OldClient(info);
  await client.connect(transport);
  return {
    client,
    transport,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

/** @modelcontextprotocol/client 2.x: protocol 2026-07-28, without a handshake. */
export const modernClient = (url: string) => modernClientOver(new ModernTransport(new URL(url)));

/** The same over any transport, or with a handshake. */
export async function modernClientOver(
  transport: ModernTransports,
  mode: "auto" | "legacy" = "auto",
): Promise<McpClient & { version: string | undefined; client: ModernClient }> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    version: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

/** @ai-sdk/mcp. */
export async function aiSdkClient(url: string): Promise<McpClient> {
  const client = await createMCPClient({ transport: { type: "http", url } });
  return {
    tools: async () => Object.keys(await client.tools()),
    call: async (name, args) => {
      const tools = await client.tools();
      const options = { toolCallId: "1", messages: [], context: {} };
      return (await tools[name]!.execute!(args, options as never)) as unknown as ToolAnswer;
    },
    close: () => client.close(),
  };
}

export const clients: [string, (url: string) => Promise<McpClient>][] = [
  ["SDK 1.x", oldClient],
  ["SDK 2.x", modernClient],
  ["@ai-sdk/mcp", aiSdkClient],
];
