/** Claude as its vendor and operators of servers describe it: claude.ai on the web and on phones, and Claude Code. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { refreshed, revoked, token, type Refused } from "../../support/oauth.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { signedIn, type Browser } from "../../support/sign_in.ts";
import {
  discovered,
  metadataIn,
  nameAt,
  registeredAt,
  signedInAs,
  startWithDocuments,
  without_documents,
  type DocumentedService,
} from "../../support/sign_in_clients.ts";

const callbacks = ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"];
const registration = {
  client_name: "Claude",
  redirect_uris: callbacks,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  scope: "wharf offline_access",
};

describe("claude.ai that registers", () => {
  let service: SourceService;
  let account: string;
  let ada: Holder;
  let browser: Browser;
  beforeAll(async () => {
    service = await startSource({ oauth: true });
    account = `${service.url}/mcp/account`;
    ada = await claim(service.url, "Ada");
    browser = await signedIn(service.url, ada);
  });
  afterAll(() => service.stop());

  test("takes /mcp/account for an address with OAuth and /mcp for one without, by the answer to initialize", async () => {
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: handshakeOfClaude };
    const anonymous = await post(`${service.url}/mcp`, initialize, accepted);
    expect([anonymous.status, anonymous.headers.has("www-authenticate")]).toEqual([200, false]);
    const refused = await post(account, initialize, accepted);
    expect(refused.status).toBe(401);
    const of_resource = await get(metadataIn(refused.headers.get("www-authenticate")));
    expect(of_resource.body.resource).toBe(account);
    expect(of_resource.body.authorization_servers).toHaveLength(1);
    // A client asks for each scope that the resource lists, so that offline_access is none of them.
    expect(of_resource.body.scopes_supported).toEqual(["wharf"]);
  });

  test("registers twice within two seconds with both callbacks, and is let in as either", async () => {
    const found = await discovered(account);
    const [first, second] = [
      await registeredAt(found, registration),
      await registeredAt(found, registration),
    ];
    service.clock.advance(2);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.redirect_uris).toEqual(callbacks);
    expect(first.body.client_id).not.toBe(second.body.client_id);
    for (const [answer, redirect_uri] of [
      [second, callbacks[0]!],
      [first, callbacks[1]!],
    ] as const) {
      const access = { client_id: answer.body.client_id, redirect_uri };
      expect(await nameAt(account, await signedInAs(browser, found, access))).toBe("Ada");
    }
  });

  // Its requests have also been seen without a scope of the server, with the resource twice, and with a slash at its end.
  test.each([
    ["as it is typed", (typed: string) => [typed]],
    ["with a slash at its end", (typed: string) => [`${typed}/`]],
    ["twice", (typed: string) => [typed, typed]],
  ])("sends the resource %s, adds offline_access and asks for consent", async (_how, resourcesOf) => {
    const found = await discovered(account);
    const { body } = await registeredAt(found, registration);
    const issued = await signedInAs(browser, found, {
      client_id: body.client_id,
      redirect_uri: callbacks[0]!,
      resources: resourcesOf(account),
      params: { scope: " offline_access", prompt: "consent" },
    });
    expect(issued.scope).toBe("wharf offline_access");
    expect(await nameAt(account, issued)).toBe("Ada");
  });

  test("refreshes from two machines within a minute, in bursts of up to 76 seconds, and stays signed in", async () => {
    const { url } = service;
    const found = await discovered(account);
    const { client_id } = (await registeredAt(found, registration)).body;
    let { refresh_token } = await signedInAs(browser, found, { client_id, redirect_uri: callbacks[0]! });
    for (let hour = 0; hour < 3; hour++) {
      service.clock.advance(3600);
      const burst = [await refreshed(url, client_id, refresh_token)];
      // The first machine uses its answer at once; the other repeats the old token meanwhile.
      const next = burst[0]!.body.refresh_token;
      service.clock.advance(5);
      const ahead = await refreshed(url, client_id, next);
      for (const seconds of [28, 27, 16]) {
        service.clock.advance(seconds);
        const both = [refreshed(url, client_id, refresh_token), refreshed(url, client_id, refresh_token)];
        burst.push(...(await Promise.all(both)));
      }
      expect(burst.map(({ status }) => status)).toEqual(Array(7).fill(200));
      expect(new Set(burst.map(({ body }) => body.refresh_token))).toEqual(new Set([next]));
      for (const { body } of [...burst, ahead]) expect(await nameAt(account, body)).toBe("Ada");
      ({ refresh_token } = ahead.body);
    }
  });

  test("registers again when its registration was deleted", async () => {
    const { url } = service;
    const found = await discovered(account);
    const { client_id } = (await registeredAt(found, registration)).body;
    const issued = await signedInAs(browser, found, { client_id, redirect_uri: callbacks[0]! });
    const ended = await asOwner(service, "POST", "/api/admin/clients/end", { client_id, reason: "old" });
    expect(ended.status).toBe(200);
    expect(await nameAt(account, issued)).toBe(401);
    const refused = await refreshed<Refused>(url, client_id, issued.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
    const again = (await registeredAt(found, registration)).body;
    const next = await signedInAs(browser, found, {
      client_id: again.client_id,
      redirect_uri: callbacks[0]!,
    });
    expect(await nameAt(account, next)).toBe("Ada");
  });

  test("gets a 401 with the challenge once its token has ended, and the token is what it is told is wrong", async () => {
    const found = await discovered(account);
    const { client_id } = (await registeredAt(found, registration)).body;
    const issued = await signedInAs(browser, found, { client_id, redirect_uri: callbacks[0]! });
    expect((await revoked(service.url, client_id, issued.refresh_token)).status).toBe(200);
    const bearer = { authorization: `Bearer ${issued.access_token}` };
    const refused = await post(
      account,
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { ...accepted, ...bearer },
    );
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(metadataIn(refused.headers.get("www-authenticate"))).toBe(
      `${service.url}/.well-known/oauth-protected-resource/mcp/account`,
    );
  });
});

const accepted = { accept: "application/json, text/event-stream" };
const handshakeOfClaude = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "Anthropic/ClaudeAI", version: "1.0.0" },
};

describe.skipIf(without_documents)("with a document", () => {
  let service: DocumentedService;
  beforeAll(async () => {
    service = await startWithDocuments();
  });
  afterAll(() => service.stop());

  const common = {
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };

  test("claude.ai needs no registration if the server says so and takes clients without a secret", async () => {
    const client_id = service.publish("/oauth/mcp-oauth-client-metadata", {
      ...common,
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: callbacks,
      grant_types: [...common.grant_types, "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    });
    const found = await discovered(service.account);
    expect(found.server.client_id_metadata_document_supported).toBe(true);
    expect(found.server.token_endpoint_auth_methods_supported).toContain("none");
    for (const redirect_uri of callbacks) {
      const issued = await signedInAs(service.browser, found, {
        ...{ client_id, redirect_uri },
        resources: [service.account, service.account],
        params: { scope: " offline_access", prompt: "consent" },
      });
      expect(await nameAt(service.account, issued)).toBe("Ada");
      const next = await refreshed(service.url, client_id, issued.refresh_token);
      expect(await nameAt(service.account, next.body)).toBe("Ada");
    }
  });

  describe("Claude Code", () => {
    const publish = () =>
      service.publish("/oauth/claude-code-client-metadata", {
        ...common,
        client_name: "Claude Code",
        client_uri: "https://claude.ai",
        redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      });

    test.each([
      "http://localhost:54213/callback",
      "http://127.0.0.1:8080/callback",
      "http://localhost/callback",
    ])("is answered at %s, because the port is free", async (redirect_uri) => {
      const found = await discovered(service.account);
      const access = { client_id: publish(), redirect_uri, params: { scope: "wharf" } };
      expect(await nameAt(service.account, await signedInAs(service.browser, found, access))).toBe("Ada");
    });

    test.each([
      "http://localhost:54213/other",
      "http://127.0.0.2:8080/callback",
      "https://localhost/callback",
    ])("is not answered at %s", async (redirect_uri) => {
      const found = await discovered(service.account);
      const access = signedInAs(service.browser, found, { client_id: publish(), redirect_uri });
      expect(access).rejects.toThrow("No page: 400");
    });

    test("gets no null in the reply to a registration", async () => {
      const found = await discovered(service.account);
      const sent = { client_name: "Claude Code (wharf)", redirect_uris: ["http://localhost:3118/callback"] };
      for (const more of [{}, { token_endpoint_auth_method: "none" }, { scope: "wharf", client_uri: null }]) {
        const { status, body } = await registeredAt(found, { ...sent, ...more });
        expect(status).toBe(201);
        expect(Object.values(body)).not.toContain(null);
        expect(body).not.toHaveProperty("client_secret");
      }
    });

    test("asks for no more than one scope: nothing is refused with insufficient_scope later", async () => {
      const found = await discovered(service.account);
      const access = { client_id: publish(), redirect_uri: "http://localhost:1/callback" };
      const issued = await signedInAs(service.browser, found, { ...access, params: { scope: "wharf" } });
      expect(issued.scope).toBe("wharf");
      const again = await token(service.url, {
        grant_type: "refresh_token",
        ...{ client_id: access.client_id, refresh_token: issued.refresh_token, resource: found.resource },
      });
      expect([again.status, again.body.scope]).toEqual([200, "wharf"]);
    });
  });
});
