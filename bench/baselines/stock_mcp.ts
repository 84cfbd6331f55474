/** MCP baseline: the SDK's stateless server as in its documentation, with a new server for each request and one tool. */

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
