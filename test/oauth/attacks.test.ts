/**
 * Attacks on codes and on the endpoints that programs call. The entries of RFC 9700 (OAuth 2.0 Security Best Current Practice), and
 * where each is tested:
 *
 * - 2.1, 4.1, 4.11, 4.12 redirects, open redirectors, 307: attacks_redirects.test.ts
 * - 2.1.1, 4.5, 4.8 code injection, PKCE and its downgrade: here
 * - 2.1.2 no implicit grant, 2.4 no password grant: here
 * - 2.2.2, 4.14 refresh tokens: flow.test.ts, attacks_tokens.test.ts
 * - 2.3, 4.9, 4.10 rights and audience of access tokens: attacks_tokens.test.ts
 * - 2.5 client authentication, 2.6 what else is recommended: here, and no CORS for the page: attacks_consent.test.ts
 * - 4.2, 4.3 Referer and history of a browser: attacks_consent.test.ts (pages), attacks_tokens.test.ts (addresses)
 * - 4.4 mix-up: here
 * - 4.6 access token injection: there is no implicit grant; attacks_tokens.test.ts
 * - 2.1, 4.7, 4.15, 4.16 CSRF, programs in the place of a name, clickjacking: attacks_consent.test.ts
 * - 4.13 proxies: test/web/trusted_proxies.test.ts, test/all/proxies.test.ts
 * - 2.2.1, 4.10.1 sender-constrained tokens and 4.17 messages between windows do not apply: there are none.
 *
 * Server-side request forgery and floods: attacks_clients.test.ts. What ends with a grant: attacks_ends.test.ts. Logs: test/all/log_canaries.test.ts.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post, send } from "../support/http.ts";
import { claim } from "../support/names.ts";
import {
  decided,
  newPkce,
  refreshed,
  registered,
  requestQuery,
  token,
  whoamiWith,
  type Refused,
} from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let browser: Browser;
const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
const metadata = { client_name: "Claude", redirect_uris: [redirect_uri] };
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  browser = await signedIn(url, await claim(url, "Ada"));
});
afterAll(() => service.stop());

const form_type = { "content-type": "application/x-www-form-urlencoded" };

/** What a program sends for tokens. */
async function newCode(client_id?: string): Promise<Record<string, string> & { code: string }> {
  client_id ??= await registered(url, metadata);
  const { verifier, challenge } = newPkce();
  const led = await decided(browser, requestQuery({ client_id, redirect_uri, code_challenge: challenge }));
  const code = led.searchParams.get("code")!;
  return { grant_type: "authorization_code", client_id, code, code_verifier: verifier, redirect_uri };
}

/** The status and the error of the token endpoint for a form. */
async function errorOf(form: Record<string, string>, headers?: Record<string, string>) {
  const { status, body } = await token<Refused>(url, form, headers);
  return [status, body.error];
}

describe("a code", () => {
  test("of another browser's flow does not fit the verifier of this one (4.5)", async () => {
    const client_id = await registered(url, metadata);
    const [stolen, own] = [await newCode(client_id), await newCode(client_id)];
    const injected = { ...own, code: stolen.code };
    expect(await errorOf(injected)).toEqual([400, "invalid_grant"]);
    // The attempt has not used it up, and has not ended anything.
    for (const form of [stolen, own]) expect((await token(url, form)).status).toBe(200);
  });

  test("that was used does nothing for somebody without its verifier, and does not end what it became", async () => {
    const form = await newCode();
    const { access_token } = (await token(url, form)).body;
    expect(await errorOf({ ...form, code_verifier: newPkce().verifier })).toEqual([400, "invalid_grant"]);
    const other = await registered(url, metadata);
    expect(await errorOf({ ...form, client_id: other })).toEqual([400, "invalid_grant"]);
    expect((await whoamiWith(url, access_token))[0]).toBe(200);
  });

  test("is no access token, no refresh token and no key", async () => {
    const { code, client_id } = await newCode();
    expect(
      await errorOf({ grant_type: "refresh_token", client_id: client_id!, refresh_token: code }),
    ).toEqual([...[400, "invalid_grant"]]);
    expect(await whoamiWith(url, code)).toEqual([401, "unknown_credential"]);
    const by_key = await post(`${url}/api/name/whoami`, undefined, { "x-wf-key": code, "x-wf-name": "Ada" });
    expect(by_key.status).toBe(401);
  });
});

describe("PKCE (2.1.1, 4.8)", () => {
  test("cannot be left out or weakened in the request", async () => {
    const client_id = await registered(url, metadata);
    const { verifier, challenge } = newPkce();
    const requests: Record<string, string>[] = [
      {},
      { code_challenge: challenge, code_challenge_method: "plain" },
      { code_challenge: challenge, code_challenge_method: "" },
      { code_challenge: challenge, code_challenge_method: "s256" },
      { code_challenge: "" },
      { code_challenge: verifier.slice(0, 42) },
      { code_challenge: `${challenge}=` },
      { code_challenge: "a".repeat(128) },
    ];
    for (const more of requests) {
      const query = requestQuery({ client_id, redirect_uri, ...more });
      const page = await browser.get(`/oauth/authorize?${query}`);
      expect([more, page.status, page.body.includes("<form method=")]).toEqual([more, 400, false]);
    }
    // A method that is left out means plain (RFC 7636, section 4.3).
    const query = requestQuery({ client_id, redirect_uri, code_challenge: challenge });
    const without = query.replace("code_challenge_method=S256&", "");
    expect((await browser.get(`/oauth/authorize?${without}`)).status).toBe(400);
    for (const twice of ["code_challenge=x", "code_challenge_method=plain"])
      expect((await browser.get(`/oauth/authorize?${query}&${twice}`)).status).toBe(400);
  });

  test("cannot be left out or weakened for tokens", async () => {
    const form = await newCode();
    const { challenge } = newPkce();
    const own_challenge = new Bun.CryptoHasher("sha256").update(form["code_verifier"]!).digest("base64url");
    for (const code_verifier of [
      "",
      challenge,
      own_challenge,
      `${form["code_verifier"]}=`,
      "a".repeat(129),
    ]) {
      const { status } = await token<Refused>(url, { ...form, code_verifier });
      expect([code_verifier, status]).toEqual([code_verifier, 400]);
    }
    const { code_verifier: _left_out, ...without } = form;
    expect(await errorOf(without)).toEqual([400, "invalid_request"]);
    expect((await token(url, form)).status).toBe(200);
  });
});

describe("the token endpoint", () => {
  test("has no grants but those of codes and refresh tokens (2.1.2, 2.4)", async () => {
    const client_id = await registered(url, metadata);
    const types = [
      "password",
      "client_credentials",
      "implicit",
      "urn:ietf:params:oauth:grant-type:device_code",
      "",
    ];
    for (const grant_type of types) {
      const form = { grant_type, client_id, username: "Ada", password: "x" };
      expect([grant_type, ...(await errorOf(form))]).toEqual([grant_type, 400, "unsupported_grant_type"]);
    }
    const page = await browser.get(
      `/oauth/authorize?${requestQuery({ client_id, redirect_uri, response_type: "token" })}`,
    );
    expect(page.status).toBe(400);
  });

  test("takes no parameter twice, none from the address, and no other kind of body", async () => {
    const form = await newCode();
    const sent = new URLSearchParams(form).toString();
    for (const twice of [`code=${"x".repeat(50)}`, "grant_type=password", "client_id=x", "redirect_uri=x"]) {
      const answer = await send("POST", `${url}/oauth/token`, form_type, `${sent}&${twice}`);
      expect([twice, answer.status, answer.body.includes("access_token")]).toEqual([twice, 400, false]);
    }
    for (const body of ["", "client_id[]=x", "=&=&", "%", "grant_type=%ff"]) {
      const answer = await send("POST", `${url}/oauth/token`, form_type, body);
      expect([body, [400, 401].includes(answer.status)]).toEqual([body, true]);
      expect(JSON.parse(answer.body)).toHaveProperty("error");
    }
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", ""]) {
      const answer = await send("POST", `${url}/oauth/token`, { "content-type": type }, sent);
      expect([type, answer.status]).toEqual([type, 400]);
    }
    const { code, ...rest } = form;
    const in_address = `${url}/oauth/token?${new URLSearchParams({ code: "x".repeat(50), ...rest }).toString()}`;
    expect((await send("POST", in_address, form_type, "")).status).toBe(401);
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
      const answer = await send(
        method,
        `${url}/oauth/token`,
        form_type,
        /GET|HEAD/.test(method) ? undefined : sent,
      );
      expect([method, answer.status]).toEqual([method, 405]);
    }
    const options = await send("OPTIONS", `${url}/oauth/token`, { origin: "https://evil.example" });
    expect(options.headers.get("access-control-allow-origin")).toBeNull();
    expect((await token(url, { ...rest, code })).status).toBe(200);
  });

  test("refuses a code in the address, which logs and histories have (4.3)", async () => {
    const form = await newCode();
    const answer = await send("POST", `${url}/oauth/token?code=${form.code}`, form_type, "grant_type=x");
    expect(answer.status).toBe(422);
    expect(service.output()).not.toContain(form.code.slice(4));
  });

  test("takes one way of showing a program's secret, and tells nobody which was wrong (2.5)", async () => {
    const { body } = await post<{ client_id: string; client_secret: string }>(`${url}/oauth/register`, {
      ...metadata,
      token_endpoint_auth_method: "client_secret_basic",
    });
    const { client_id, client_secret } = body;
    const form = { grant_type: "refresh_token", refresh_token: "wfo_x" };
    const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
    expect(await errorOf({ ...form, client_secret }, basic)).toEqual([400, "invalid_request"]);
    expect(await errorOf({ ...form, client_id: "other" }, basic)).toEqual([400, "invalid_request"]);
    for (const secret of [
      "",
      "é".repeat(53),
      "x".repeat(10_000),
      client_secret.slice(0, -1),
      client_secret.toLowerCase(),
    ]) {
      expect(await errorOf({ ...form, client_id, client_secret: secret })).toEqual([401, "invalid_client"]);
      const wrong = { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}` };
      expect(await errorOf(form, wrong)).toEqual([401, "invalid_client"]);
    }
    for (const id of ["", "\0", "%00", "' OR 1=1 --", "x".repeat(10_000), "https://", "https://x/"])
      expect([id, ...(await errorOf({ ...form, client_id: id }))]).toEqual([id, 401, "invalid_client"]);
    // Somebody else's public client_id is no way in: the token is bound to its own.
    const refused = await errorOf({
      ...form,
      client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    });
    expect(refused).toEqual([400, "invalid_grant"]);
  });

  test("stores its answers nowhere, and repeats none for an Idempotency-Key", async () => {
    const form = await newCode();
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await token(url, form, key);
    expect([first.headers.get("cache-control"), first.headers.get("etag")]).toEqual(["no-store", null]);
    const again = await token<Refused>(url, form, key);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    for (const answer of [
      again,
      await send("POST", `${url}/oauth/revoke`, form_type, "client_id=x&token=x"),
      await post(`${url}/oauth/register`, metadata),
      await post(`${url}/oauth/register`, {}),
    ])
      expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("mix-up of servers (4.4)", () => {
  test("is prevented by the issuer, which each answer has and nobody can replace", async () => {
    const { body } = await get(`${url}/.well-known/oauth-authorization-server/oauth`);
    expect(body["authorization_response_iss_parameter_supported"]).toBe(true);
    const client_id = await registered(url, metadata);
    const query = requestQuery({
      ...{ client_id, redirect_uri, code_challenge: newPkce().challenge },
      ...{ iss: "https://evil.example", state: "x&iss=https://evil.example" },
    });
    for (const answer of ["allow", "deny"]) {
      const led = await decided(browser, query, answer);
      expect(led.searchParams.getAll("iss")).toEqual([body["issuer"] as string]);
    }
    const refused = await browser.get(`/oauth/authorize?${query}&response_mode=x`);
    const [, href] = /<a href="([^"]*error=[^"]*)"/.exec(refused.body)!;
    const back = new URL(href!.replaceAll("&amp;", "&"));
    expect(back.searchParams.getAll("iss")).toEqual([body["issuer"] as string]);
  });

  test("by a Host header is none: the issuer is that of the service", async () => {
    for (const host of ["evil.example", "localhost.evil.example", `evil.example:${new URL(url).port}`]) {
      const answer = await send("GET", `${url}/.well-known/oauth-authorization-server/oauth`, { host });
      expect([host, answer.body.includes("evil.example")]).toEqual([host, false]);
    }
  });

  test("of clients: the token of one is refreshed and revoked by no other", async () => {
    const form = await newCode();
    const { access_token, refresh_token } = (await token(url, form)).body;
    const other = await registered(url, metadata);
    expect((await refreshed<Refused>(url, other, refresh_token)).body.error).toBe("invalid_grant");
    const by_other = new URLSearchParams({ client_id: other, token: access_token }).toString();
    expect((await send("POST", `${url}/oauth/revoke`, form_type, by_other)).status).toBe(200);
    expect((await whoamiWith(url, access_token))[0]).toBe(200);
  });
});
