/** `wharf doctor --oauth`: each usual failure of signing in is planted by a proxy, and is found from outside with what to do. */

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { default_config } from "../../src/core/settings.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { baseOf, examineOauth } from "../../src/doctor/oauth.ts";
import { checkCors } from "../../src/doctor/oauth_addresses.ts";
import { oauthAddresses } from "../../src/doctor/oauth_calls.ts";
import { checkDns, checkHttps } from "../../src/doctor/oauth_network.ts";
import { makeCertificate } from "../support/certificates.ts";
import { of, startOwn } from "../support/doctor.ts";
import { freePort } from "../support/free_port.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { startSignIn, type Breaking, type SignIn } from "../support/oauth_service.ts";

const root = newDirectory();
let service: SignIn | null = null;
afterEach(async () => {
  await service?.stop();
  service = null;
});
afterAll(() => removeDirectory(root));

function behind(breaks?: Breaking, path?: string): Promise<Finding[]> {
  service = startSignIn(breaks, path);
  return examineOauth(service.base, { clock: systemClock });
}

const statuses = (findings: Finding[]) =>
  Object.fromEntries(findings.map(({ check, status }) => [check, status]));

/** A proxy that changes the answers whose path contains `part`. */
const at =
  (part: string, change: Breaking): Breaking =>
  (request, answer) =>
    new URL(request.url).pathname.includes(part) ? change(request, answer) : answer;

/** A proxy that changes members of JSON at `part`. */
const withMembers = (part: string, members: (found: Record<string, unknown>) => object): Breaking =>
  at(part, async (_request, answer) => {
    if (answer.status !== 200) return answer;
    const found = (await answer.json()) as Record<string, unknown>;
    return Response.json({ ...found, ...members(found) });
  });

const redirected: Breaking = ({ url }) => Response.redirect(`${url}/`, 308);
const forbidden: Breaking = () => new Response("Who are you?", { status: 403 });
const challenging = (header: (answer: Response) => string | null): Breaking =>
  at("/mcp/account", (_request, answer) => {
    if (answer.status !== 401) return answer;
    const text = header(answer);
    return new Response("{}", { status: 401, headers: text === null ? {} : { "www-authenticate": text } });
  });

test.each(["", "/below/wharf"])("nothing fails where clients can sign in, below %p", async (path) => {
  const found = await behind(undefined, path);
  expect(statuses(found)).toEqual({
    "oauth-dns": "ok",
    // It is not https.
    "oauth-https": "warning",
    "oauth-mcp": "ok",
    "oauth-challenge": "ok",
    "oauth-resource": "ok",
    "oauth-issuer": "ok",
    "oauth-abilities": "ok",
    "oauth-authorize": "ok",
    "oauth-token": "ok",
    "oauth-register": "ok",
    "oauth-root": "ok",
    "oauth-bots": "ok",
    "oauth-cors": "ok",
  });
  expect(service!.stored).toEqual([]);
});

test.each(["127.0.0.1", "localhost"])("nothing fails of a real service with --oauth at %s", async (host) => {
  const own = await startOwn(root, { oauth: true });
  const found = await examineOauth(own.url.replace("127.0.0.1", host), { clock: systemClock });
  await own.stop();
  expect(found.filter(({ status }) => status === "failed")).toEqual([]);
  expect(found).toHaveLength(13);
  for (const check of ["oauth-token", "oauth-register"]) expect(of(found, check).found).toContain("refuses");
});

test("a public service lets web pages read what leads to a sign-in", async () => {
  const own = await startOwn(root, { oauth: true, base_url: "https://wharf.example" });
  const addresses = { ...oauthAddresses("https://wharf.example"), account: `${own.url}/mcp/account` };
  const finding = await checkCors(
    { ...addresses, resource_metadata: `${own.url}/.well-known/oauth-protected-resource/mcp/account` },
    `${own.url}/oauth/token`,
  );
  await own.stop();
  expect(finding).toMatchObject({ status: "ok" });
});

test("nothing fails of a real service for members with --oauth", async () => {
  const own = await startOwn(root, { oauth: true, read: "members" });
  const found = await examineOauth(own.url, { clock: systemClock });
  await own.stop();
  expect(found.filter(({ status }) => status === "failed")).toEqual([]);
});

test("a real service without --oauth is named as such", async () => {
  const own = await startOwn(root);
  const found = await examineOauth(own.url, { clock: systemClock });
  await own.stop();
  expect(of(found, "oauth-challenge")).toMatchObject({
    status: "failed",
    remedy: expect.stringContaining("--oauth"),
  });
});

const planted: [title: string, check: string, found: RegExp, breaks: Breaking][] = [
  [
    "rules against bots that stop Claude",
    "oauth-bots",
    /mcp\/account answers 403 to Claude-User, and 401 to others/,
    (request, answer) =>
      request.headers.get("user-agent")!.startsWith("Claude-User") ? forbidden(request, answer) : answer,
  ],
  [
    "rules against bots that stop ChatGPT at the token endpoint only",
    "oauth-bots",
    /oauth\/token answers 403 to openai-mcp, and 400 to others/,
    at("/token", (request, answer) =>
      request.headers.get("user-agent")!.startsWith("openai") ? forbidden(request, answer) : answer,
    ),
  ],
  [
    "a resource with a slash at its end",
    "oauth-resource",
    /The resource at .* is "http.*\/mcp\/account\/", and not http/,
    withMembers("oauth-protected-resource", ({ resource }) => ({ resource: `${String(resource)}/` })),
  ],
  [
    "an authorization server elsewhere",
    "oauth-resource",
    /names the issuer "https:\/\/elsewhere.example\/oauth"/,
    withMembers("oauth-protected-resource", () => ({
      authorization_servers: ["https://elsewhere.example/oauth"],
    })),
  ],
  [
    "two authorization servers",
    "oauth-resource",
    /where one belongs/,
    withMembers("oauth-protected-resource", () => ({ authorization_servers: ["https://a.example", "b"] })),
  ],
  [
    "an address /mcp that is not routed",
    "oauth-mcp",
    /\/mcp answers 404/,
    (request, answer) => (request.url.endsWith("/mcp") ? new Response("Not here.", { status: 404 }) : answer),
  ],
  [
    "an address /mcp that starts a sign-in",
    "oauth-mcp",
    /\/mcp answers 401/,
    (request, answer) => (request.url.endsWith("/mcp") ? new Response("", { status: 401 }) : answer),
  ],
  [
    "an issuer with a slash at its end",
    "oauth-issuer",
    /it ends with a slash/,
    withMembers("oauth", ({ issuer }) => (issuer === undefined ? {} : { issuer: `${String(issuer)}/` })),
  ],
  [
    "an issuer of another scheme",
    "oauth-issuer",
    /The issuer at .* is "https:/,
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined ? {} : { issuer: String(issuer).replace("http:", "https:") },
    ),
  ],
  [
    "a challenge without the address of the metadata",
    "oauth-challenge",
    /names no resource_metadata/,
    challenging(() => 'Bearer realm="wharf"'),
  ],
  ["a 401 without a challenge", "oauth-challenge", /names no resource_metadata/, challenging(() => null)],
  [
    "a challenge with a relative address",
    "oauth-challenge",
    /is no absolute address/,
    challenging(() => 'Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp/account"'),
  ],
  [
    "a challenge that names another host",
    "oauth-challenge",
    /names metadata elsewhere/,
    challenging((answer) =>
      answer.headers.get("www-authenticate")!.replace(/http:\/\/[^/]+/, "http://localhost:1"),
    ),
  ],
  [
    "a service without --oauth",
    "oauth-challenge",
    /mcp\/account answers 404/,
    at("/mcp/account", () => new Response("", { status: 404 })),
  ],
  [
    "a proxy that answers /mcp/account with a page",
    "oauth-challenge",
    /answers 200, where 401 starts a sign-in/,
    at("/mcp/account", () => new Response("<p>Welcome")),
  ],
  ["metadata behind a sign-in", "oauth-issuer", /answers 403/, at("/oauth-authorization-server", forbidden)],
  [
    "metadata that is redirected",
    "oauth-issuer",
    /is redirected to/,
    at("/openid-configuration", redirected),
  ],
  [
    "metadata that is a page",
    "oauth-resource",
    /something else than a JSON object/,
    at("/oauth-protected-resource", () => new Response("<p>Welcome")),
  ],
  [
    "metadata at the root",
    "oauth-root",
    /There is metadata at http.*\/oauth-authorization-server:/,
    (request, answer) =>
      request.url.endsWith("/.well-known/oauth-authorization-server")
        ? Response.json({ issuer: "anything" })
        : answer,
  ],
  ["a redirected token request", "oauth-token", /is redirected to/, at("/token", redirected)],
  [
    "a token endpoint that another program answers",
    "oauth-token",
    /answers 404/,
    at("/token", () => new Response("", { status: 404 })),
  ],
  [
    "a token endpoint that gives tokens for anything",
    "oauth-token",
    /answers 200/,
    at("/token", () => Response.json({ access_token: "x" })),
  ],
  ["a page that is not routed", "oauth-authorize", /answers 403/, at("/authorize", forbidden)],
  [
    "a redirect address of a loopback port that is refused",
    "oauth-register",
    /refuses redirect addresses that clients use: http:\/\/localhost:49152\/callback/,
    at("/register", () =>
      Response.json(
        { error: "invalid_redirect_uri", error_description: "redirect_uris/6 no port; redirect_uris/7 no" },
        { status: 400 },
      ),
    ),
  ],
  ["a registration that is blocked", "oauth-register", /answers 403/, at("/register", forbidden)],
  [
    "metadata without refresh tokens",
    "oauth-abilities",
    /lacks refresh_token in grant_types_supported/,
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined ? {} : { grant_types_supported: ["authorization_code"] },
    ),
  ],
  [
    "a way to authenticate that is not supported",
    "oauth-abilities",
    /lacks none in token_endpoint_auth_methods_supported/,
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined
        ? {}
        : { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] },
    ),
  ],
  [
    "metadata without PKCE, documents of clients and iss",
    "oauth-abilities",
    /S256 in code_challenge_methods_supported, client_id_metadata_document_supported, authorization_response_iss_parameter_supported/,
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined
        ? {}
        : {
            code_challenge_methods_supported: ["plain"],
            client_id_metadata_document_supported: false,
            authorization_response_iss_parameter_supported: undefined,
          },
    ),
  ],
  [
    "an endpoint at another origin",
    "oauth-abilities",
    /token_endpoint is "http:\/\/internal:4273\/oauth\/token"/,
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined ? {} : { token_endpoint: "http://internal:4273/oauth/token" },
    ),
  ],
];

describe("a fault fails its check with what to do, and stores nothing:", () => {
  test.each(planted)("%s", async (_title, check, found, breaks) => {
    const findings = await behind(breaks);
    expect(of(findings, check)).toMatchObject({ status: "failed", remedy: expect.any(String) });
    expect(of(findings, check).found).toMatch(found);
    expect(service!.stored).toEqual([]);
  });
});

test("a GET at /mcp that answers a document is a warning, because some clients take it for metadata", async () => {
  const findings = await behind((request, answer) =>
    request.url.endsWith("/mcp") && request.method === "GET" ? Response.json({ name: "wharf" }) : answer,
  );
  expect(of(findings, "oauth-mcp")).toMatchObject({ status: "warning" });
});

test("metadata of another service at the root of the host is a warning below a path", async () => {
  const findings = await behind(
    (request, answer) =>
      request.url.endsWith("/.well-known/openid-configuration")
        ? Response.json({ issuer: "https://other.example" })
        : answer,
    "/wharf",
  );
  expect(of(findings, "oauth-root")).toMatchObject({ status: "warning" });
});

test("a limit that this machine has reached is no fault of the service", async () => {
  const findings = await behind(at("/register", () => Response.json({}, { status: 429 })));
  expect(of(findings, "oauth-register")).toMatchObject({ status: "warning" });
});

test("nothing is sent to an endpoint at another origin", async () => {
  const found = await behind(
    withMembers("oauth", ({ issuer }) =>
      issuer === undefined ? {} : { token_endpoint: "http://localhost:1/oauth/token" },
    ),
  );
  expect(found.some(({ check }) => check === "oauth-token")).toBe(false);
});

test("where nothing listens the checks end with the connection", async () => {
  const base = `http://127.0.0.1:${await freePort()}`;
  const found = await examineOauth(base, { clock: systemClock });
  expect(statuses(found)).toEqual({
    "oauth-dns": "ok",
    "oauth-https": "warning",
    "oauth-challenge": "failed",
  });
});

describe("CORS", () => {
  const cors = (breaks?: Breaking): Promise<Finding> => {
    service = startSignIn(breaks);
    return checkCors(oauthAddresses(service.base), `${service.base}/oauth/token`);
  };
  const without = (part: string, header: string): Breaking =>
    at(part, (_request, answer) => {
      answer.headers.delete(header);
      return answer;
    });
  test("that lets web pages read everything is right", async () => {
    expect(await cors()).toMatchObject({ status: "ok" });
  });
  test.each([
    ["/oauth/token", "access-control-allow-origin", /cannot read http.*\/oauth\/token/],
    ["oauth-protected-resource", "access-control-allow-origin", /cannot read http.*oauth-protected-resource/],
    ["/mcp/account", "access-control-expose-headers", /cannot read WWW-Authenticate/],
  ])("without the header at %s is a warning", async (part, header, found) => {
    expect(await cors(without(part, header))).toMatchObject({
      status: "warning",
      found: expect.stringMatching(found),
    });
  });
});

describe("the name of the host", () => {
  const dns = (a: string[], aaaa: string[] = [], host = "wharf.example") =>
    checkDns(`https://${host}`, () => Promise.resolve({ a, aaaa }));
  test.each<[title: string, a: string[], aaaa: string[], status: Finding["status"], found: RegExp]>([
    ["with a public address is right", ["93.184.215.14"], [], "ok", /93\.184\.215\.14/],
    ["with an AAAA record only fails", [], ["2606:4700::1"], "failed", /AAAA record only/],
    ["without a record fails", [], [], "failed", /has no address/],
    ["with a private address fails", ["192.168.1.5"], [], "failed", /not public: 192\.168\.1\.5/],
    ["with an address of CGNAT fails", ["100.101.1.1"], [], "failed", /not public: 100\.101\.1\.1/],
    [
      "with an address of 6to4 fails",
      ["93.184.215.14"],
      ["2002:a00:5::1"],
      "failed",
      /not public: 2002:a00:5::1/,
    ],
    [
      "with one private address of two fails",
      ["93.184.215.14"],
      ["fd00::1"],
      "failed",
      /not public: fd00::1/,
    ],
  ])("%s", async (_title, a, aaaa, status, found) => {
    expect(await dns(a, aaaa)).toMatchObject({ status, found: expect.stringMatching(found) });
  });
  test("that is a private address fails, and a public address is a warning", async () => {
    expect(await dns([], [], "10.0.0.5")).toMatchObject({ status: "failed" });
    expect(await dns([], [], "93.184.215.14")).toMatchObject({ status: "warning" });
  });
  test("that cannot be resolved here is a warning", async () => {
    const finding = await checkDns("https://wharf.example", () => Promise.reject(new Error("no DNS")));
    expect(finding).toMatchObject({ status: "warning", found: expect.stringContaining("no DNS") });
  });
});

const without_certificates = lacks("certificates that wharf doctor --oauth looks at", "openssl");

describe("https", () => {
  test("is a warning if it is missing on this machine, and fails elsewhere", async () => {
    expect(await checkHttps("http://localhost:4273", Date.now())).toMatchObject({ status: "warning" });
    expect(await checkHttps("http://wharf.example", Date.now())).toMatchObject({ status: "failed" });
  });
  test.skipIf(without_certificates)("with a certificate that is not trusted fails", async () => {
    const { cert, key } = makeCertificate(root, "untrusted");
    const server = Bun.serve({
      port: 0,
      tls: { cert: Bun.file(cert), key: Bun.file(key) },
      fetch: () => new Response(""),
    });
    const finding = await checkHttps(`https://localhost:${server.port}`, Date.now());
    await server.stop(true);
    expect(finding).toMatchObject({ status: "failed", found: expect.stringMatching(/certificate/i) });
  });
  test.skipIf(without_certificates).each([
    [90, "warning", "some vendors call port 443 only"],
    [3, "warning", "It expires soon."],
  ])("with a trusted certificate for %d days", async (days, status, found) => {
    const { cert, key } = makeCertificate(root, `trusted-${days}`, days);
    const server = Bun.serve({
      port: 0,
      tls: { cert: Bun.file(cert), key: Bun.file(key) },
      fetch: () => new Response(""),
    });
    const { findings, code } = await command(["--oauth", `https://localhost:${server.port}/`], {
      NODE_EXTRA_CA_CERTS: cert,
    });
    await server.stop(true);
    expect(code).toBe(1);
    expect(of(findings, "oauth-https")).toMatchObject({ status, found: expect.stringContaining(found) });
  });
});

/** Runs `wharf doctor`. */
async function command(args: string[], environment: Record<string, string> = {}) {
  const main = join(import.meta.dir, "../../src/main.ts");
  const run = Bun.spawn([process.execPath, main, "doctor", "--json", ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, said, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  const { findings } = (out === "" ? { findings: [] } : JSON.parse(out)) as { findings: Finding[] };
  return { findings, said, code };
}

test("the command takes the address that clients use, ends with 0 if no check failed, and needs no data directory", async () => {
  service = startSignIn();
  const { findings, said, code } = await command(["--oauth", `${service.base}/mcp/account`]);
  expect([said, code]).toEqual(["", 0]);
  expect(findings).toHaveLength(13);
});

test("the command refuses what is no address", async () => {
  expect(await command(["--oauth", "wharf.example"])).toMatchObject({
    code: 2,
    said: expect.stringContaining("--oauth must be an http or https address"),
  });
});

test("without an address the public one is checked, else the service on this machine", () => {
  const config = { ...default_config, port: 4273 };
  expect(baseOf({ ...config, base_url: "https://wharf.example/p" })).toBe("https://wharf.example/p");
  expect(baseOf(config)).toBe("http://127.0.0.1:4273");
  expect(baseOf({ ...config, host: "0.0.0.0" })).toBe("http://127.0.0.1:4273");
  expect(baseOf({ ...config, host: "::1", tls_cert: "c" })).toBe("https://[::1]:4273");
});

test("docs/operating.md and docs/connect.md name the checks that exist", async () => {
  const checks = new Set((await behind()).map(({ check }) => check));
  const named = (document: string) =>
    new Set(
      Array.from(
        readFileSync(join(import.meta.dir, "../../docs", document), "utf8").matchAll(/`(oauth-[a-z]+)`/g),
        ([, name]) => name!,
      ),
    );
  expect(named("operating.md")).toEqual(checks);
  expect([...named("connect.md")].filter((name) => !checks.has(name))).toEqual([]);
});
