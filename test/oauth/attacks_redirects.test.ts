/**
 * Attacks on redirects: RFC 9700, sections 2.1, 4.1 (redirect addresses), 4.11 (open redirectors) and 4.12 (307); RFC 8252,
 * sections 7.3 and 8.6 (loopback addresses). attacks.test.ts lists all sections.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { decided, newPkce, registered, requestQuery, type Refused } from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let browser: Browser;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  browser = await signedIn(url, await claim(url, "Ada"));
});
afterAll(() => service.stop());

const code_challenge = newPkce().challenge;

/** The page of a request to be answered at `redirect_uri`. */
const pageFor = (client_id: string, redirect_uri: string, more: Record<string, string> = {}) =>
  browser.get(`/oauth/authorize?${requestQuery({ client_id, redirect_uri, code_challenge, ...more })}`);

/** Which of `uris` a program that registered `registered_uri` may not be answered at; each has the status of its page. */
async function refusedOf(registered_uri: string, uris: string[]): Promise<[string, number][]> {
  const client_id = await registered(url, { redirect_uris: [registered_uri] });
  expect((await pageFor(client_id, registered_uri)).status).toBe(200);
  const refused: [string, number][] = [];
  for (const uri of uris) {
    const page = await pageFor(client_id, uri);
    expect(page.headers.get("location")).toBeNull();
    if (page.status !== 400 || page.body.includes("<form method=")) continue;
    // Neither does its page lead there.
    expect(page.body.replaceAll("&amp;", "&")).not.toContain(`href="${uri}`);
    refused.push([uri, page.status]);
  }
  return refused;
}

async function expectRefused(registered_uri: string, uris: string[]): Promise<void> {
  expect(await refusedOf(registered_uri, uris)).toEqual(uris.map((uri) => [uri, 400]));
}

describe("an address that is not registered is refused", () => {
  test("if its host only looks like the registered one", async () => {
    await expectRefused("https://claude.ai/cb", [
      "https://claude.ai.evil.example/cb",
      "https://evil.example/claude.ai/cb",
      "https://claude.ai@evil.example/cb",
      "https://claude.ai:x@evil.example/cb",
      "https://evil.example\\@claude.ai/cb",
      "https://claude.ai\\.evil.example/cb",
      "https://claude.ai%2f@evil.example/cb",
      "https://claude.ai%00.evil.example/cb",
      "https://xclaude.ai/cb",
      "https://sub.claude.ai/cb",
      "https://claude.ai./cb",
      "https://cIaude.ai/cb",
      "https://xn--clude-2ve.ai/cb",
      "https://cl\u0430ude.ai/cb",
      "//claude.ai/cb",
      "/cb",
      "https:claude.ai/cb",
      "https:///claude.ai/cb",
    ]);
  });

  test("if its scheme, port, path, query or fragment differs", async () => {
    await expectRefused("https://claude.ai/a/cb", [
      "http://claude.ai/a/cb",
      "HTTPS://claude.ai/a/cb",
      "https://claude.ai:443/a/cb",
      "https://claude.ai:8443/a/cb",
      "https://claude.ai/a/cb/",
      "https://claude.ai/a/cb/../../redirect",
      "https://claude.ai/a/../a/cb",
      "https://claude.ai/a%2fcb",
      "https://claude.ai/a/%63b",
      "https://claude.ai//a/cb",
      "https://claude.ai/A/cb",
      "https://claude.ai/a/cb?next=https://evil.example",
      "https://claude.ai/a/cb?",
      "https://claude.ai/a/cb;x=1",
      "https://claude.ai/a/cb#",
      "https://claude.ai/a/cb#/x",
      "https://claude.ai/a/cb https://evil.example",
      "https://claude.ai/a/cb\r\nlocation: https://evil.example",
      " https://claude.ai/a/cb",
      "https://claude.ai/a/*",
    ]);
  });

  test("if it is of this machine and differs in more than its port", async () => {
    const registered_uri = "http://localhost:3000/cb";
    const client_id = await registered(url, { redirect_uris: [registered_uri] });
    for (const uri of ["http://localhost/cb", "http://localhost:1/cb", "http://localhost:65535/cb"])
      expect([uri, (await pageFor(client_id, uri)).status]).toEqual([uri, 200]);
    await expectRefused(registered_uri, [
      "http://localhost.evil.example/cb",
      "http://localhost.evil.example:3000/cb",
      "http://localhost:3000.evil.example/cb",
      "http://localhost:80@evil.example/cb",
      "http://localhost:3000@evil.example:3000/cb",
      "http://localhost:/cb",
      "http://localhost:99999/cb",
      "http://localhost:3000/cb/../x",
      "http://localhost:3000/cb?x",
      "http://localhost:3000/cb%2f",
      "http://LOCALHOST:3000/cb",
      "http://localhost.:3000/cb",
      "http://a.localhost:3000/cb",
      "https://localhost:3000/cb",
      "http://127.0.0.1:3000/cb",
      "http://[::1]:3000/cb",
      "http://127.0.0.2:3000/cb",
      "http://2130706433:3000/cb",
      "http://127.1:3000/cb",
    ]);
    await expectRefused("http://[::1]:3000/cb", [
      "http://[0:0:0:0:0:0:0:1]:3000/cb",
      "http://[::0001]:3000/cb",
      "http://[::ffff:127.0.0.1]:3000/cb",
      "http://[::1].evil.example:3000/cb",
      "http://[::2]:3000/cb",
    ]);
  });
});

describe("an address", () => {
  test("that a browser would take elsewhere, run or open itself is not registered", async () => {
    const uris = [
      "javascript:alert(1)",
      "JavaScript://claude.ai/%0aalert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://claude.ai/x",
      "about:blank",
      "view-source:https://claude.ai/",
      "intent://x#Intent;end",
      "ms-msdt:/id",
      "search-ms:query=x",
      "ms-officecmd:x",
      "shell:x",
      "smb://evil.example/x",
      "http://claude.ai/cb",
      "http://evil.example/cb",
      "http://localhost.evil.example/cb",
      "https://user@claude.ai/cb",
      "https://claude.ai/cb#x",
      "https://claude.ai\\@evil.example/",
      "https:claude.ai/cb",
      "https:/claude.ai/cb",
      "https:///claude.ai/cb",
      "https://cl\u0430ude.ai/cb",
      "https://claude.ai/\u202ecb",
      "https://claude.ai/cb\n",
      "https://claude.ai,evil.example/cb",
      "https://evil.example;script-src/cb",
      "https://*/cb",
      "https://'none'/cb",
      "https://claude.ai/cb?code=of-another",
      "https://claude.ai/cb?x=1&iss=https://evil.example",
      "https://claude.ai/cb?st%61te=x",
      "",
      "cb",
      "//claude.ai/cb",
    ];
    const accepted: string[] = [];
    for (const uri of uris) {
      const { status, body } = await post<Refused>(`${url}/oauth/register`, { redirect_uris: [uri] });
      if (status !== 400 || body.error !== "invalid_redirect_uri") accepted.push(uri);
      // Nothing of it is repeated to others.
      else expect(body.error_description).toStartWith("redirect_uris/0 ");
    }
    expect(accepted).toEqual([]);
  });

  test("of an app or of another host is one source of the page's policy, and no more", async () => {
    for (const [uri, source] of [
      ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"],
      ["com.example.app:/cb", "com.example.app:"],
      ["https://claude.ai:8443/cb?x=1", "https://claude.ai:8443"],
      ["http://127.0.0.1:33418/", "http://127.0.0.1:33418"],
    ] as const) {
      const client_id = await registered(url, { redirect_uris: [uri] });
      const page = await pageFor(client_id, uri);
      expect(page.headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self' ${source}; base-uri 'none'; frame-ancestors 'none'`,
      );
    }
  });
});

describe("nobody is led to a program", () => {
  const redirect_uri = "https://evil.example/cb";

  test("before a name has decided, whatever is wrong with the request (4.11.2)", async () => {
    const client_id = await registered(url, { redirect_uris: [redirect_uri] });
    const requests: Record<string, string>[] = [
      { response_type: "token" },
      { response_type: "code token" },
      { response_mode: "fragment" },
      { response_mode: "form_post" },
      { code_challenge_method: "plain" },
      { prompt: "none" },
      { resource: "https://evil.example/" },
      { request_uri: "https://evil.example/r" },
      { request: "eyJhbGciOiJub25lIn0.e30." },
      { scope: "admin" },
    ];
    for (const more of requests) {
      const page = await pageFor(client_id, redirect_uri, more);
      expect([more, page.status, page.headers.get("location"), page.headers.get("refresh")]).toEqual([
        ...[more, "scope" in more ? 200 : 400, null, null],
      ]);
      expect(page.body).not.toContain("http-equiv");
    }
  });

  test("by the status 307, with which a browser would send the form there again (4.12)", async () => {
    const client_id = await registered(url, { redirect_uris: [redirect_uri] });
    for (const answer of ["allow", "deny"]) {
      const query = requestQuery({ client_id, redirect_uri, code_challenge });
      // Throws for another status than 303.
      expect((await decided(browser, query, answer)).origin).toBe("https://evil.example");
    }
  });

  test("with a state that becomes more than a state", async () => {
    const client_id = await registered(url, { redirect_uris: [redirect_uri] });
    for (const state of [
      "a&code=x",
      "a\r\nset-cookie: x=y",
      '"><script>',
      "a#b",
      "\u202e\u0000",
      "%26iss=x",
    ]) {
      const led = await decided(browser, requestQuery({ client_id, redirect_uri, code_challenge, state }));
      expect([...led.searchParams.keys()]).toEqual(["code", "state", "iss"]);
      expect([led.searchParams.get("state"), led.hash]).toEqual([state, ""]);
    }
  });
});
