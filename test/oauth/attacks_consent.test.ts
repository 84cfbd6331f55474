/**
 * Attacks on the page on which a name lets a program in: RFC 9700, sections 2.1 and 4.7 (CSRF), 4.15 (programs in the place of a
 * name), 4.16 (clickjacking); sessions of others, homographs and markup. attacks.test.ts lists all sections.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { decided, hiddenFields, letIn, newPkce, registered, requestQuery } from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let browser: Browser;
let query: string;
const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  ada = await claim(url, "Ada");
  browser = await signedIn(url, ada);
  query = await newQuery({ client_name: "Claude", redirect_uris: [redirect_uri] });
});
afterAll(() => service.stop());

async function newQuery(metadata: { client_name?: string; redirect_uris: string[] }): Promise<string> {
  const client_id = await registered(url, metadata);
  const code_challenge = newPkce().challenge;
  return requestQuery({ client_id, redirect_uri: metadata.redirect_uris[0]!, code_challenge });
}

const form_type = { "content-type": "application/x-www-form-urlencoded" };
const fieldsOf = async (one: Browser, its_query = query) =>
  hiddenFields((await one.get(`/oauth/authorize?${its_query}`)).body);

describe("a form of another page lets nobody in (4.7)", () => {
  const attempts: [string, Record<string, string>][] = [
    ["another origin", { origin: "https://evil.example" }],
    ["the same host at another port", { origin: "http://127.0.0.1:1" }],
    ["an origin that begins alike", { origin: "http://127.0.0.1.evil.example" }],
    ["no origin", {}],
    ["the origin null", { origin: "null" }],
    ["another site, by a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["the same site, by another subdomain", { "sec-fetch-site": "same-site" }],
    ["the address bar", { "sec-fetch-site": "none" }],
  ];
  test.each(attempts)("sent from %s", async (_from, headers) => {
    const body = new URLSearchParams({ ...(await fieldsOf(browser)), answer: "allow" }).toString();
    const sent = { cookie: browser.cookie, ...form_type, ...headers };
    const answer = await send("POST", `${url}/oauth/authorize`, sent, body);
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });

  test("sent as JSON, as text, in parts, or in the address", async () => {
    const fields = { ...(await fieldsOf(browser)), answer: "allow" };
    const sent = { cookie: browser.cookie, origin: url };
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", ""]) {
      const headers = { ...sent, "content-type": type };
      const answer = await send("POST", `${url}/oauth/authorize`, headers, JSON.stringify(fields));
      expect([type, answer.status, answer.headers.get("location")]).toEqual([type, 415, null]);
    }
    const in_address = new URLSearchParams(fields).toString();
    for (const method of ["GET", "POST"]) {
      const headers = method === "POST" ? { ...sent, ...form_type } : sent;
      const answer = await send(method, `${url}/oauth/authorize?${in_address}`, headers);
      expect(answer.headers.get("location")).toBeNull();
    }
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await send(
        method,
        `${url}/oauth/authorize?${query}`,
        { ...sent, ...form_type },
        in_address,
      );
      expect([method, answer.status]).toEqual([method, 405]);
    }
  });

  test("without the ticket of this page, this session, this name and this request", async () => {
    const fields = await fieldsOf(browser);
    const [again, bob] = [await signedIn(url, ada), await signedIn(url, await claim(url, "Bob"))];
    const other_query = query.replace("state=s1", "state=s2");
    const others = {
      none: "",
      long: "f".repeat(64),
      "not ASCII": "é".repeat(64),
      "of another session of the name": (await fieldsOf(again))["ticket"]!,
      "of another name": (await fieldsOf(bob))["ticket"]!,
      "of another request": (await fieldsOf(browser, other_query))["ticket"]!,
      "of the name without a session": hiddenFields(
        (await send("GET", `${url}/oauth/authorize?${query}`, ada.bearer)).body,
      )["ticket"]!,
    };
    for (const [which, ticket] of Object.entries(others)) {
      const answer = await browser.post("/oauth/authorize", { ...fields, ticket, answer: "allow" });
      expect([which, answer.status, answer.headers.get("location")]).toEqual([which, 200, null]);
    }
    // Only the first of two fields counts, so that nothing is decided that was not shown.
    const body = new URLSearchParams([
      ...Object.entries(fields),
      ["query", other_query],
      ["answer", "deny"],
      ["answer", "allow"],
    ]).toString();
    const headers = { cookie: browser.cookie, origin: url, ...form_type };
    const answer = await send("POST", `${url}/oauth/authorize`, headers, body);
    const led = new URL(answer.headers.get("location")!);
    expect([led.searchParams.get("error"), led.searchParams.get("state")]).toEqual(["access_denied", "s1"]);
  });

  test("replayed after signing out, or when somebody else is signed in there", async () => {
    const one = await signedIn(url, ada);
    const fields = { ...(await fieldsOf(one)), answer: "allow" };
    const cookie = one.cookie;
    await one.post("/signout");
    const headers = { cookie, origin: url, ...form_type };
    const body = new URLSearchParams(fields).toString();
    const after = await send("POST", `${url}/oauth/authorize`, headers, body);
    expect([after.status, after.headers.get("location")]).toEqual([200, null]);
    const eve = await claim(url, "Eve");
    await one.post("/signin", { name: eve.name, key: eve.key });
    const shown = await one.post("/oauth/authorize", fields);
    expect([shown.status, shown.headers.get("location")]).toEqual([200, null]);
    expect(shown.body).toContain("<bdi>Eve</bdi>");
    expect(shown.body).not.toContain("<bdi>Ada</bdi>");
  });

  test("which leads nowhere unless its answer is to allow", async () => {
    for (const answer of ["", "Allow", "allow ", "yes", "true"]) {
      expect((await decided(browser, query, answer)).searchParams.get("error")).toBe("access_denied");
    }
  });
});

describe("programs", () => {
  test("let no program in with an access token, also not with a ticket (4.15)", async () => {
    const { access_token } = await letIn(url, browser);
    const bearer = { authorization: `Bearer ${access_token}` };
    const { ticket = "" } = hiddenFields((await send("GET", `${url}/oauth/authorize?${query}`, bearer)).body);
    const body = new URLSearchParams({ query, ticket, answer: "allow" }).toString();
    for (const more of [{}, { cookie: browser.cookie }] as Record<string, string>[]) {
      const headers = { ...bearer, ...more, origin: url, ...form_type };
      const answer = await send("POST", `${url}/oauth/authorize`, headers, body);
      expect([answer.status, answer.headers.get("location")]).toEqual([401, null]);
    }
  });

  test("cannot sign a browser in with a token, end sessions, or see them", async () => {
    const { access_token, refresh_token } = await letIn(url, browser);
    const bearer = { authorization: `Bearer ${access_token}`, origin: url };
    for (const key of [access_token, refresh_token]) {
      const answer = await newBrowser(url).post("/signin", { name: "Ada", key });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
    }
    const ended = await send("POST", `${url}/me/sessions`, { ...bearer, ...form_type }, "session=others");
    expect(ended.status).toBe(401);
    expect((await send("GET", `${url}/me`, bearer)).status).toBe(401);
    expect((await browser.get("/me")).status).toBe(200);
  });
});

describe("every page of the flow", () => {
  test("is not framed, not stored, and sends no address to other sites (4.2, 4.3, 4.16)", async () => {
    const bad = query.replace("S256", "plain");
    const next = encodeURIComponent(`/oauth/authorize?${query}`);
    const nobody = newBrowser(url);
    const pages = [
      await browser.get(`/oauth/authorize?${query}`),
      await nobody.get(`/oauth/authorize?${query}`),
      await browser.get(`/oauth/authorize?${bad}`),
      await browser.get("/oauth/authorize"),
      await browser.get("/oauth/authorize?client_id=x"),
      await browser.post("/oauth/authorize", { query, answer: "allow" }),
      await nobody.get(`/signin?next=${next}`),
      await nobody.post("/signin", { name: "Ada", key: "wrong", next: `/oauth/authorize?${query}` }),
      await nobody.get(`/claim?next=${next}`),
    ];
    for (const { headers } of pages) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).toContain("script-src 'self';");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toContain("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("etag")).toBeNull();
    }
    for (const answer of ["allow", "deny"]) {
      const fields = { ...(await fieldsOf(browser)), answer };
      const { status, headers } = await browser.post("/oauth/authorize", fields);
      expect([status, headers.get("referrer-policy")]).toEqual([303, "same-origin"]);
      expect(headers.get("cache-control")).toContain("no-store");
    }
  });

  test("is the same for a conditional request and for HEAD", async () => {
    const page = await browser.get(`/oauth/authorize?${query}`, { "if-none-match": "*" });
    expect(page.status).toBe(200);
    const head = await send("HEAD", `${url}/oauth/authorize?${query}`, browser.headers());
    expect([head.status, head.body, head.headers.get("x-frame-options")]).toEqual([200, "", "DENY"]);
  });
});

describe("what a program says of itself", () => {
  test("shows no other host than the one that gets its answers, in ASCII", async () => {
    const uris = {
      "https://xn--clude-5ve.ai/cb": "xn--clude-5ve.ai",
      "https://claude.ai.evil.example/cb": "claude.ai.evil.example",
      "https://evil.example/?https://claude.ai/": "evil.example",
      "https://claude.ai:8443/cb": "claude.ai:8443",
      "claude.ai:/cb": "the app for claude.ai:",
    };
    for (const [uri, host] of Object.entries(uris)) {
      const its_query = await newQuery({ client_name: "claude.ai", redirect_uris: [uri] });
      const { body } = await browser.get(`/oauth/authorize?${its_query}`);
      expect(body).toMatch(new RegExp(`<h1[^>]*><bdi>${RegExp.escape(host)}</bdi>`));
      expect(body).toContain(`Your decision is sent to <bdi>${host}</bdi>.`);
    }
  });

  test("is text, also if it is markup, and cannot end its own quotation", async () => {
    const client_name = `</bdi>” <script>alert(1)</script> <img src=x onerror="x"> “safe`;
    const its_query = await newQuery({ client_name, redirect_uris: [redirect_uri] });
    const { body } = await browser.get(`/oauth/authorize?${its_query}&x="><script>alert(2)</script>`);
    expect(body).not.toMatch(/<script>|<img src=x/);
    const [, shown] = /It calls itself (.*?) Your decision is sent to/s.exec(body)!;
    expect(shown!.trim()).toStartWith("“<bdi>&lt;/bdi&gt;");
    expect(shown!.match(/[“”]/g)).toEqual(["“", "”"]);
    const state = `"><script>alert(3)</script>`;
    const bad = requestQuery({
      ...Object.fromEntries(new URLSearchParams(its_query)),
      state,
      response_type: "x",
    });
    const refused = await browser.get(`/oauth/authorize?${bad}`);
    expect([refused.status, /<script>/.test(refused.body)]).toEqual([400, false]);
  });

  test("shows characters that hide or turn text by their code points", async () => {
    for (const [name, shown] of [
      ["Cl\u200baude", "Cl[U+200B]aude"],
      ["Claude\u2067x\u2069", "Claude[U+2067]x[U+2069]"],
      ["Claude\u00ad", "Claude[U+00AD]"],
      ["Claude\u3164x", "Claude[U+3164]x"],
    ] as const) {
      const its_query = await newQuery({ client_name: name, redirect_uris: [redirect_uri] });
      expect((await browser.get(`/oauth/authorize?${its_query}`)).body).toContain(`<bdi>${shown}</bdi>`);
    }
    for (const client_name of ["a\u202eb", "a\u0000b", "a\ud800", "a\u{e0041}", "a\u001b[2J"]) {
      const answer = await send(
        "POST",
        `${url}/oauth/register`,
        { "content-type": "application/json" },
        JSON.stringify({ client_name, redirect_uris: [redirect_uri] }),
      );
      expect([client_name, answer.status]).toEqual([client_name, 400]);
    }
  });

  test("comes with a warning if any program of this machine could have its place", async () => {
    for (const uri of ["http://localhost:3000/cb", "http://[::1]/cb", "cursor://x/cb"]) {
      const its_query = await newQuery({ client_name: "Claude Code", redirect_uris: [uri] });
      expect((await browser.get(`/oauth/authorize?${its_query}`)).body).toContain("Allow it only if you");
    }
  });
});

describe("the page of a public service", () => {
  test("is read by no page of another site, although its metadata is (2.6)", async () => {
    const open = await startSource({ oauth: true, base_url: "https://wharf.example.org" });
    try {
      const headers = { host: "wharf.example.org", origin: "https://evil.example" };
      const page = await send("GET", `${open.url}/oauth/authorize`, headers);
      expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([400, null]);
      const preflight = await send("OPTIONS", `${open.url}/oauth/authorize`, headers);
      expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
      for (const [method, path] of [
        ["GET", "/.well-known/oauth-authorization-server/oauth"],
        ["OPTIONS", "/oauth/token"],
        ["OPTIONS", "/oauth/register"],
      ] as const)
        expect(
          (await send(method, open.url + path, headers)).headers.get("access-control-allow-origin"),
        ).toBe("*");
    } finally {
      await open.stop();
    }
  });
});
