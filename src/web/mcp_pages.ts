/** Whether a request at an MCP address is from a reader of the page there, or from a client of MCP, which is a program. */

import { pathOf } from "./allowed_methods.ts";

const is_mcp_address = /^\/mcp(?:\/|$)/;

/** Whether a request is a client's call at an MCP address. */
export const isMcpCall = (request: Request): boolean =>
  is_mcp_address.test(pathOf(request)) && !opensMcpPage(request);

/** Whether a request at an MCP address asks for its page: a program that looks for a stream or metadata there must get none. */
export function opensMcpPage(request: Request): boolean {
  const { method, headers } = request;
  if (method !== "GET" || headers.has("mcp-session-id")) return false;
  return headers.get("accept")?.includes("text/html") === true || pathOf(request).endsWith(".md");
}
