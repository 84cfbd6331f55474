/** With the access log, in either form and at the lowest level, no line has a key or a private value, wherever it was sent. */

import { describe, expect, test } from "bun:test";
import { secret_prefixes, newSecret, sha256Hex } from "../../src/core/secrets.ts";
import { log_formats } from "../../src/core/log.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { asOwner, socketOf } from "../support/admin.ts";
import { privateValue } from "../support/canaries.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { decided, letIn, newPkce, requestQuery } from "../support/oauth.ts";
import { open } from "../support/rooms.ts";
import { startSource } from "../support/service.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";
import { callTool, toolsOf } from "../support/tools.ts";

const json = { "content-type": "application/json" };

interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** Every method of every path. */
async function callsOf(url: string): Promise<{ method: string; path: string }[]> {
  const { paths } = (await get(`${url}/openapi.json`)).body as unknown as Document;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
  const pages = [
    "/",
    "/meet",
    "/meet/r/{room}",
    "/signin",
    "/mcp",
    "/mcp/meet/{room}",
    "/admin",
    "/oauth/authorize",
    "/oauth/token",
    "/oauth/register",
    "/oauth/revoke",
    "/{nothing}",
  ];
  return [...documented, ...pages.flatMap((path) => ["GET", "POST"].map((method) => ({ method, path })))];
}

/** An access token, a refresh token, a code and a client secret. */
async function programSecrets(url: string, browser: Browser): Promise<string[]> {
  const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
  const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: "client_secret_post" };
  const { client_id, client_secret } = (
    await post<{ client_id: string; client_secret: string }>(`${url}/oauth/register`, metadata)
  ).body;
  const { access_token, refresh_token } = await letIn(url, browser);
  const query = requestQuery({ client_id, redirect_uri, code_challenge: newPkce().challenge });
  const code = (await decided(browser, query)).searchParams.get("code")!;
  return [access_token, refresh_token, code, client_secret];
}

describe.each(log_formats)("the log as %s", (log_format) => {
  test("has no key of any kind, sent to any route in right and wrong places", async () => {
    const service = await startSource({ oauth: true, webhooks: true, access_log: "full", log_format });
    const { url } = service;
    const ada = await claim(url, "Grace");
    const room = await open(url, "Canaries");
    const browser = await signedIn(url, ada);
    const { token } = (
      await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
        label: "robot",
        scope: "moderate",
      })
    ).body;
    const { code } = (await asOwner<{ code: string }>(service, "POST", "/api/admin/invites", { reason: "x" }))
      .body;
    const hidden = privateValue();
    const session = browser.cookie.split("=")[1]!;
    const program = await programSecrets(url, browser);
    const secrets = [ada.key, ada.recovery_code, room.host_key, session, token, code, ...program];
    const prefixes = Object.values(secret_prefixes).sort();
    expect(secrets.map((secret) => secret.slice(0, 4)).sort()).toEqual(prefixes);
    const unknown = prefixes.map((prefix, i) => newSecret(prefix, seededRandom(100 + i)));

    // The right places.
    const right: Record<string, string>[] = [
      ada.pair,
      ada.bearer,
      { authorization: `Basic ${btoa(`Grace:${ada.key}`)}` },
      { cookie: browser.cookie },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${program[0]}` },
      { "x-meet-key": room.host_key },
    ];
    const calls = await callsOf(url);
    expect(calls.length).toBeGreaterThan(80);
    for (const { method, path } of calls) {
      const at = url + path.replace("{room}", room.slug).replace(/\{\w+\}/g, "x");
      if (path.includes("stream")) continue;
      for (const headers of right) {
        await send(method, at, { ...json, ...headers }, method === "GET" ? undefined : "{}");
      }
    }
    await call("PUT", `${url}/api/locker/hidden`, { value: hidden }, ada.pair);
    await get(`${url}/api/locker/hidden`, ada.pair);

    // The wrong places: path, query, headers, bodies; keys that are known and keys that are not.
    for (const secret of [...secrets, ...unknown]) {
      for (const { method, path } of calls) {
        const body =
          method === "GET" ? undefined : JSON.stringify({ [secret]: secret, name: secret, body: secret });
        const plain = url + path.replace(/\{\w+\}/g, "x");
        await send(method, `${url}${path.replace(/\{\w+\}/g, secret)}?q=${secret}`, json, body);
        await send(method, plain, { ...json, ...wrongHeaders(secret) }, body);
      }
    }
    for (const secret of [...secrets, ...unknown]) {
      for (const path of ["token", "revoke"]) {
        const fields = ["client_id", "client_secret", "code", "refresh_token", "token", "grant_type"];
        const form = new URLSearchParams(fields.map((name) => [name, secret])).toString();
        const type = { "content-type": "application/x-www-form-urlencoded" };
        await send("POST", `${url}/oauth/${path}`, type, form);
      }
    }
    for (const { name } of await toolsOf(url)) {
      for (const secret of secrets) {
        await callTool(url, name, { key: `${secret}x`, room: secret, name: secret, text: secret });
      }
    }
    await fetch(`http://localhost/api/admin/${token}?q=${token}`, { unix: socketOf(service) });

    const output = service.output();
    await service.stop();
    const requests = output.split("\n").filter((line) => /"event":"request"|INFO {2}request /.test(line));
    expect(requests.length).toBeGreaterThan(calls.length * (right.length + 2 * prefixes.length));
    for (const secret of [...secrets, ...unknown, hidden]) {
      expect(output).not.toContain(secret);
      // Neither the part that no reader needs, nor its hash.
      expect(output).not.toContain(secret.slice(4, 24));
      expect(output).not.toContain(sha256Hex(secret));
    }
  }, 120_000);
});

const wrongHeaders = (secret: string): Record<string, string> => ({
  "x-request-id": secret,
  "x-wf-name": secret,
  "x-wf-key": `${secret}x`,
  "x-meet-key": `${secret}x`,
  "x-forwarded-for": secret,
  "x-forwarded-proto": secret,
  "idempotency-key": secret,
  "if-none-match": secret,
  "last-event-id": secret,
  "mcp-session-id": secret,
  "mcp-protocol-version": secret,
  "user-agent": secret,
  referer: `http://localhost/${secret}`,
  cookie: `x=${secret}`,
  accept: secret,
});
