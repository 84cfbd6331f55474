/** Messages of MCP: every tool with arguments that fit, nearly fit and do not fit, and messages that the protocol does not have. */

import { handshake, message, modern } from "../mcp_messages.ts";
import type { Documents, Fixtures } from "./fixtures.ts";
import type { Random } from "./random.ts";
import type { Sent } from "./request.ts";
import { jsonBytes, junk, junkText, valueFor, type Schema } from "./values.ts";

const paths = ["/mcp", "/mcp", "/mcp", "/mcp/meet", "/mcp/jobs", "/mcp/nothing", "/mcp/", "/mcp/meet,jobs"];
const versions = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2026-07-28",
  "2099-01-01",
  "z",
  "",
];
const methods = [
  "initialize",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "subscriptions/listen",
  "server/discover",
  "tasks/get",
  "roots/list",
  "__proto__",
  "",
];
const ids = [1, 0, -1, 1.5, "a", "", null, {}, [], true, 2 ** 60, "x".repeat(5_000)];

/** The params of a call of a tool. */
function toolParams({ tools }: Documents, { known }: Fixtures, random: Random): Record<string, unknown> {
  const { name, inputSchema } = random.oneOf(tools);
  const args = valueFor(inputSchema as unknown as Schema, random, known, {});
  const meta = random.once(2) ? { progressToken: random.oneOf(ids) } : junk(random);
  return {
    name: random.once(40) ? junk(random) : name,
    ...(!random.once(40) && { arguments: args }),
    ...(random.once(10) && { _meta: meta }),
  };
}

/** The params of any other method. */
function otherParams({ known }: Fixtures, random: Random): Record<string, unknown> {
  const uri = () => (random.once(3) ? junk(random) : random.oneOf(known.uri!));
  return random.oneOf<() => Record<string, unknown>>([
    () => ({}),
    () => ({ uri: uri() }),
    () => ({ notifications: { resourceSubscriptions: [uri(), uri()] } }),
    () => ({ name: junk(random), arguments: junk(random) }),
    () => ({ ref: { type: "ref/prompt", name: junkText(random) }, argument: junk(random) }),
    () => ({ cursor: junk(random), level: junk(random) }),
    () => ({ requestId: random.oneOf(ids), reason: junkText(random) }),
    () => ({ ...handshake, protocolVersion: random.once(2) ? random.oneOf(versions) : junk(random) }),
    () => ({ ...handshake, capabilities: junk(random), clientInfo: junk(random) }),
  ])();
}

/** A message that may lack what each must have, or have what none has. */
function oddMessage(whole: ReturnType<typeof message>, random: Random): unknown {
  const { id: _id, ...notification } = whole;
  return random.oneOf<() => unknown>([
    () => notification,
    () => ({ ...whole, id: random.oneOf(ids) }),
    () => ({ ...whole, jsonrpc: random.oneOf(["1.0", 2, null, undefined]) }),
    () => ({ ...whole, params: junk(random) }),
    () => ({ ...whole, method: junk(random) }),
    () => [whole, whole],
    () => [],
    () => [junk(random), whole, notification],
    () => ({ jsonrpc: "2.0", id: random.oneOf(ids), result: junk(random) }),
    () => ({ jsonrpc: "2.0", id: random.oneOf(ids), error: { code: "z" } }),
    () => ({ [junkText(random)]: whole, ...whole }),
    () => junk(random),
  ])();
}

/** A request at the address of MCP. */
export function mcpCall(documents: Documents, fixtures: Fixtures, random: Random): Sent {
  const target = random.oneOf(paths);
  const headers: [string, string][] = random.once(2) ? [["authorization", `Bearer ${fixtures.ada.key}`]] : [];
  if (random.once(3)) headers.push(["mcp-session-id", random.once(5) ? "nobody" : fixtures.session]);
  if (random.once(20)) return streamCall(target, headers, random);
  const is_tool = !random.once(3);
  const method = is_tool ? "tools/call" : random.oneOf(methods);
  const params = is_tool ? toolParams(documents, fixtures, random) : otherParams(fixtures, random);
  if (random.once(2)) return modernCall(target, headers, modern(method, params), random);
  const whole = message(method, params, random.once(5) ? random.oneOf(ids) : 1);
  if (random.once(4)) headers.push(["mcp-protocol-version", random.oneOf(versions)]);
  headers.push(["content-type", random.once(20) ? "text/plain" : "application/json"]);
  const accept = random.once(10)
    ? random.oneOf(["", "text/html", "application/json"])
    : "application/json, text/event-stream";
  headers.push(["accept", accept]);
  return {
    method: "POST",
    target,
    headers,
    body: jsonBytes(random.once(6) ? oddMessage(whole, random) : whole, random),
  };
}

/** A request of 2026-07-28, some with headers that say something else than its message. */
function modernCall(
  target: string,
  credentials: [string, string][],
  { headers, body }: ReturnType<typeof modern>,
  random: Random,
): Sent {
  const written = Object.entries(headers).map(([name, value]): [string, string] => {
    const text = random.once(25) ? junkText(random) : value;
    return [name, text.replaceAll(/[\r\n\0]/g, " ").slice(0, 3_000)];
  });
  const said = random.once(8) ? oddMessage(body, random) : body;
  return { method: "POST", target, headers: [...credentials, ...written], body: jsonBytes(said, random) };
}

/** The stream of a session, or its end. */
function streamCall(target: string, headers: [string, string][], random: Random): Sent {
  if (random.once(3))
    headers.push(["last-event-id", random.oneOf(["1", "0", "-1", "é", "a_1", "x".repeat(3_000)])]);
  headers.push(["accept", random.once(5) ? "application/json" : "text/event-stream"]);
  // The end of the session that others use would make them all the same.
  const others = headers.filter(([name]) => name !== "mcp-session-id");
  return random.once(3)
    ? { method: random.oneOf(["DELETE", "PUT", "HEAD"]), target, headers: others }
    : { method: "GET", target, headers };
}
