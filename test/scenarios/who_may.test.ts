/** The policy of an instance: who may read and speak, how browsers sign in, and what is said of it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { signedIn } from "../support/sign_in.ts";
import { startSource, type SourceService, type TestSettings } from "../support/service.ts";
import { callTool, toolsOf } from "../support/tools.ts";

const html = { accept: "text/html" };
const form_type = { "content-type": "application/x-www-form-urlencoded" };
const basic = (name: string, key: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${key}`).toString("base64")}`,
});

let service: SourceService;
let ada: Holder;
let room: OpenedRoom;

/** Starts a service with these settings, with a name and a room. */
async function start(settings: TestSettings): Promise<void> {
  service = await startSource(settings);
  ada = await claim(service.url, "Ada");
  const opened = await post<OpenedRoom>(
    `${service.url}/api/meet/rooms`,
    { goal: "Who may speak", name: "Ada" },
    ada.pair,
  );
  expect(opened.status).toBe(201);
  room = opened.body;
}

describe.each(["claimed", "members"] as const)("--speak %s", (speak) => {
  beforeAll(() => start({ speak }));
  afterAll(() => service.stop());
  const refused = { status: 401, body: { code: "credential_required" } };

  test("refuses rooms, posts and last words without a key, and stores nothing", async () => {
    const rooms = `${service.url}/api/meet/rooms`;
    expect(await post(rooms, { goal: "Mine", name: "Eve" })).toMatchObject(refused);
    expect(await post(`${room.api}/posts`, { name: "Eve", body: "hello" })).toMatchObject(refused);
    const last = { name: "Eve", last_word: "so long" };
    expect(await post(`${room.api}/close`, last, { "x-meet-key": room.host_key! })).toMatchObject(refused);
    const { body } = await get<{ posts: unknown[]; room: { closed: boolean } }>(room.api);
    expect([body.posts, body.room.closed]).toEqual([[], false]);
  });

  test("refuses the tools that speak", async () => {
    const calls: [string, object][] = [
      ["meet_speak", { room: room.slug, name: "Eve", body: "hello" }],
      ["meet_open", { goal: "Mine", name: "Eve" }],
      ["meet_ask", { question: "May I?", name: "Eve", wait_seconds: 0 }],
      ["meet_close", { room: room.slug, host_key: room.host_key, name: "Eve", last_word: "so long" }],
    ];
    for (const [tool, args] of calls) {
      const { isError, content } = await callTool(service.url, tool, args);
      expect([tool, isError, content[0]!.text]).toEqual([
        tool,
        true,
        expect.stringMatching(/^Refused \(credential_required\).*\nNext: .*key/),
      ]);
    }
  });

  test("lets the holder of a name speak, and anybody read", async () => {
    expect((await post(`${room.api}/posts`, { name: "Ada", body: "hello" }, ada.pair)).status).toBe(201);
    expect((await get(room.api)).status).toBe(200);
    const said = await callTool(service.url, "meet_speak", {
      room: room.slug,
      body: "and hello",
      key: ada.key,
    });
    expect(said.isError).toBeUndefined();
  });

  test("asks a browser that sends a form to sign in, and takes its session or HTTP Basic", async () => {
    const own = { ...html, ...form_type, origin: service.url };
    const speaking = "name=Ada&body=by+form";
    const page = await send("POST", room.url, own, speaking);
    expect([page.status, page.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="wharf"']);
    expect(page.body).toContain('autocomplete="current-password"');
    const browser = await signedIn(service.url, ada);
    expect((await browser.post(`/meet/r/${room.slug}`, { name: "Ada", body: "signed in" })).status).toBe(303);
    const signed = await send("POST", room.url, { ...own, ...basic("Ada", ada.key) }, speaking);
    expect(signed.status).toBe(303);
    expect((await send("GET", room.url, html)).body).toContain("Posting here takes a claimed name.");
  });

  test("says so in the documents for agents", async () => {
    const sentence = "opening a room and posting need a claimed name and its key";
    for (const path of ["/llms.txt", "/SKILL.md", "/openapi.json", "/api.md", "/mcp.md", "/mcp/meet.md"]) {
      const { body } = await send("GET", service.url + path);
      expect([path, body.includes(sentence), body.includes("No account, no key")]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect((await send("GET", `${room.api}.md`)).body).toContain("with your name's key");
  });
});

describe("--read members", () => {
  beforeAll(async () => {
    service = await startSource({ read: "members", webhooks: true });
    ada = await claim(service.url, "Ada");
  });
  afterAll(() => service.stop());

  test("answers a program with a problem and a bearer challenge, a browser with the form to sign in", async () => {
    const program = await get(`${service.url}/api/meet/rooms`);
    expect(program).toMatchObject({ status: 401, body: { code: "credential_required" } });
    expect(program.headers.get("www-authenticate")).toBe('Bearer realm="wharf"');
    for (const path of ["/", "/meet", "/mcp", "/llms.txt"]) {
      const page = await send("GET", service.url + path, html);
      expect([path, page.status, page.headers.get("www-authenticate")?.slice(0, 6)]).toEqual([
        path,
        401,
        // A challenge for Basic would open a dialog in front of the page.
        "Bearer",
      ]);
      expect(page.body).toContain("Only members read here");
      expect(page.body).toContain('autocomplete="current-password"');
      expect(page.headers.get("cache-control")).toBe("no-store");
    }
    expect((await send("GET", `${service.url}/assets/x/style.css`)).status).toBe(200);
  });

  test("reads the name and the key of HTTP Basic, with or without the name", async () => {
    for (const [headers, status] of [
      [basic("Ada", ada.key), 200],
      [basic("", ada.key), 200],
      [basic("ada", ada.key), 200],
      [basic("Eve", ada.key), 401],
      [basic("Ada", `${ada.key}x`), 401],
      [basic("Ada", "a password for a proxy"), 401],
      [{ ...basic("Ada", ada.key), "x-wf-key": "wfk_other" }, 401],
    ] as const) {
      expect((await send("GET", `${service.url}/meet`, { ...html, ...headers })).status).toBe(status);
    }
  });

  test("keeps what members read out of shared caches, and no more than that", async () => {
    const headersOf = async (path: string) => (await send("GET", service.url + path, ada.pair)).headers;
    for (const path of [
      "/llms.txt",
      "/meet",
      "/api/meet/rooms.md",
      "/.well-known/api-catalog",
      "/sitemap.xml",
    ]) {
      const headers = await headersOf(path);
      expect([path, headers.get("cache-control")]).toEqual([path, expect.stringMatching(/^private/)]);
      expect(headers.get("cache-control")).not.toContain("public");
      expect(headers.get("vary")).toContain("Authorization");
      const head = await send("HEAD", service.url + path, ada.pair);
      expect([path, head.headers.get("vary")]).toEqual([path, headers.get("vary")]);
    }
    expect((await headersOf("/api/meet/rooms")).get("cache-control")).toMatch(/^(?:private|no-store)/);
    expect((await headersOf("/assets/x/style.css")).get("cache-control")).toBe("no-cache");
  });

  test("answers a conditional request without a key with 401", async () => {
    const { headers } = await send("GET", `${service.url}/llms.txt`, ada.pair);
    const etag = headers.get("etag")!;
    expect(
      (await send("GET", `${service.url}/llms.txt`, { ...ada.pair, "if-none-match": etag })).status,
    ).toBe(304);
    expect((await send("GET", `${service.url}/llms.txt`, { "if-none-match": etag })).status).toBe(401);
  });

  test("refuses every MCP request without a key in its headers with 401", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const with_argument = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "mailbox_read", arguments: { key: ada.key } },
    };
    for (const message of [ping, with_argument, [ping]]) {
      const answer = await call<{ error: { message: string } }>("POST", `${service.url}/mcp`, message);
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="wharf"']);
      expect(answer.body.error.message).toStartWith("Refused (credential_required)");
    }
    expect((await send("DELETE", `${service.url}/mcp`)).status).toBe(401);
    const stream = await send("GET", `${service.url}/mcp`, { accept: "text/event-stream" });
    expect([stream.status, stream.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="wharf"']);
    expect((await call("POST", `${service.url}/mcp`, with_argument, ada.pair)).status).toBe(200);
  });
});

describe.each([
  ["a private service", {}],
  ["a public service", { base_url: "https://wharf.example", allowed_hosts: ["localhost"] }],
])("a browser that has signed in to %s", (_, settings) => {
  beforeAll(() => start({ read: "members", ...settings }));
  afterAll(() => service.stop());

  test("writes from pages of this origin only", async () => {
    const json = { "content-type": "text/plain" };
    const body = JSON.stringify({ name: "Ada", body: "from elsewhere" });
    const sent = async (method: string, path: string, headers: Record<string, string>) =>
      (await send(method, service.url + path, { ...json, ...basic("Ada", ada.key), ...headers }, body))
        .status;
    const posts = `/api/meet/rooms/${room.slug}/posts`;
    const elsewhere: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of elsewhere) {
      expect([headers, await sent("POST", posts, headers)]).toEqual([headers, 403]);
      expect([headers, await sent("DELETE", `${posts}/1`, headers)]).toEqual([headers, 403]);
      expect([headers, await sent("POST", "/mcp", headers)]).toEqual([headers, 403]);
    }
    const here: Record<string, string>[] = [{ origin: service.url }, { "sec-fetch-site": "same-origin" }, {}];
    for (const headers of here) {
      expect([
        headers,
        await sent("POST", posts, { ...headers, "content-type": "application/json" }),
      ]).toEqual([headers, 201]);
    }
  });
});

describe("--claims", () => {
  afterAll(() => service.stop());

  test("closed refuses every claim, and names that are claimed stay", async () => {
    service = await startSource({ claims: "closed" });
    const refused = await post(`${service.url}/api/name`, { name: "Eve", invite: "wfi_guessed" });
    expect(refused).toMatchObject({ status: 403, body: { code: "claims_closed" } });
    const { description } = (await toolsOf(service.url)).find(({ name }) => name === "name_claim")!;
    expect(description).toContain("Claims are closed");
    expect((await send("GET", `${service.url}/llms.txt`)).body).toContain("No new names are claimed here.");
  });
});

test("warns at the start if names are needed, there are none, and nobody can claim one", async () => {
  const outputOf = async (settings: TestSettings) => {
    service = await startSource(settings);
    await get(`${service.url}/healthz`);
    await service.stop();
    return service.output();
  };
  expect(await outputOf({ read: "members", claims: "closed" })).toContain("policy.no_members");
  expect(await outputOf({ speak: "claimed", claims: "closed" })).toContain("policy.no_members");
  expect(await outputOf({ claims: "closed" })).not.toContain("policy.no_members");
  expect(await outputOf({ read: "members" })).not.toContain("policy.no_members");
});

test("names the instance and its contact to callers without a name, as a page and as a problem", async () => {
  const about = { title: "The harbour", contact: "ada@wharf.example" };
  service = await startSource({ read: "members", claims: "invite", ...about });
  try {
    const page = await send("GET", `${service.url}/meet`, html);
    for (const text of ["The harbour", "ada@wharf.example", "takes an invitation of the operator"]) {
      expect(page.body).toContain(text);
    }
    const { body } = await get<{ hint: string }>(`${service.url}/api/meet/rooms`);
    expect(body.hint).toContain('{"name":"…","invite":"wfi_…"}');
    expect(body.hint).toEndWith("Contact: ada@wharf.example");
    const refused = await post<{ hint: string }>(`${service.url}/api/name`, { name: "Eve" });
    expect(refused.body.hint).toEndWith("Contact: ada@wharf.example");
  } finally {
    await service.stop();
  }
});
