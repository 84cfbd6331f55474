/** No secret and no private value is returned or logged, wherever it is sent; and the scan of all tests finds one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { createLog } from "../../src/core/log.ts";
import { newSecret, sha256Hex } from "../../src/core/secrets.ts";
import { leaksIn, leaksInOutput, privateValue } from "../support/canaries.ts";
import { FakeClock } from "../support/clock.ts";
import { call, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { rawRequest } from "../support/raw.ts";
import { storedTexts } from "../support/stored.ts";
import { ways, type TestService } from "../support/service.ts";
import { callTool, toolsOf } from "../support/tools.ts";

describe.each(ways)("secrets (%s)", (_way, start) => {
  let service: TestService;
  let ada: Holder;
  let room: OpenedRoom;
  let secrets: string[];
  const hidden = privateValue();
  beforeAll(async () => {
    service = await start();
    ada = await claim(service.url, "Ada");
    room = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "Secrets", name: "x" })).body;
    secrets = [ada.key, ada.recovery_code, room.host_key!];
    await call("PUT", `${service.url}/api/locker/hidden`, { value: hidden }, ada.pair);
  });
  afterAll(() => service.stop());

  test("are in no answer to anything that they are sent in", async () => {
    const json = { "content-type": "application/json" };
    const paths = [
      "/api/meet/rooms",
      `/api/meet/rooms/${room.slug}`,
      `/api/meet/rooms/${room.slug}/posts`,
      "/api/name",
      "/api/name/recover",
      "/api/name/revoke",
      "/api/locker/a",
      "/mcp",
      "/mcp/meet",
      "/meet",
    ];
    for (const secret of [...secrets, hidden]) {
      const fields = ["goal", "name", "body", "key", "recovery_code", "in_reply_to", "jsonrpc", "method"];
      const wrong = { ...Object.fromEntries(fields.map((field) => [field, [secret]])), [secret]: secret };
      const headers: Record<string, string>[] = [
        { "x-wf-name": secret, "x-wf-key": `${secret}x` },
        { "x-meet-key": `${secret}x`, "idempotency-key": `${secret} ${secret}` },
        { "if-match": secret, "if-none-match": secret, "last-event-id": secret },
        { accept: secret, "mcp-session-id": secret, "mcp-protocol-version": secret, origin: secret },
        { authorization: `Bearer ${secret}x` },
        { authorization: `Basic ${secret}` },
      ];
      for (const path of [...paths, `/${secret}`, `/api/name/${secret}`, `/meet/r/${secret}`]) {
        const url = `${service.url}${path}?since=${secret}&cursor=${secret}&limit=${secret}&q=${secret}`;
        for (const method of ["GET", "POST", "PUT", "PATCH"]) {
          const body = method === "GET" ? [undefined] : [JSON.stringify(wrong), `{"a": "${secret}`, secret];
          for (const sent of body) await send(method, url, json, sent);
        }
        for (const more of headers) await send("GET", url, more);
      }
      const raw = await rawRequest(service.url, [
        `GET /${secret} HTTP/1.1`,
        // A refused Host is logged by its name, so that the operator can allow it; a key is no name.
        `Host: ${secret === hidden ? "elsewhere.example" : secret}`,
        "Connection: close",
        "",
        "",
      ]);
      expect(raw.headers + raw.body).not.toContain(secret);
    }
    for (const found of [...secrets, ...secrets.map(sha256Hex), hidden]) {
      expect(service.output()).not.toContain(found);
    }
  });

  test("are in no answer of a tool that they are sent to, whatever is wrong with the call", async () => {
    for (const { name, inputSchema } of await toolsOf(service.url)) {
      const fields = Object.keys((inputSchema as { properties?: object }).properties ?? {});
      for (const secret of [...secrets, hidden]) {
        // A private value may be a valid text, for example a name to claim; a key never is.
        for (const wrong of [[secret], `${secret}\0`, ...(secret === hidden ? [] : [secret])]) {
          const args = Object.fromEntries(fields.map((field) => [field, wrong]));
          const { isError } = await callTool(service.url, name, { ...args, key: null, [secret]: secret });
          // Any text may be sent as a receipt to verify.
          if (wrong !== secret) expect(isError, name).toBe(true);
        }
      }
    }
  });

  test("are in no file, but for the hashes of secrets and the values of slots", async () => {
    const files = await storedTexts(service.directory);
    const contains = (text: string) => files.some((bytes) => bytes.includes(text));
    for (const secret of secrets) {
      expect(contains(secret)).toBe(false);
      expect(contains(sha256Hex(secret))).toBe(true);
    }
    expect(contains(hidden)).toBe(true);
  });
});

test("are in no log line, even where an address or an error holds one", () => {
  let lines = "";
  const secret = newSecret("wfr_", seededRandom(98));
  const log = createLog(new FakeClock(), "debug", (line) => void (lines += line));
  log.error("request.failed", { path: `/api/name/${secret}`, error: `no such thing: "${secret}"` });
  expect(lines).not.toContain(secret);
  expect(JSON.parse(lines).path).toBe("/api/name/wfr_…");
});

describe("the search of all tests", () => {
  test("distinguishes a secret that is issued from one that leaks", () => {
    const secret = newSecret("wfk_", seededRandom(99));
    const body = { name: "x", key: secret };
    const text = JSON.stringify(body);
    expect(leaksIn("POST /api/name", text, body)).toEqual([]);
    const by_tool = { result: { structuredContent: body, content: [{ text: `key: ${secret}` }] } };
    expect(leaksIn("POST /mcp", JSON.stringify(by_tool), by_tool)).toEqual([]);
    expect(leaksIn("POST /mcp/meet", JSON.stringify(by_tool), by_tool)).toHaveLength(2);
    expect(leaksIn("POST /api/name", text.replace("x", secret), { ...body, key: "" })).toHaveLength(2);
    expect(leaksIn("GET /api/name/x", text, body)).toEqual([secret]);
    expect(leaksIn("GET /api/name/x", sha256Hex(secret), null)).toEqual([sha256Hex(secret)]);
    expect(leaksInOutput(`{"key":"${secret}"}`)).toEqual([secret]);
    expect(leaksInOutput(`{"hash":"${sha256Hex(secret)}"}`)).toHaveLength(1);
    const webhook = { secret: `whsec_${"0".repeat(43)}=` };
    const with_secret = JSON.stringify(webhook);
    expect(leaksIn("PUT /api/mailbox/webhook", with_secret, webhook)).toEqual([]);
    expect(leaksIn("GET /api/mailbox/webhook", with_secret, webhook)).toEqual([webhook.secret]);
    expect(leaksInOutput(with_secret)).toEqual([webhook.secret]);
    expect(leaksIn("GET /api/name/x", `wfk_${"x".repeat(49)}`, null)).toEqual([]);
  });

  test("distinguishes a private value that its owner reads from one that others see", () => {
    const body = { value: privateValue() };
    const text = JSON.stringify(body);
    expect(leaksIn("GET /api/locker/a", text, body)).toEqual([]);
    expect(leaksIn("GET /api/locker/a", body.value, null)).toEqual([]);
    const resultOf = (members: object) => ({
      result: { structuredContent: members, content: [{ text: body.value }] },
    });
    const [owners, anybodys] = [resultOf({ ...body, version: 1 }), resultOf(body)];
    expect(leaksIn("POST /mcp", JSON.stringify(owners), owners)).toEqual([]);
    expect(leaksIn("POST /mcp", JSON.stringify(anybodys), anybodys)).toEqual([body.value, body.value]);
    expect(leaksIn("GET /api/locker/index", text, body)).toEqual([body.value]);
    expect(leaksIn("GET /locker/ada/a", text, body)).toEqual([body.value]);
    expect(leaksInOutput(text)).toEqual([body.value]);
  });
});
