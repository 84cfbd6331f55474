/** A key of the service in a place that is not for keys: refused at every route and every tool, never echoed, stored or logged. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newSecret } from "../../src/core/secrets.ts";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import type { Schema } from "../../src/web/openapi/schemas.ts";
import { filesIn } from "../support/directories.ts";
import { get, post, send } from "../support/http.ts";
import { ask, askModern, beginSession, handshake } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { rawRequest } from "../support/raw.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, codeOf, toolsOf } from "../support/tools.ts";

/** Every prefix that a secret has, or may have in the future. */
const prefixes = ["wfk_", "wfr_", "wfh_", "wfi_", "wfa_"];
const secrets = prefixes.map((prefix, i) => newSecret(prefix, seededRandom(500 + i)));
const [secret] = secrets as [string];

/** Percent-encoded once: every character, as a program may do that encodes more than it has to. */
const encoded = (text: string): string =>
  Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join("");

let service: SourceService;
let ada: Holder;
let document: OpenApi;
const everything: string[] = [];
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  ada = await claim(service.url, "Ada");
  document = (await get<OpenApi>(`${service.url}/openapi.json`)).body;
  await post(`${service.url}/api/meet/rooms`, { goal: "Keys", name: "Ada" }, ada.pair);
});
afterAll(() => service.stop());

/** Sends a request that contains a key. Expects a refusal that does not repeat the key. */
async function expectRefused(method: string, path: string, headers = {}, body?: string): Promise<void> {
  const answer = await send(method, service.url + path, headers, body);
  const seen = { call: `${method} ${path} ${body ?? ""}`, status: answer.status };
  const all = answer.body + JSON.stringify([...answer.headers]);
  everything.push(all);
  expect(seen).toEqual({ ...seen, status: 422 });
  expect(answer.body).toContain("contains_key");
  expect(answer.headers.get("cache-control")).toBe("no-store");
}

const json = { "content-type": "application/json" };
const fieldsOf = (schema: Schema | undefined): Record<string, Schema> => {
  const name = schema?.$ref?.split("/").at(-1);
  return (name ? document.components.schemas[name] : schema)?.properties ?? {};
};

/** The places for keys over HTTP. */
const belongs = new Set([
  "POST /api/name invite",
  "POST /api/name/recover recovery_code",
  "POST /api/name/revoke key",
  "PUT /api/locker/{slot} value",
]);

/** The arguments for keys, beside `key`. */
const belongs_in_tool = new Set(["locker_put value", "name_recover recovery_code", "meet_close host_key"]);

const filled = (path: string): string =>
  path
    .replace("{room}", "keys")
    .replace("{name}", "ada")
    .replace(/\{\w+\}/g, "x");

describe("keys over HTTP", () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );

  test("refuses a key in every part of every path, plain and percent-encoded", async () => {
    for (const { method, path, operation } of operations()) {
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === "path")) {
        for (const text of [...secrets, encoded(secret), encoded(encoded(secret)), `a${secret}b`]) {
          await expectRefused(method, filled(path.replace(`{${name}}`, text)), ada.pair);
        }
      }
    }
  });

  test("refuses a key in every parameter of every query, and in an unknown one", async () => {
    for (const { method, path, operation } of operations()) {
      const names = operation.parameters.filter((parameter) => parameter.in === "query");
      for (const name of [...names.map((parameter) => parameter.name), "other"]) {
        for (const text of [secret, encoded(secret)]) {
          await expectRefused(method, `${filled(path)}?${name}=${text}`, ada.pair);
        }
      }
      await expectRefused(method, `${filled(path)}?${secret}=1`, ada.pair);
    }
  });

  test("refuses a key in every field of every body, in an unknown one, and as the name of one", async () => {
    const walked: string[] = [];
    for (const { method, path, operation } of operations()) {
      const body = operation.requestBody?.content["application/json"]?.schema;
      if (!body) continue;
      const example = Object.fromEntries(
        Object.entries(fieldsOf(body)).map(([name, field]) => [name, field.examples?.[0] ?? "x"]),
      );
      for (const name of [...Object.keys(fieldsOf(body)), "other"]) {
        const place = `${method} ${path} ${name}`;
        walked.push(place);
        if (belongs.has(place)) continue;
        for (const value of [...secrets, `mine is ${secret}`, [secret], { deep: [{ [secret]: 1 }] }]) {
          const sent = JSON.stringify({ ...example, [name]: value });
          await expectRefused(method, filled(path), { ...json, ...ada.pair }, sent);
        }
      }
      const escaped = JSON.stringify({ ...example, other: secret }).replace("wfk_", "\\u0077fk_");
      await expectRefused(method, filled(path), { ...json, ...ada.pair }, escaped);
      const as_name = JSON.stringify({ ...example, [secret]: 1 });
      await expectRefused(method, filled(path), { ...json, ...ada.pair }, as_name);
    }
    for (const place of belongs) expect(walked).toContain(place);
  });

  const pages: [path: string, ...parameters: string[]][] = [
    ["/meet", "q", "cursor"],
    ["/meet.md", "q", "cursor"],
    ["/meet/r/keys", "reply"],
    ["/jobs", "q", "by", "tag", "state", "sort", "limit", "cursor"],
    ["/jobs.md", "q", "by", "tag"],
    ["/locker", "cursor", "limit"],
    ["/locker.md", "cursor"],
    ["/receipt", "r"],
    ["/receipt.md", "r"],
    ["/beacon", "round", "label"],
    ["/beacon/1", "label", "int", "pick", "shuffle"],
    ["/name/ada"],
    ["/llms.txt"],
    ["/problems/internal"],
    ["/mcp/meet"],
    ["/"],
  ];
  test.each(pages)("refuses a key in the address of the page %s", async (path, ...parameters) => {
    for (const accept of ["text/html", "text/markdown", "*/*"]) {
      for (const name of [...parameters, "other"]) {
        for (const text of [secret, encoded(secret), `a+${secret}`]) {
          const { status, headers, body } = await send("GET", `${service.url}${path}?${name}=${text}`, {
            accept,
          });
          everything.push(body);
          expect([status, headers.get("cache-control")]).toEqual([422, "no-store"]);
        }
      }
      const below = await send("GET", `${service.url}${path}/${secret}`, { accept });
      expect(below.status).toBe(422);
    }
  });

  test.each(["/meet", "/meet/r/keys"])("refuses a key in every field of the form at %s", async (path) => {
    const fields = { goal: "g", name: "n", body: "b", visibility: "public", in_reply_to: "", other: "o" };
    const form = { "content-type": "application/x-www-form-urlencoded", origin: service.url };
    for (const name of Object.keys(fields)) {
      const sent = new URLSearchParams({ ...fields, [name]: secret }).toString();
      const { status, body } = await send("POST", service.url + path, form, sent);
      everything.push(body);
      expect([name, status]).toEqual([name, 422]);
      expect(body).toMatch(/a key of this service/i);
    }
  });

  test("refuses a key in a fragment and in Host, which only a bare socket sends", async () => {
    const { host } = new URL(service.url);
    for (const [target, named, status] of [
      [`/meet#${secret}`, host, 422],
      [`/api/meet/rooms?q=x#${secret}`, host, 422],
      ["/api/meet/rooms", `${secret}.localhost`, 400],
      ["/meet", `${secret}.localhost`, 400],
      // The host of an absolute address is never read: the Host header counts.
      [`http://${secret}.localhost/meet`, host, 200],
    ] as const) {
      const lines = [`GET ${target} HTTP/1.1`, `Host: ${named}`, "Connection: close", "", ""];
      const answer = await rawRequest(service.url, lines);
      everything.push(answer.headers + answer.body);
      expect([target, answer.status]).toEqual([target, status]);
    }
  });
});

describe("keys where they belong", () => {
  test("accepts a key to recover, to revoke, and in a private slot", async () => {
    const { url } = service;
    const bob = await claim(url, "Bob");
    const accepted = await send(
      "PUT",
      `${url}/api/locker/mine`,
      { ...json, ...bob.pair },
      JSON.stringify({ value: bob.key }),
    );
    expect(accepted.status).toBe(201);
    const by_tool = await callTool(url, "locker_put", { slot: "also", value: bob.key, key: bob.key });
    expect(by_tool.isError).toBeUndefined();
    const as_text = await send(
      "PUT",
      `${url}/api/locker/bare`,
      { "content-type": "text/plain", ...bob.pair },
      bob.key,
    );
    expect(as_text.status).toBe(201);
    expect((await post(`${url}/api/name/revoke`, { key: bob.key })).status).toBe(200);
    const { recovery_code } = bob;
    expect((await post(`${url}/api/name/recover`, { name: "bob", recovery_code })).status).toBe(200);
  });

  test("refuses a key in a public slot", async () => {
    const { url } = service;
    for (const [type, query, body] of [
      ["application/json", "", JSON.stringify({ value: secret, public: true })],
      ["text/plain", "?public=true", secret],
    ] as const) {
      await expectRefused("PUT", `/api/locker/a${query}`, { "content-type": type, ...ada.pair }, body);
    }
    const by_tool = await callTool(url, "locker_put", {
      slot: "a",
      value: secret,
      public: true,
      key: ada.key,
    });
    expect(codeOf(by_tool)).toBe("contains_key");
  });
});

describe("keys over MCP", () => {
  test("refuses a key in every argument of every tool, in an unknown one, and as the name of one", async () => {
    for (const { name, inputSchema } of await toolsOf(service.url)) {
      const arguments_of = Object.keys((inputSchema as { properties?: object }).properties ?? {});
      for (const argument of [...arguments_of, "other"].filter((each) => each !== "key")) {
        if (belongs_in_tool.has(`${name} ${argument}`)) continue;
        for (const value of [...secrets, [secret], { deep: secret }]) {
          const refused = await callTool(service.url, name, { [argument]: value, key: ada.key });
          everything.push(JSON.stringify(refused));
          expect([name, argument, codeOf(refused)]).toEqual([name, argument, "contains_key"]);
          expect(refused.content[0]!.text).not.toMatch(/(?:GET|POST|DELETE) \//);
        }
      }
      const as_name = await callTool(service.url, name, { [secret]: 1 });
      everything.push(JSON.stringify(as_name));
      expect([name, codeOf(as_name)]).toEqual([name, "contains_key"]);
    }
  });

  const messages: [what: string, method: string, params: object][] = [
    ["the URI of a resource", "resources/read", { uri: `meet://room/${secret}` }],
    ["a cursor", "resources/list", { cursor: secret }],
    [
      "the argument of a prompt",
      "prompts/get",
      { name: "join_room", arguments: { room: "keys", name: secret } },
    ],
    ["the name of a prompt", "prompts/get", { name: secret }],
    ["the name of a tool", "tools/call", { name: secret, arguments: {} }],
    [
      "what is to be completed",
      "completion/complete",
      { ref: { type: "ref/prompt", name: "join_room" }, argument: { name: "room", value: secret } },
    ],
    ["the name of a client", "initialize", { ...handshake, clientInfo: { name: secret, version: "1" } }],
    ["a method", secret, {}],
    ["a member that the protocol does not have", "ping", { other: { deep: [secret] } }],
  ];
  test.each(messages)("refuses a key in %s", async (_what, method, params) => {
    for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/keys"]) {
      const plain = await ask(service.url + path, method, params);
      const newer = await askModern(service.url + path, method, params as Record<string, unknown>);
      for (const { status, body } of [plain, newer]) {
        everything.push(JSON.stringify(body));
        expect([status, body.error?.message]).toEqual([422, expect.stringContaining("contains_key")]);
      }
    }
  });

  const headers = ["mcp-protocol-version", "mcp-method", "mcp-name"];
  test.each(headers)("refuses a key in the header %s, which is compared with the body", async (header) => {
    const held = { [header]: secret };
    const session = await beginSession(`${service.url}/mcp`);
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", { name: "meet_rooms", arguments: {} }],
      ["completion/complete", {}],
    ] as const) {
      const url = `${service.url}/mcp`;
      const plain = await ask(url, method, params, held);
      const newer = await askModern(url, method, params, held);
      const of_session = await ask(url, method, params, { ...session, ...held });
      for (const { status, body } of [plain, newer, of_session]) {
        everything.push(JSON.stringify(body));
        expect([status, body.error?.message]).toEqual([422, expect.stringContaining("contains_key")]);
      }
    }
    for (const method of ["GET", "DELETE"]) {
      const accept = { accept: "text/event-stream", ...session, ...held };
      await expectRefused(method, "/mcp", accept);
    }
  });

  test("refuses a key in the id of a message, and in any message of a batch", async () => {
    const id_only = { jsonrpc: "2.0", id: secret, method: "ping" };
    const batch = [{ jsonrpc: "2.0", id: 1, method: "ping" }, id_only];
    for (const message of [id_only, batch, { ...id_only, id: 1, method: "tools/call", params: [secret] }]) {
      const { status, body } = await post<{ id: null; error: { message: string } }>(
        `${service.url}/mcp`,
        message,
      );
      everything.push(JSON.stringify(body));
      expect([status, body.id]).toEqual([422, null]);
      expect(body.error.message).toContain("contains_key");
    }
  });
});

test("no response, log line or file contains a refused key in any encoding", () => {
  const files = filesIn(service.directory).map((file) =>
    readFileSync(join(service.directory, file), "latin1"),
  );
  const output = [...everything, service.output(), ...files].join("\n").toLowerCase();
  for (const text of secrets) {
    for (const form of [text, encoded(text), encoded(encoded(text)), text.slice(4)]) {
      expect(output.includes(form.toLowerCase())).toBe(false);
    }
  }
});
