/** What an access token opened ends with its grant, at once and however that ends; and whom the service refuses anyway. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import { handshake, message, type Rpc } from "../support/mcp_messages.ts";
import { grantOf } from "../support/grants.ts";
import { claim, type Holder } from "../support/names.ts";
import {
  decided,
  letIn,
  newPkce,
  refreshed,
  registered,
  requestQuery,
  token,
  whoamiWith,
  type Refused,
} from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";
import { stored } from "../support/stored.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
});
afterAll(() => service.stop());

const form_type = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const onName = (name: string, action: string) =>
  asOwner(service, "POST", `/api/admin/names/${name}/${action}`, { reason: "x" });

interface Let {
  client_id: string;
  access_token: string;
  refresh_token: string;
}

/** Each way in which a grant ends. */
const ends: Record<string, (holder: Holder, program: Let) => Promise<unknown>> = {
  "its program revokes its access token": (_holder, { client_id, access_token }) =>
    send("POST", `${url}/oauth/revoke`, form_type, `client_id=${client_id}&token=${access_token}`),
  "its program revokes its refresh token": (_holder, { client_id, refresh_token }) =>
    send("POST", `${url}/oauth/revoke`, form_type, `client_id=${client_id}&token=${refresh_token}`),
  async "its name ends it"({ pair }) {
    const { body } = await get<{ grants: { id: string }[] }>(`${url}/api/name/grants`, pair);
    for (const { id } of body.grants) await send("DELETE", `${url}/api/name/grants/${id}`, pair);
  },
  "its name replaces the key": ({ pair }) => post(`${url}/api/name/rotate`, undefined, pair),
  "its name is recovered": ({ name, recovery_code }) =>
    post(`${url}/api/name/recover`, { name, recovery_code }),
  "its key is revoked": ({ key }) => post(`${url}/api/name/revoke`, { key }),
  "its name is suspended": ({ name }) => onName(name, "suspend"),
  "its name is released": ({ name }) => onName(name, "release"),
  "the operator ends its program": (_holder, { client_id }) =>
    asOwner(service, "POST", "/api/admin/clients/end", { client_id, reason: "x" }),
};

describe("waits and streams of an access token end", () => {
  test.each(Object.keys(ends))("when %s", async (way) => {
    const holder = await claim(url, `n${Object.keys(ends).indexOf(way)}`);
    const program = await letIn(url, await signedIn(url, holder));
    const bearer = { authorization: `Bearer ${program.access_token}` };
    const account = `${url}/mcp/account`;
    const { headers } = await post(account, message("initialize", handshake), bearer);
    const session = { "mcp-session-id": headers.get("mcp-session-id")! };
    const stream = await readEvents(`${url}/api/mailbox/stream`, bearer);
    const mcp_stream = await readEvents(account, { accept: "text/event-stream", ...bearer, ...session });
    expect([stream.response.status, mcp_stream.response.status]).toEqual([200, 200]);
    const wait = get(`${url}/api/mailbox?wait_seconds=50&since=1000`, bearer);
    const tool = { name: "wait", arguments: { mailbox: "now", wait_seconds: 50 } };
    const by_tool = post<Rpc>(account, message("tools/call", tool), { ...json, ...bearer });
    while (service.open().waits < 2 || service.open().streams < 1) await Bun.sleep(1);
    await ends[way]!(holder, program);
    expect(await stream.next()).toBeNull();
    expect(await mcp_stream.next()).toBeNull();
    const { status } = (await wait).body as { status: number };
    expect([401, 403]).toContain(status);
    expect(JSON.stringify((await by_tool).body)).toMatch(/unknown_credential|name_suspended/);
    // Nor does anything of it work afterwards.
    expect([401, 403]).toContain((await whoamiWith(url, program.access_token))[0]);
    const again = await refreshed<Refused>(url, program.client_id, program.refresh_token);
    expect([again.status, again.body.error]).toEqual(
      way.startsWith("the operator") ? [401, "invalid_client"] : [400, "invalid_grant"],
    );
    const by_session = await post<Rpc>(account, message("tools/list"), { ...json, ...session, ...bearer });
    expect([401, 403]).toContain(by_session.status);
  });
});

describe("a session of MCP that a token began", () => {
  test("is continued by nobody without the name's credential", async () => {
    const holder = await claim(url, "Ada");
    const { access_token } = await letIn(url, await signedIn(url, holder));
    const bearer = { authorization: `Bearer ${access_token}` };
    const { headers } = await post(`${url}/mcp/account`, message("initialize", handshake), bearer);
    const session = { "mcp-session-id": headers.get("mcp-session-id")! };
    for (const method of ["tools/list", "tools/call"]) {
      const answer = await post<Rpc>(`${url}/mcp/account`, message(method), { ...json, ...session });
      expect([method, answer.status]).toEqual([method, 401]);
    }
    // Whose calls they are is not a matter of the session.
    const tool = message("tools/call", { name: "mailbox_read", arguments: {} });
    const of_nobody = await post<Rpc>(`${url}/mcp`, tool, { ...json, ...session });
    expect(JSON.stringify(of_nobody.body)).not.toContain('"isError":false');
    for (const headers of [{ ...session }, { ...session, accept: "text/event-stream" }])
      expect((await send("GET", `${url}/mcp/account`, headers)).status).toBe(401);
    expect((await send("DELETE", `${url}/mcp/account`, session)).status).toBe(401);
  });
});

describe("a code", () => {
  test("is not exchanged after its name was suspended, released, or has another key", async () => {
    const changes: Record<string, (holder: Holder) => Promise<unknown>> = {
      suspended: ({ name }) => onName(name, "suspend"),
      async released({ name }) {
        await onName(name, "release");
        await claim(url, name);
      },
      rotated: ({ pair }) => post(`${url}/api/name/rotate`, undefined, pair),
      ended: (_holder) => asOwner(service, "POST", "/api/admin/clients/end", { client_id, reason: "x" }),
    };
    let client_id = "";
    for (const [change, make] of Object.entries(changes)) {
      const holder = await claim(url, `code ${change}`);
      const browser = await signedIn(url, holder);
      const redirect_uri = "https://claude.ai/cb";
      client_id = await registered(url, { redirect_uris: [redirect_uri] });
      const { verifier, challenge } = newPkce();
      const query = requestQuery({ client_id, redirect_uri, code_challenge: challenge });
      const page = await browser.get(`/oauth/authorize?${query}`);
      const [, ticket] = /name="ticket" value="(\w+)"/.exec(page.body)!;
      const led = await browser.post("/oauth/authorize", { query, ticket: ticket!, answer: "allow" });
      const code = new URL(led.headers.get("location")!).searchParams.get("code")!;
      await make(holder);
      const form = {
        grant_type: "authorization_code",
        client_id,
        code,
        code_verifier: verifier,
        redirect_uri,
      };
      const { status, body } = await token<Refused>(url, form);
      expect([change, status, body.error]).toEqual(
        change === "ended" ? [change, 401, "invalid_client"] : [change, 400, "invalid_grant"],
      );
    }
  });

  test.each([
    ["that has another grant", true],
    ["that has no grant", false],
  ])(
    "of a program with a document, %s, is not exchanged after the operator has ended that",
    async (_how, has_grant) => {
      const holder = await claim(url, `Docs ${has_grant}`);
      const redirect_uri = "https://claude.ai/cb";
      const client_id = await registered(url, { redirect_uris: [redirect_uri] });
      const { verifier, challenge } = newPkce();
      const query = requestQuery({ client_id, redirect_uri, code_challenge: challenge });
      const code = (await decided(await signedIn(url, holder), query)).searchParams.get("code")!;
      const client = "https://client.example/client.json";
      await stored(
        service.directory,
        "UPDATE oauth_codes SET client = $1 WHERE client = $2",
        client,
        client_id,
      );
      if (has_grant) await grantOf(service, holder, { client });
      const ended = { client_id: client, reason: "x" };
      expect((await asOwner(service, "POST", "/api/admin/clients/end", ended)).status).toBe(200);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri };
      expect((await token<Refused>(url, { ...form, client_id: client })).body.error).toBe("invalid_grant");
    },
  );
});

describe("an address that is banned", () => {
  test("reaches no endpoint of the flow", async () => {
    const banned = await startSource({ oauth: true, trusted_proxies: ["127.0.0.1/32"] });
    try {
      const ban = await asOwner(banned, "POST", "/api/admin/bans", { network: "192.0.2.7", reason: "x" });
      expect(ban.status).toBeLessThan(300);
      const from = { "x-forwarded-for": "192.0.2.7" };
      for (const [method, path] of [
        ["GET", "/oauth/authorize?client_id=x"],
        ["POST", "/oauth/token"],
        ["POST", "/oauth/register"],
        ["POST", "/oauth/revoke"],
      ] as const) {
        const answer = await send(
          method,
          banned.url + path,
          { ...from, ...form_type },
          method === "GET" ? undefined : "x=1",
        );
        expect([path, answer.status]).toEqual([path, 403]);
      }
    } finally {
      await banned.stop();
    }
  });
});

describe("a service for members", () => {
  test("lets programs sign in, and shows nothing to those that have not", async () => {
    const members = await startSource({ oauth: true, read: "members" });
    try {
      const holder = await claim(members.url, "Ada");
      const { access_token, refresh_token, client_id } = await letIn(
        members.url,
        await signedIn(members.url, holder),
      );
      const rooms = `${members.url}/api/meet/rooms`;
      expect((await get(rooms)).status).toBe(401);
      const read = await get(rooms, { authorization: `Bearer ${access_token}` });
      expect([read.status, read.headers.get("cache-control")]).toEqual([
        200,
        expect.stringMatching(/private|no-store/),
      ]);
      await send(
        "POST",
        `${members.url}/oauth/revoke`,
        form_type,
        `client_id=${client_id}&token=${refresh_token}`,
      );
      expect((await get(rooms, { authorization: `Bearer ${access_token}` })).status).toBe(401);
    } finally {
      await members.stop();
    }
  });
});
