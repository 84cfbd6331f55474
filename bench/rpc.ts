/** Requests of MCP tool calls. */

export interface ToolCall {
  tool: string;
  args: object;
}

/** The bytes of a tool call in revision 2026-07-28, which the SDK's server answers fastest. */
export function toolRequest(address: string, { tool, args }: ToolCall): string {
  const prefix = "io.modelcontextprotocol/";
  const meta = {
    [`${prefix}protocolVersion`]: "2026-07-28",
    [`${prefix}clientInfo`]: { name: "bench", version: "1.0.0" },
    [`${prefix}clientCapabilities`]: {},
  };
  const params = { name: tool, arguments: args, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { host, pathname } = new URL(address);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: tools/call",
    `Mcp-Name: ${tool}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return [...head, "", body].join("\r\n");
}
