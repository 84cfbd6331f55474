/** The MCP SDK's stock stateless server as its documentation shows it: a new server a request, one trivial tool. */

import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "stock", version: "1.0.0" });
  server.registerTool(
    "echo",
    {
      description: "Says the text again.",
      inputSchema: fromJsonSchema<{ text: string }>({
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
      }),
    },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  return server;
});

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => handler.fetch(request) });
console.log(`serving at ${server.url.href}`);
