/** /mcp/account, the address of MCP for clients that sign in by OAuth, and what stays true of /mcp beside it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { fetchWatched, get, post, send } from "../support/http.ts";
import { modernClient, oldClient, type ToolAnswer } from "../support/mcp_clients.ts";
import {
  ask,
  askModern,
  beginSession,
  handshake,
  message,
  modern,
  type Rpc,
} from "../support/mcp_messages.ts";
import { claim, mistyped, type Holder } from "../support/names.ts";
import { letIn, refreshed, revoked } from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
let url: string;
let account: string;
let ada: Holder;
let challenge: string;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  ({ url } = service);
  account = `${url}/mcp/account`;
  ada = await claim(url, "Ada");
  challenge = `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp/account", scope="wharf"`;
});
afterAll(() => service.stop());

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const bearer = () => ({ authorization: `Bearer ${ada.key}` });
const toolCall = (name: string, args: object) => message("tools/call", { name, arguments: args });

/** Every kind of call that a client makes. */
function calls(): [what: string, method: string, headers: Record<string, string>, body?: string][] {
  const discover = modern("server/discover");
  const text = JSON.stringify;
  return [
    ["initialize", "POST", json, text(message("initialize", handshake))],
    ["ping", "POST", json, text(message("ping"))],
    ["tools/list", "POST", json, text(message("tools/list"))],
    ["a tool", "POST", json, text(toolCall("meet_rooms", {}))],
    ["a tool with a key", "POST", json, text(toolCall("meet_rooms", { key: ada.key }))],
    ["a notification", "POST", json, text({ jsonrpc: "2.0", method: "notifications/initialized" })],
    ["a batch", "POST", json, text([message("ping")])],
    ["2026-07-28", "POST", discover.headers, text(discover.body)],
    ["no JSON", "POST", json, "{"],
    ["nothing", "POST", {}],
    ["a session", "POST", { ...json, "mcp-session-id": "x" }, text(message("ping"))],
    ["a probe", "GET", { accept: "*/*" }],
    ["JSON", "GET", { accept: "application/json" }],
    ["Markdown", "GET", { accept: "text/markdown" }],
    ["a stream", "GET", { accept: "text/event-stream" }],
    ["a stream of a session", "GET", { accept: "text/html", "mcp-session-id": "x" }],
    ["HEAD", "HEAD", {}],
    ["the end of a session", "DELETE", { "mcp-session-id": "x" }],
  ];
}

test("without --oauth there is nothing at /mcp/account", async () => {
  const without = await startSource();
  const at = `${without.url}/mcp/account`;
  for (const [what, method, headers, body] of calls()) {
    const { status, headers: answered } = await fetchWatched(at, { method, headers, ...(body && { body }) });
    expect([what, status, answered.has("www-authenticate")]).toEqual([what, 404, false]);
  }
  expect((await send("GET", at, { accept: "text/html" })).status).toBe(404);
  expect((await send("GET", `${at}.md`)).status).toBe(404);
  expect((await send("OPTIONS", at)).status).toBe(404);
  for (const path of ["/mcp.md", "/api/docs/mcp.md"])
    expect((await send("GET", without.url + path)).body).not.toContain("/mcp/account");
  await without.stop();
});

describe("a call at /mcp/account", () => {
  test("without a credential is 401 and leads to the metadata, whatever it is", async () => {
    for (const [what, method, headers, body] of calls()) {
      const answer = await fetchWatched(account, { method, headers, ...(body && { body }) });
      expect([what, answer.status]).toEqual([what, 401]);
      expect(answer.headers.get("www-authenticate")).toBe(challenge);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.has("mcp-session-id")).toBe(false);
      const said = await answer.text();
      if (method === "POST")
        expect((JSON.parse(said) as Rpc).error!.message).toContain("credential_required");
    }
  });

  test("with a wrong credential is 401 with the error invalid_token", async () => {
    const wrong: Record<string, string>[] = [
      { authorization: "Bearer wrong" },
      { authorization: `Bearer wft_${"0".repeat(49)}` },
      { authorization: `Bearer ${mistyped(ada.key)}` },
      { authorization: `Basic ${btoa(`Eve:${ada.key}`)}` },
      { authorization: "Bearer wrong", "x-wf-key": ada.key },
      { "x-wf-key": "wrong" },
      { "x-wf-name": "Ada" },
    ];
    for (const credential of wrong) {
      for (const [what, method, headers, body] of calls()) {
        const sent = { method, headers: { ...headers, ...credential }, ...(body && { body }) };
        const answer = await fetchWatched(account, sent);
        expect([what, answer.status]).toEqual([what, 401]);
        expect(answer.headers.get("www-authenticate")).toBe(`${challenge}, error="invalid_token"`);
      }
    }
    const at_page = await send("GET", account, { accept: "text/html", authorization: "Bearer wrong" });
    expect([at_page.status, at_page.headers.get("www-authenticate")]).toEqual([
      401,
      `${challenge}, error="invalid_token"`,
    ]);
  });

  test("says the address of the metadata as its caller reached the service", async () => {
    const at = url.replace("127.0.0.1", "localhost");
    const { headers } = await post(`${at}/mcp/account`, message("initialize", handshake));
    expect(headers.get("www-authenticate")).toBe(challenge.replace(url, at));
    const base_url = "https://wharf.example/below";
    const public_service = await startSource({ oauth: true, base_url });
    const answer = await post(`${public_service.url}/mcp/account`, message("initialize", handshake));
    expect(answer.headers.get("www-authenticate")).toBe(challenge.replace(url, base_url));
    await public_service.stop();
  });

  test("from a page of another origin may read the challenge", async () => {
    const origin = "http://localhost:6274";
    const open = await startSource({ oauth: true, allowed_origins: [origin] });
    const { status, headers } = await post(`${open.url}/mcp/account`, message("initialize", handshake), {
      origin,
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, origin]);
    expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    const preflight = { origin, "access-control-request-method": "POST" };
    const wanted = { ...preflight, "access-control-request-headers": "authorization, mcp-protocol-version" };
    const allowed = await send("OPTIONS", `${open.url}/mcp/account`, wanted);
    expect([allowed.status, allowed.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringContaining("authorization"),
    ]);
    await open.stop();
  });

  test("from a browser that is signed in is 401, too: its cookie does not count", async () => {
    const { cookie } = await signedIn(url, ada);
    for (const [what, method, headers, body] of calls()) {
      const sent = { method, headers: { ...headers, cookie: cookie! }, ...(body && { body }) };
      const answer = await fetchWatched(account, sent);
      expect([what, answer.status, answer.headers.get("www-authenticate")]).toEqual([what, 401, challenge]);
    }
  });

  test("with a name's key finds the tools and the instructions of /mcp, in both eras", async () => {
    type Offer = { tools?: object[]; instructions?: string; name?: string };
    for (const asking of [ask<Offer>, askModern<Offer>]) {
      const [here, there] = [
        await asking(account, "tools/list", {}, bearer()),
        await asking(`${url}/mcp`, "tools/list"),
      ];
      expect(here.body.result!.tools!.length).toBeGreaterThan(20);
      expect(here.body.result).toEqual(there.body.result!);
      for (const headers of [bearer(), ada.pair, { authorization: `Basic ${btoa(`Ada:${ada.key}`)}` }]) {
        const called = await asking(account, "tools/call", { name: "mailbox_read", arguments: {} }, headers);
        expect(called.body.result).toMatchObject({ structuredContent: expect.anything() });
      }
    }
    const begun = await ask<Offer>(account, "initialize", handshake, bearer());
    const of_mcp = await ask<Offer>(`${url}/mcp`, "initialize", handshake);
    expect(begun.body.result!.instructions).toBe(of_mcp.body.result!.instructions!);
  });

  test("may continue a session that began there, and none of /mcp", async () => {
    const begun = await ask(account, "initialize", handshake, bearer());
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
    expect((await ask(account, "ping", {}, { ...session, ...bearer() })).status).toBe(200);
    expect((await ask(account, "ping", {}, session)).status).toBe(401);
    expect((await ask(`${url}/mcp`, "ping", {}, { ...session, ...bearer() })).status).toBe(404);
    const of_mcp = await beginSession(`${url}/mcp`);
    expect((await ask(account, "ping", {}, { ...of_mcp, ...bearer() })).status).toBe(404);
    expect((await send("DELETE", account, session)).status).toBe(401);
    expect((await send("DELETE", account, { ...session, ...bearer() })).status).toBe(204);
  });

  test("with a key is 405 if it is a GET outside of any session", async () => {
    for (const accept of ["*/*", "application/json", "text/markdown", "text/event-stream"]) {
      const { status, headers } = await send("GET", account, { accept, ...bearer() });
      expect([accept, status, headers.get("allow")]).toEqual([accept, 405, "GET, POST, DELETE"]);
    }
  });

  test("works with clients that others wrote, which send the key as Bearer", async () => {
    const requestInit = { headers: bearer() };
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(account), { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    await client.close();
  });
});

describe("an access token at /mcp/account", () => {
  const withToken = (access_token: string) => ({ authorization: `Bearer ${access_token}` });

  test("calls under the name, in a session and without one, until its hour has passed", async () => {
    const { access_token, refresh_token, client_id } = await letIn(url, await signedIn(url, ada));
    const whoami = { name: "mailbox_read", arguments: {} };
    const begun = await ask(account, "initialize", handshake, withToken(access_token));
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
    for (const headers of [withToken(access_token), { ...withToken(access_token), ...session }]) {
      const { body } = await ask<ToolAnswer>(account, "tools/call", whoami, headers);
      expect(body.result!.isError ?? false).toBe(false);
    }
    service.clock.advance(3600);
    for (const headers of [withToken(access_token), { ...withToken(access_token), ...session }]) {
      const late = await ask(account, "tools/call", whoami, headers);
      expect([late.status, late.headers.get("www-authenticate")]).toEqual([
        401,
        `${challenge}, error="invalid_token"`,
      ]);
    }
    const next = await refreshed(url, client_id, refresh_token);
    const headers = { ...withToken(next.body.access_token), ...session };
    expect(
      (await ask<ToolAnswer>(account, "tools/call", whoami, headers)).body.result!.isError ?? false,
    ).toBe(false);
  });

  test("ends the stream of its session and its wait when it is revoked", async () => {
    const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, { goal: "A wait", name: "Eve" });
    const { access_token, client_id } = await letIn(url, await signedIn(url, ada));
    const begun = await ask(account, "initialize", handshake, withToken(access_token));
    const headers = { ...withToken(access_token), "mcp-session-id": begun.headers.get("mcp-session-id")! };
    const stream = await readEvents(account, { accept: "text/event-stream", ...headers });
    const waiting = ask<ToolAnswer>(
      account,
      "tools/call",
      { name: "meet_read", arguments: { room: body.slug, since: 0, wait_seconds: 50 } },
      withToken(access_token),
    );
    while (service.open().waits === 0) await service.clock.turn();
    await revoked(url, client_id, access_token);
    const ended = await waiting;
    expect(ended.body.result).toMatchObject({ isError: true });
    while ((await stream.next()) !== null);
    expect((await ask(account, "ping", {}, headers)).status).toBe(401);
  });
});

describe("the page of /mcp/account", () => {
  test("is for browsers without a credential, in HTML and Markdown, and says for whom each address is", async () => {
    const page = await send("GET", account, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("link")).toContain(`<${account}.md>; rel="alternate"`);
    const { body: twin } = await send("GET", `${account}.md`);
    // Code is coloured.
    for (const said of [page.body.replaceAll(/<\/?span[^>]*>/g, ""), twin]) {
      expect(said).toContain(`claude mcp add --transport http wharf ${account}`);
      expect(said).toContain(`${url}/mcp`);
      expect(said).not.toContain("no account");
    }
    expect(twin).toContain("signs in by OAuth");
    for (const path of ["/mcp.md", "/mcp/meet.md", "/api/docs/mcp.md"])
      expect((await send("GET", url + path)).body).toContain(account);
  });

  test("is not in the catalogs, whose clients would start to sign in", async () => {
    for (const path of ["/.well-known/ai-catalog.json", "/mcp/server-card"])
      expect((await send("GET", url + path)).body).not.toContain("account");
    expect((await send("GET", `${account}/server-card`)).status).toBe(404);
  });
});

/** Has no token, and reports each attempt to get one. */
function signIn(attempts: string[]): OAuthClientProvider {
  const attempt = (what: string) => () => {
    attempts.push(what);
    throw new Error(`started to sign in: ${what}`);
  };
  return {
    redirectUrl: "http://127.0.0.1:1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1:1/callback"] },
    tokens: () => undefined,
    clientInformation: attempt("clientInformation"),
    saveClientInformation: attempt("saveClientInformation"),
    saveTokens: attempt("saveTokens"),
    redirectToAuthorization: attempt("redirectToAuthorization"),
    saveCodeVerifier: attempt("saveCodeVerifier"),
    codeVerifier: attempt("codeVerifier"),
  };
}

describe("with --oauth, /mcp", () => {
  test("is open as before: no call without a credential is 401", async () => {
    for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/a-room"]) {
      for (const [what, method, headers, body] of calls()) {
        const answer = await fetchWatched(url + path, { method, headers, ...(body && { body }) });
        expect([path, what, answer.status === 401]).toEqual([path, what, false]);
        expect(answer.headers.has("www-authenticate")).toBe(false);
      }
    }
    const { headers } = await ask(`${url}/mcp`, "ping", {}, { authorization: "Bearer wrong" });
    expect(headers.get("www-authenticate")).toBe('Bearer realm="wharf"');
  });

  test("leads a caller without a name, who needs one, to /mcp/account", async () => {
    for (const claims of ["open", "invite", "closed"] as const) {
      const with_claims = await startSource({ oauth: true, claims });
      const without = await startSource({ claims });
      const lines = await Promise.all(
        [with_claims, without].map(async (one) => {
          const call = { name: "mailbox_read", arguments: {} };
          const { body } = await ask<ToolAnswer>(`${one.url}/mcp`, "tools/call", call);
          await one.stop();
          return body.result!.content[0]!.text;
        }),
      );
      expect(lines[0]).toContain("or at /mcp/account, where your client signs in.");
      expect(lines[1]).toBe(lines[0]!.replace(", or at /mcp/account, where your client signs in", ""));
    }
  });

  test("has nothing beside it that a client could take for its authorization server", async () => {
    const names = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"];
    for (const name of names) {
      for (const at of ["", "/", "/mcp", "/mcp/", "/mcp/meet", "/mcp/meet/a-room"]) {
        const { status } = await get(`${url}/.well-known/${name}${at}`);
        expect([name, at, status]).toEqual([name, at, 404]);
      }
      for (const at of ["/mcp", "/mcp/meet"]) {
        const { status } = await get(`${url}${at}/.well-known/${name}`);
        expect([name, at, status]).toEqual([name, at, 404]);
      }
    }
  });

  test("starts no sign-in in a client that could", async () => {
    for (const path of ["/mcp", "/mcp/meet"]) {
      for (const mode of ["auto", "legacy"] as const) {
        const attempts: string[] = [];
        const authProvider = signIn(attempts);
        const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { authProvider }));
        const { content } = await client.callTool({ name: "meet_rooms", arguments: {} });
        expect(content).not.toEqual([]);
        await client.close();
        expect([path, mode, attempts]).toEqual([path, mode, []]);
      }
    }
    // A client that has no way to sign in works, too.
    for (const connect of [oldClient, modernClient]) {
      const { tools, close } = await connect(`${url}/mcp`);
      expect((await tools()).length).toBeGreaterThan(20);
      await close();
    }
  });

  test("starts no sign-in on an instance for members either: a client sees the tools, which lead to /mcp/account", async () => {
    const members = await startSource({ oauth: true, read: "members" });
    const refused = expect.stringContaining(`Connect to ${members.url}/mcp/account`);
    for (const mode of ["auto", "legacy"] as const) {
      const attempts: string[] = [];
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      const options = { authProvider: signIn(attempts) };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${members.url}/mcp`), options));
      expect((await client.listTools()).tools.length).toBeGreaterThan(20);
      expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
      const { content, isError } = await client.callTool({ name: "meet_rooms", arguments: {} });
      expect([isError, content]).toEqual([true, [{ type: "text", text: refused }]]);
      expect(await client.listResources().catch(String)).toEqual(refused);
      await client.close();
      expect([mode, attempts]).toEqual([mode, []]);
    }
    const { tools, call, close } = await oldClient(`${members.url}/mcp`);
    expect((await tools()).length).toBeGreaterThan(20);
    expect(await call("meet_rooms", {})).toMatchObject({ isError: true, content: [{ text: refused }] });
    await close();
    await members.stop();
  });

  test("is the address for everybody: at /mcp/account the same client starts to sign in", async () => {
    const attempts: string[] = [];
    const client = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(account), { authProvider: signIn(attempts) });
    await client.connect(transport).catch(() => {});
    expect(attempts.length).toBeGreaterThan(0);
  });
});
