/** A wrong credential is refused wherever it is sent, also at routes that need none. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { call } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let right: Record<string, string>;
let wrong: Record<string, string>[];
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  const [ada, bob] = [await claim(service.url, "Ada"), await claim(service.url, "Bob")];
  await call("POST", `${service.url}/api/meet/rooms`, { goal: "A room", name: "Zoë" });
  right = ada.pair;
  wrong = [{ ...ada.pair, "x-wf-key": bob.key }, { authorization: "Bearer nothing" }, { "x-wf-key": "" }];
});
afterAll(() => service.stop());

const documents = [
  ...[
    "/",
    "/assets/x/style.css",
    "/favicon.ico",
    "/openapi.json",
    "/api",
    "/api.md",
    "/llms.txt",
    "/SKILL.md",
    "/robots.txt",
  ],
  ...["/sitemap.xml", "/problems/rate_limited", "/problems/rate_limited.md"],
  ...["/.well-known/agent-skills/index.json", "/.well-known/api-catalog", "/.well-known/ai-catalog.json"],
  ...["/.well-known/mcp/catalog.json", "/mcp.md", "/mcp/meet.md", "/mcp", "/mcp/meet", "/mcp/meet/a-room"],
  ...["/mcp/server-card", "/mcp/meet/server-card", "/mcp/meet/a-room/server-card"],
];

describe("documents", () => {
  test.each(documents)("%s answers a wrong credential with 401", async (path) => {
    const accept = path.startsWith("/mcp") ? "text/html" : "*/*";
    const status = async (headers: Record<string, string>) =>
      (await fetch(service.url + path, { headers: { accept, ...headers }, redirect: "manual" })).status;
    expect([await status({}), await status(right)]).toEqual([200, 200]);
    for (const headers of wrong) expect(await status(headers)).toBe(401);
  });
});

const handshake = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};
const methods: [string, object][] = [
  ["initialize", handshake],
  ["ping", {}],
  ["tools/list", {}],
  ["resources/list", {}],
  ["resources/read", { uri: "meet://room/a-room" }],
  ["prompts/get", { name: "join_room", arguments: { room: "a-room" } }],
];

test("the redirect to a round of the beacon answers a wrong credential with 401", async () => {
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${service.url}/beacon?round=5`, { headers, redirect: "manual" })).status;
  expect([await status({}), await status(right)]).toEqual([303, 303]);
  for (const headers of wrong) expect(await status(headers)).toBe(401);
});

describe("MCP", () => {
  const rpc = (method: string, params: object, headers: Record<string, string>) =>
    call<{ error?: { message: string }; result?: { isError?: boolean; content: { text: string }[] } }>(
      "POST",
      `${service.url}/mcp`,
      { jsonrpc: "2.0", id: 1, method, params },
      headers,
    );

  test.each(methods)("%s answers a wrong credential with 401", async (method, params) => {
    for (const headers of [{}, right]) {
      const { status, body } = await rpc(method, params, headers);
      expect([status, body.error]).toEqual([200, undefined]);
    }
    for (const headers of wrong) {
      const { status, body, headers: answered } = await rpc(method, params, headers);
      expect([status, body.result]).toEqual([401, undefined]);
      expect(body.error!.message).toContain("name and key do not belong together");
      expect(answered.get("www-authenticate")).toStartWith("Bearer");
    }
  });

  test("the end of a session answers a wrong credential with 401", async () => {
    for (const headers of wrong) {
      expect((await call("DELETE", `${service.url}/mcp`, undefined, headers)).status).toBe(401);
    }
  });

  test("a tool returns the error as its result", async () => {
    for (const headers of wrong) {
      const { status, body } = await rpc("tools/call", { name: "meet_rooms", arguments: {} }, headers);
      expect([status, body.result!.isError]).toEqual([200, true]);
      expect(body.result!.content[0]!.text).toStartWith("Refused (unknown_credential)");
    }
  });
});
