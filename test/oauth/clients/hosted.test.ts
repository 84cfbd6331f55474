/** Clients that others host, and the proxy for clients without OAuth, as their code and operators describe them: Open WebUI, LibreChat, mcp-remote. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { claim } from "../../support/names.ts";
import { refreshed, token, type Refused } from "../../support/oauth.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { signedIn, type Browser } from "../../support/sign_in.ts";
import {
  codeForm,
  discovered,
  isAbsent,
  letInBy,
  nameAt,
  registeredAt,
  signedInAs,
  type Discovered,
} from "../../support/sign_in_clients.ts";

let service: SourceService;
let url: string;
let account: string;
let browser: Browser;
let found: Discovered;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  ({ url } = service);
  account = `${url}/mcp/account`;
  browser = await signedIn(url, await claim(url, "Ada"));
  found = await discovered(account);
});
afterAll(() => service.stop());

const common = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };

describe("Open WebUI", () => {
  const redirect_uri = "https://ai.example/oauth/clients/mcp:wharf/callback";
  const registration = { ...common, client_name: "Open WebUI", redirect_uris: [redirect_uri] };

  test("goes on from the root of the host, where there is nothing", async () => {
    for (const kind of ["oauth-authorization-server", "openid-configuration"])
      expect(await isAbsent(`${url}/.well-known/${kind}`)).toBe(true);
  });

  test("registers without a method, and reads an answer with one that it knows", async () => {
    const { status, body } = await registeredAt(found, registration);
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: [redirect_uri] });
    const access = { client_id: body.client_id, redirect_uri, params: { scope: "wharf" } };
    expect(await nameAt(account, await signedInAs(browser, found, access))).toBe("Ada");
  });

  test("registers with a secret that it sends in the form", async () => {
    const method = { token_endpoint_auth_method: "client_secret_post" };
    const { body } = await registeredAt(found, { ...registration, ...method });
    expect(body).toMatchObject(method);
    const { client_id, client_secret } = body;
    const access = { client_id, redirect_uri };
    const form = {
      ...codeForm(await letInBy(browser, found, access), access),
      client_secret: client_secret!,
    };
    const issued = await token(url, form);
    expect(await nameAt(account, issued.body)).toBe("Ada");
    const { refresh_token } = issued.body;
    const refresh = { grant_type: "refresh_token", client_id, refresh_token };
    expect((await token<Refused>(url, refresh)).body.error).toBe("invalid_client");
    const next = await token(url, { ...refresh, client_secret: client_secret! });
    expect(await nameAt(account, next.body)).toBe("Ada");
  });
});

describe("LibreChat", () => {
  const redirect_uri = "https://chat.example/api/mcp/wharf/oauth/callback";

  async function signIn() {
    const { body } = await registeredAt(found, {
      ...common,
      client_name: "LibreChat MCP Client",
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: "client_secret_basic",
      scope: "wharf",
    });
    const { client_id, client_secret } = body;
    const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
    const access = { client_id, redirect_uri, params: { scope: "wharf" } };
    const { client_id: _, ...form } = codeForm(await letInBy(browser, found, access), access);
    const issued = await token(url, { ...form, resource: found.resource }, basic);
    return { client_id, basic, issued: issued.body };
  }

  test("registers with a secret that it sends by HTTP Basic, and is answered below the name of the server", async () => {
    const { basic, issued } = await signIn();
    expect(await nameAt(account, issued)).toBe("Ada");
    const form = { grant_type: "refresh_token", refresh_token: issued.refresh_token };
    const next = await token(url, { ...form, scope: "wharf" }, basic);
    expect(await nameAt(account, next.body)).toBe("Ada");
  });

  test("is refused when it connects again after its registration was deleted, so that it registers", async () => {
    const { client_id, basic, issued } = await signIn();
    await asOwner(service, "POST", "/api/admin/clients/end", { client_id, reason: "old" });
    expect(await nameAt(account, issued)).toBe(401);
    const form = { grant_type: "refresh_token", refresh_token: issued.refresh_token };
    const refused = await token<Refused>(url, form, basic);
    expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
    expect(await nameAt(account, (await signIn()).issued)).toBe("Ada");
  });
});

describe("mcp-remote", () => {
  test("registers its port, is answered at another one if that is taken, and compares the start of the resource", async () => {
    expect(account.startsWith(found.resource)).toBe(true);
    const { status, body } = await registeredAt(found, {
      ...common,
      client_name: "MCP CLI Client",
      client_uri: "https://github.com/modelcontextprotocol/mcp-cli",
      redirect_uris: ["http://127.0.0.1:3334/oauth/callback"],
      token_endpoint_auth_method: "none",
      software_id: "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
      software_version: "0.15.0",
    });
    expect(status).toBe(201);
    for (const port of [3334, 21_077]) {
      const redirect_uri = `http://127.0.0.1:${port}/oauth/callback`;
      const issued = await signedInAs(browser, found, { client_id: body.client_id, redirect_uri });
      const next = await refreshed(url, body.client_id, issued.refresh_token);
      for (const tokens of [issued, next.body]) expect(await nameAt(account, tokens)).toBe("Ada");
    }
  });
});
