/** A program signs in: metadata, registration, the page, tokens, refreshing and revocation. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import {
  decided,
  hiddenFields,
  letIn,
  newPkce,
  refreshed,
  registered,
  requestQuery,
  revoked,
  token,
  whoamiWith,
  type Refused,
} from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  ada = await claim(url, "Ada");
});
afterAll(() => service.stop());

const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
const metadata = {
  client_name: "Claude",
  redirect_uris: [redirect_uri, "https://claude.com/api/mcp/auth_callback"],
};
const seconds = (count: number) => service.clock.advance(count);

describe("the documents", () => {
  test("lead from the resource to the server", async () => {
    const resource = await get<{ resource: string; authorization_servers: string[] }>(
      `${url}/.well-known/oauth-protected-resource/mcp/account`,
    );
    expect([resource.status, resource.body.resource]).toEqual([200, `${url}/mcp/account`]);
    expect(resource.body.authorization_servers).toEqual([`${url}/oauth`]);
    const paths = [
      "/.well-known/oauth-authorization-server/oauth",
      "/.well-known/openid-configuration/oauth",
      "/oauth/.well-known/openid-configuration",
      "/oauth/.well-known/oauth-authorization-server",
    ];
    for (const path of paths) {
      const { status, body } = await get(url + path);
      expect([path, status, body.issuer, body.token_endpoint]).toEqual([
        path,
        200,
        `${url}/oauth`,
        `${url}/oauth/token`,
      ]);
    }
  });

  test("are not where a client of another address looks", async () => {
    for (const kind of ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"]) {
      for (const path of ["", "/mcp", "/mcp/meet"]) {
        expect([kind, path, (await get(`${url}/.well-known/${kind}${path}`)).status]).toEqual([
          kind,
          path,
          404,
        ]);
      }
    }
  });
});

describe("a parameter without a value (RFC 6749, sections 3.1 and 3.2)", () => {
  test("counts as left out", async () => {
    const browser = await signedIn(url, ada);
    const client_id = await registered(url, { client_name: "Sparse", redirect_uris: [redirect_uri] });
    const { verifier, challenge } = newPkce();
    const empty = { response_mode: "", request: "", resource: "", redirect_uri: "", prompt: "" };
    const led = await decided(browser, requestQuery({ client_id, code_challenge: challenge, ...empty }));
    const issued = await token(url, {
      ...{ grant_type: "authorization_code", client_id, code_verifier: verifier },
      ...{ code: led.searchParams.get("code")!, redirect_uri: "", resource: "", client_secret: "" },
    });
    expect(issued.status).toBe(200);
  });

  test("a value ends at the next parameter, whatever it contains", async () => {
    const browser = await signedIn(url, ada);
    const uri = "http://127.0.0.1:3000/cb?app=x";
    const client_id = await registered(url, { client_name: "Query", redirect_uris: [uri] });
    const { verifier, challenge } = newPkce();
    const query = requestQuery({ client_id, redirect_uri: uri, code_challenge: challenge });
    const code = (await decided(browser, query)).searchParams.get("code")!;
    const form = `grant_type=authorization_code&client_id=${client_id}&code_verifier=${verifier}&code=${code}&redirect_uri=${uri}`;
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect((await send("POST", `${url}/oauth/token`, type, form)).status).toBe(200);
  });
});

describe("a program", () => {
  test("registers, is let in, calls, refreshes and is revoked", async () => {
    const registration = await post(`${url}/oauth/register`, {
      ...metadata,
      token_endpoint_auth_method: "none",
    });
    expect([registration.status, registration.body.client_name]).toEqual([201, "Claude"]);
    expect(Object.values(registration.body)).not.toContain(null);
    const client_id = registration.body.client_id as string;
    const browser = await signedIn(url, ada);
    const { verifier, challenge } = newPkce();
    const query = requestQuery({
      ...{ client_id, redirect_uri, code_challenge: challenge },
      resource: `${url}/mcp/account`,
      scope: "wharf offline_access",
    });
    const page = await browser.get(`/oauth/authorize?${query}`);
    expect(page.body).toContain("<bdi>claude.ai</bdi> asks for access");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://claude.ai;");
    const led = await decided(browser, query);
    expect(led.href.split("?")[0]).toBe(redirect_uri);
    expect([led.searchParams.get("state"), led.searchParams.get("iss")]).toEqual(["s1", `${url}/oauth`]);
    const code = led.searchParams.get("code")!;
    const form = { grant_type: "authorization_code", client_id, code, code_verifier: verifier, redirect_uri };
    const issued = await token(url, { ...form, resource: `${url}/mcp/account/` });
    expect([issued.status, issued.body.token_type, issued.body.scope]).toEqual([
      ...[200, "Bearer", "wharf offline_access"],
    ]);
    expect(issued.headers.get("cache-control")).toBe("no-store");
    expect(issued.body.expires_in).toBeGreaterThan(3290);
    expect(issued.body.expires_in).toBeLessThanOrEqual(3600);
    expect(await whoamiWith(url, issued.body.access_token)).toEqual([200, "Ada"]);
    const next = await refreshed(url, client_id, issued.body.refresh_token);
    expect(next.body.refresh_token).not.toBe(issued.body.refresh_token);
    expect(await whoamiWith(url, next.body.access_token)).toEqual([200, "Ada"]);
    expect(await whoamiWith(url, issued.body.access_token)).toEqual([200, "Ada"]);
    expect((await revoked(url, client_id, next.body.refresh_token)).status).toBe(200);
    for (const one of [issued, next])
      expect(await whoamiWith(url, one.body.access_token)).toEqual([401, "unknown_credential"]);
    const after = await refreshed<Refused>(url, client_id, next.body.refresh_token);
    expect([after.status, after.body.error]).toEqual([400, "invalid_grant"]);
  });

  test("that opens the page itself learns that it has to register again", async () => {
    const query = requestQuery({ client_id: "gone", redirect_uri, code_challenge: newPkce().challenge });
    const address = `${url}/oauth/authorize?${query}`;
    const refused = await get<Refused>(address, { accept: "application/json" });
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_client"]);
    const shown = await send("GET", address, { accept: "text/html" });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  });

  test("gets no code from nobody, and none if it is not allowed", async () => {
    const client_id = await registered(url, metadata);
    const query = requestQuery({ client_id, redirect_uri, code_challenge: newPkce().challenge });
    const nobody = newBrowser(url);
    const page = await nobody.get(`/oauth/authorize?${query}`);
    expect(page.body).toContain(`/signin?next=${encodeURIComponent(`/oauth/authorize?${query}`)}`);
    const sent = await nobody.post("/oauth/authorize", { query, ticket: "", answer: "allow" });
    expect([sent.status, sent.headers.get("location")]).toEqual([200, null]);
    const back = await nobody.post("/signin", {
      name: ada.name,
      key: ada.key,
      next: `/oauth/authorize?${query}`,
    });
    expect(back.headers.get("location")).toBe(`${url}/oauth/authorize?${query}`);
    const denied = await decided(nobody, query, "deny");
    expect([denied.searchParams.get("error"), denied.searchParams.get("code")]).toEqual([
      "access_denied",
      null,
    ]);
  });

  test("that a name was not shown is not let in by its form", async () => {
    const client_id = await registered(url, metadata);
    const query = requestQuery({ client_id, redirect_uri, code_challenge: newPkce().challenge });
    const bob = await claim(url, "Bob of the form");
    const [of_ada, of_bob] = [await signedIn(url, ada), await signedIn(url, bob)];
    const fields = hiddenFields((await of_bob.get(`/oauth/authorize?${query}`)).body);
    const sent = await of_ada.post("/oauth/authorize", { ...fields, answer: "allow" });
    expect([sent.status, sent.body.includes("<bdi>Ada</bdi>")]).toEqual([200, true]);
    const other = await of_bob.post("/oauth/authorize", {
      ...fields,
      query: query.replace("s1", "s2"),
      answer: "allow",
    });
    expect(other.status).toBe(200);
  });
});

describe("a code", () => {
  async function newCode() {
    const client_id = await registered(url, metadata);
    const { verifier, challenge } = newPkce();
    const query = requestQuery({ client_id, redirect_uri, code_challenge: challenge });
    const led = await decided(await signedIn(url, ada), query);
    const code = led.searchParams.get("code")!;
    return { grant_type: "authorization_code", client_id, code, code_verifier: verifier, redirect_uri };
  }

  test("is for one use: a second one ends what the first got", async () => {
    const form = await newCode();
    const first = await token(url, form);
    expect(await whoamiWith(url, first.body.access_token)).toEqual([200, "Ada"]);
    const second = await token<Refused>(url, form);
    expect([second.status, second.body.error]).toEqual([400, "invalid_grant"]);
    expect(await whoamiWith(url, first.body.access_token)).toEqual([401, "unknown_credential"]);
  });

  test("is for a minute, its program, its address, its verifier and its resource", async () => {
    const form = await newCode();
    const others = {
      client_id: await registered(url, metadata),
      redirect_uri: metadata.redirect_uris[1]!,
      code_verifier: newPkce().verifier,
    };
    for (const [name, value] of Object.entries(others)) {
      const refused = await token<Refused>(url, { ...form, [name]: value });
      expect([name, refused.status, refused.body.error]).toEqual([name, 400, "invalid_grant"]);
    }
    const elsewhere = await token<Refused>(url, { ...form, resource: `${url}/mcp` });
    expect(elsewhere.body.error).toBe("invalid_target");
    seconds(61);
    expect((await token<Refused>(url, form)).body.error).toBe("invalid_grant");
  });
});

describe("a refresh token", () => {
  test("that is repeated gets the same successor, until that was used and two minutes have passed", async () => {
    const { client_id, refresh_token } = await letIn(url, await signedIn(url, ada));
    const first = await refreshed(url, client_id, refresh_token);
    const again = await refreshed(url, client_id, refresh_token);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    seconds(3600);
    const late = await refreshed(url, client_id, refresh_token);
    expect(late.body.refresh_token).toBe(first.body.refresh_token);
    expect(await whoamiWith(url, late.body.access_token)).toEqual([200, "Ada"]);
    const second = await refreshed(url, client_id, first.body.refresh_token);
    expect((await refreshed(url, client_id, first.body.refresh_token)).body.refresh_token).toBe(
      second.body.refresh_token,
    );
    const reused = await refreshed<Refused>(url, client_id, refresh_token);
    expect([reused.status, reused.body.error]).toEqual([400, "invalid_grant"]);
    expect(await whoamiWith(url, second.body.access_token)).toEqual([401, "unknown_credential"]);
  });

  test("that was used twice within two minutes keeps its grant", async () => {
    const { client_id, refresh_token } = await letIn(url, await signedIn(url, ada));
    const first = await refreshed(url, client_id, refresh_token);
    const second = await refreshed(url, client_id, first.body.refresh_token);
    seconds(100);
    expect((await refreshed(url, client_id, refresh_token)).body.refresh_token).toBe(
      first.body.refresh_token,
    );
    expect(await whoamiWith(url, second.body.access_token)).toEqual([200, "Ada"]);
    seconds(30);
    expect((await refreshed<Refused>(url, client_id, refresh_token)).body.error).toBe("invalid_grant");
    expect(await whoamiWith(url, second.body.access_token)).toEqual([401, "unknown_credential"]);
  });

  test("is for its program", async () => {
    const { refresh_token, access_token } = await letIn(url, await signedIn(url, ada));
    const other = await registered(url, metadata);
    expect((await refreshed<Refused>(url, other, refresh_token)).body.error).toBe("invalid_grant");
    expect((await revoked(url, other, refresh_token)).status).toBe(200);
    expect(await whoamiWith(url, access_token)).toEqual([200, "Ada"]);
  });
});

describe("an access token", () => {
  test("ends after an hour", async () => {
    const { access_token } = await letIn(url, await signedIn(url, ada));
    seconds(3200);
    expect(await whoamiWith(url, access_token)).toEqual([200, "Ada"]);
    seconds(401);
    expect(await whoamiWith(url, access_token)).toEqual([401, "unknown_credential"]);
  });

  test("ends with the key of its name, and cannot replace that", async () => {
    const eve = await claim(url, "Eve of the key");
    const { access_token, client_id, refresh_token } = await letIn(url, await signedIn(url, eve));
    const bearer = { authorization: `Bearer ${access_token}` };
    const refused = await post(`${url}/api/name/rotate`, undefined, bearer);
    expect([refused.status, refused.body.code]).toEqual([401, "credential_required"]);
    const page = await send(
      "POST",
      `${url}/oauth/authorize`,
      {
        ...bearer,
        origin: url,
        "content-type": "application/x-www-form-urlencoded",
      },
      "query=&ticket=&answer=allow",
    );
    expect(page.status).toBe(401);
    const rotated = await post(`${url}/api/name/rotate`, undefined, { "x-wf-key": eve.key });
    expect(rotated.status).toBe(200);
    expect(await whoamiWith(url, access_token)).toEqual([401, "unknown_credential"]);
    const again = await refreshed<Refused>(url, client_id, refresh_token);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
  });
});

describe("the token endpoint", () => {
  test("answers a program that is not known with 401, so that it registers again", async () => {
    const refused = await refreshed<Refused>(url, "gone", "wfo_x");
    expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
  });

  test("knows no program with an id that cannot be stored", async () => {
    const refused = await refreshed<Refused>(url, "a\0b", "wfo_x");
    expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
    const query = requestQuery({ client_id: "a\0b", redirect_uri, code_challenge: newPkce().challenge });
    expect((await newBrowser(url).get(`/oauth/authorize?${query}`)).status).toBe(400);
  });

  test("takes the secret of a program in the form or by HTTP Basic, and no other", async () => {
    for (const method of ["client_secret_post", "client_secret_basic"]) {
      const { body } = await post<{ client_id: string; client_secret: string }>(`${url}/oauth/register`, {
        ...metadata,
        token_endpoint_auth_method: method,
      });
      const { client_id, client_secret } = body;
      const form = { grant_type: "refresh_token", refresh_token: "wfo_x" };
      const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${client_id}:${secret}`)}` });
      const answers = [
        await token<Refused>(url, { ...form, client_id, client_secret }),
        await token<Refused>(url, form, basic(client_secret)),
        await token<Refused>(url, { ...form, client_id }),
        await token<Refused>(url, { ...form, client_id, client_secret: "wrong" }),
        await token<Refused>(url, form, basic("wrong")),
      ];
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [400, "invalid_grant"],
        [400, "invalid_grant"],
        [401, "invalid_client"],
        [401, "invalid_client"],
        [401, "invalid_client"],
      ]);
      expect(answers[4]!.headers.get("www-authenticate")).toStartWith("Basic");
    }
  });
});
