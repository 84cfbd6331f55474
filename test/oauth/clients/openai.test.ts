/** ChatGPT and Codex as their vendor and operators of servers describe them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, send } from "../../support/http.ts";
import { refreshed, token } from "../../support/oauth.ts";
import {
  codeForm,
  discovered,
  isAbsent,
  letInBy,
  nameAt,
  registeredAt,
  signedInAs,
  startWithDocuments,
  without_documents,
  type DocumentedService,
} from "../../support/sign_in_clients.ts";

let service: DocumentedService;
beforeAll(async () => {
  if (without_documents) return;
  service = await startWithDocuments();
});
afterAll(() => service?.stop());

describe.skipIf(without_documents)("ChatGPT", () => {
  const stable = "https://chatgpt.com/connector_platform_oauth_redirect";
  const own = "https://chatgpt.com/connector/oauth/OUbdUMlL15Ct";
  const document = {
    client_name: "ChatGPT",
    client_uri: "https://chatgpt.com/",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg: "RS256",
    jwks_uri: "https://chatgpt.com/oauth/jwks.json",
  };

  test("prefers to sign its requests, and does without because the server takes none", async () => {
    const client_id = service.publish("/oauth/client.json", { ...document, redirect_uris: [stable] });
    const found = await discovered(service.account);
    expect(found.server.token_endpoint_auth_methods_supported).toContain("none");
    expect(found.server.token_endpoint_auth_methods_supported).not.toContain("private_key_jwt");
    // Only then it uses the address that all its connectors share.
    expect(found.server.authorization_response_iss_parameter_supported).toBe(true);
    const access = { client_id, redirect_uri: stable, params: { scope: "wharf offline_access" } };
    const { led } = await letInBy(service.browser, found, access);
    expect(led.searchParams.get("iss")).toBe(found.issuer);
    expect(await nameAt(service.account, await signedInAs(service.browser, found, access))).toBe("Ada");
  });

  test("has a document and an address for each connector elsewhere, without a list of its methods", async () => {
    const { token_endpoint_auth_methods_supported: _, ...without } = document;
    const path = "/oauth/OUbdUMlL15Ct/client.json";
    const client_id = service.publish(path, { ...without, redirect_uris: [own] });
    const found = await discovered(service.account);
    expect(
      await nameAt(
        service.account,
        await signedInAs(service.browser, found, { client_id, redirect_uri: own }),
      ),
    ).toBe("Ada");
    const other = signedInAs(service.browser, found, {
      client_id,
      redirect_uri: "https://chatgpt.com/connector/oauth/another",
    });
    expect(other).rejects.toThrow("No page: 400");
  });

  test("gets its tokens if it signs all the same: PKCE shows who it is", async () => {
    const client_id = service.publish("/oauth/client.json", { ...document, redirect_uris: [stable] });
    const found = await discovered(service.account);
    const access = { client_id, redirect_uri: stable };
    const issued = await token(service.url, {
      ...codeForm(await letInBy(service.browser, found, access), access),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl",
      resource: found.resource,
    });
    expect(await nameAt(service.account, issued.body)).toBe("Ada");
  });

  test("gets a refresh token without asking for one by scope or prompt", async () => {
    const client_id = service.publish("/oauth/client.json", { ...document, redirect_uris: [stable] });
    const found = await discovered(service.account);
    const issued = await signedInAs(service.browser, found, { client_id, redirect_uri: stable });
    const next = await refreshed(service.url, client_id, issued.refresh_token);
    expect(await nameAt(service.account, next.body)).toBe("Ada");
  });

  test("registers once for each connector where it is told to", async () => {
    const found = await discovered(service.account);
    const { status, body } = await registeredAt(found, {
      client_name: "ChatGPT",
      redirect_uris: [own],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
    expect(status).toBe(201);
    const { client_id } = body;
    const issued = await signedInAs(service.browser, found, { client_id, redirect_uri: own });
    expect(await nameAt(service.account, issued)).toBe("Ada");
  });
});

describe.skipIf(without_documents)("Codex", () => {
  const document = {
    client_name: "Codex",
    client_uri: "https://chatgpt.com/codex",
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    token_endpoint_auth_methods_supported: ["none"],
  };

  test("finds nothing to sign in with at /mcp: not by GET, and not at the root", async () => {
    for (const accept of ["*/*", "application/json", "application/json, text/event-stream"]) {
      const { status, headers } = await send("GET", `${service.url}/mcp`, { accept });
      expect([accept, status, headers.has("www-authenticate")]).toEqual([accept, 405, false]);
    }
    for (const kind of ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]) {
      for (const path of [`/.well-known/${kind}`, `/.well-known/${kind}/mcp`, `/mcp/.well-known/${kind}`])
        expect([path, await isAbsent(service.url + path)]).toEqual([path, true]);
    }
  });

  test("finds the server of /mcp/account, though it looks at the root first", async () => {
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"])
      expect([path, await isAbsent(service.url + path)]).toEqual([path, true]);
    const inserted = await get(`${service.url}/.well-known/oauth-protected-resource/mcp/account`);
    expect(inserted.body.resource).toBe(service.account);
    expect((await discovered(service.account)).server.client_id_metadata_document_supported).toBe(true);
  });

  test.each([
    ["of all servers", "", "/callback"],
    ["of one server", "/6f1c", "/callback/6f1c"],
  ])("has a document %s, and is answered at any port", async (_which, folder, path) => {
    const client_id = service.publish(`/oauth/codex${folder}/client.json`, {
      ...document,
      redirect_uris: [`http://127.0.0.1${path}`, `http://localhost${path}`],
    });
    const found = await discovered(service.account);
    for (const host of ["127.0.0.1:1455", "localhost:60017"]) {
      const access = { client_id, redirect_uri: `http://${host}${path}` };
      const issued = await signedInAs(service.browser, found, access);
      expect(await nameAt(service.account, issued)).toBe("Ada");
    }
    const other = signedInAs(service.browser, found, { client_id, redirect_uri: `http://127.0.0.1:1/other` });
    expect(other).rejects.toThrow("No page: 400");
  });
});
