/** Editors and agents of the command line as their vendors and operators of servers describe them: VS Code, Cursor, Gemini CLI, goose. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, send } from "../../support/http.ts";
import { token } from "../../support/oauth.ts";
import {
  codeForm,
  discovered,
  letInBy,
  metadataIn,
  nameAt,
  registeredAt,
  serviceOf,
  signedInAs,
  startWithDocuments,
  without_documents,
  type Discovered,
  type DocumentedService,
} from "../../support/sign_in_clients.ts";

let service: DocumentedService;
let found: Discovered;
beforeAll(async () => {
  if (without_documents) return;
  service = await startWithDocuments();
  found = await discovered(service.account);
});
afterAll(() => service?.stop());

const common = {
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** Expects a client to be let in at an address and to act for Ada. */
async function expectLetIn(client_id: string, redirect_uri: string): Promise<void> {
  const issued = await signedInAs(service.browser, found, { client_id, redirect_uri });
  expect([redirect_uri, await nameAt(service.account, issued)]).toEqual([redirect_uri, "Ada"]);
}

/** Expects a client not to be let in at an address. */
const expectRefused = (client_id: string, redirect_uri: string): void =>
  expect(signedInAs(service.browser, found, { client_id, redirect_uri })).rejects.toThrow("No page: 400");

describe.skipIf(without_documents)("VS Code", () => {
  test("finds metadata whose resource is the address that it was given, byte for byte, by either name of the host", async () => {
    const { port } = new URL(service.url);
    for (const host of ["127.0.0.1", "localhost"]) {
      const account = `http://${host}:${port}/mcp/account`;
      const { resource } = await discovered(account);
      expect(resource).toBe(account);
    }
  });

  test("is led to its metadata by the challenge, though it would look at the root of the host", async () => {
    const { headers } = await send("POST", service.account, { "content-type": "application/json" }, "{}");
    const address = metadataIn(headers.get("www-authenticate"));
    expect((await get(address)).body.resource).toBe(service.account);
    expect((await get(`${service.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });

  const document = {
    ...common,
    client_name: "Visual Studio Code",
    client_uri: "https://vscode.dev/product",
    logo_uri: "https://code.visualstudio.com/assets/branding/code-stable.png",
    application_type: "native",
    grant_types: [...common.grant_types, "urn:ietf:params:oauth:grant-type:device_code"],
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
  };

  test("has a document, and is answered on this computer with and without the slash and the port, and on the web", async () => {
    const client_id = service.publish("/oauth/client-metadata.json", document);
    for (const redirect_uri of [
      ...["http://127.0.0.1:33418/", "http://127.0.0.1:33418", "http://127.0.0.1:59656/"],
      "https://vscode.dev/redirect",
    ])
      await expectLetIn(client_id, redirect_uri);
    for (const other of [
      "http://127.0.0.1:33418/other",
      "https://vscode.dev/redirect/",
      "https://vscode.dev/",
    ])
      expectRefused(client_id, other);
  });

  test("registers four addresses where it has no document", async () => {
    const redirect_uris = [
      ...["https://insiders.vscode.dev/redirect", "https://vscode.dev/redirect"],
      ...["http://127.0.0.1/", "http://127.0.0.1:33418/"],
    ];
    const { status, body } = await registeredAt(found, { ...document, redirect_uris });
    expect([status, body.redirect_uris]).toEqual([201, redirect_uris]);
    for (const redirect_uri of [...redirect_uris, "http://127.0.0.1:59656/"])
      await expectLetIn(body.client_id, redirect_uri);
  });
});

describe.skipIf(without_documents)("Cursor", () => {
  const redirect_uris = [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
  ];

  test("registers its three addresses at once, and is answered at each", async () => {
    const { status, body } = await registeredAt(found, { ...common, client_name: "Cursor", redirect_uris });
    expect([status, body.redirect_uris]).toEqual([201, redirect_uris]);
    for (const redirect_uri of redirect_uris) await expectLetIn(body.client_id, redirect_uri);
    for (const other of [
      "cursor://anysphere.cursor-mcp/oauth/other",
      "cursor://another/oauth/callback",
      "vscode://anysphere.cursor-mcp/oauth/callback",
    ])
      expectRefused(body.client_id, other);
  });

  test("learns which address is refused, if one is", async () => {
    const bad = [...redirect_uris.slice(0, 2), "http://attacker.example/callback"];
    const { status, body } = await registeredAt(found, { ...common, redirect_uris: bad });
    expect(status).toBe(400);
    expect(body.error_description).toBe("redirect_uris/2 must be https, or http on localhost");
  });

  test("is answered by a page whose form may lead to its scheme", async () => {
    const { body } = await registeredAt(found, { ...common, client_name: "Cursor", redirect_uris });
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: body.client_id, redirect_uri: redirect_uris[0]! },
      ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
    });
    const page = await service.browser.get(`/oauth/authorize?${query.toString()}`);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' cursor:;");
  });
});

describe.skipIf(without_documents)("Gemini CLI", () => {
  const registration = { ...common, client_name: "Gemini CLI MCP Client", scope: "" };
  const redirectAt = (port: number) => `http://localhost:${port}/oauth/callback`;

  test("registers at a random port, is answered there and at the next one, and refreshes with its scopes", async () => {
    // It compares the resource with the address that it was given.
    expect(found.resource).toBe(service.account);
    const { status, body } = await registeredAt(found, {
      ...registration,
      redirect_uris: [redirectAt(41_234)],
    });
    expect(status).toBe(201);
    const { client_id } = body;
    for (const port of [41_234, 52_001]) {
      const access = { client_id, redirect_uri: redirectAt(port), params: { scope: "wharf" } };
      const coded = await letInBy(service.browser, found, access);
      const accept = { accept: "application/json, application/x-www-form-urlencoded" };
      const form = { ...codeForm(coded, access), resource: found.resource };
      const issued = await token(serviceOf(found), form, accept);
      expect(issued.headers.get("content-type")).toContain("application/json");
      expect(await nameAt(service.account, issued.body)).toBe("Ada");
      const { refresh_token } = issued.body;
      const next = await token(
        serviceOf(found),
        {
          ...{ grant_type: "refresh_token", refresh_token, client_id },
          ...{ scope: "wharf", resource: found.resource },
        },
        accept,
      );
      expect(await nameAt(service.account, next.body)).toBe("Ada");
    }
  });
});

describe.skipIf(without_documents)("goose", () => {
  test("has a document of its documentation, and gets the scope of the server in place of those that it names", async () => {
    const client_id = service.publish("/goose/client-metadata.json", {
      client_name: "Goose",
      redirect_uris: ["http://localhost/oauth_callback"],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "openid profile email",
      code_challenge_methods_supported: ["S256"],
    });
    const access = { client_id, redirect_uri: "http://localhost:50123/oauth_callback" };
    const issued = await signedInAs(service.browser, found, {
      ...access,
      params: { scope: "openid profile email" },
    });
    expect([issued.scope, await nameAt(service.account, issued)]).toEqual(["wharf", "Ada"]);
    expectRefused(client_id, "http://localhost:50123/");
  });
});
