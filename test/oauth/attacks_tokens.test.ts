/**
 * Attacks with tokens: RFC 9700, sections 2.2.2 and 4.14 (refresh tokens), 2.3, 4.9 and 4.10 (rights and audience), 4.3 (addresses),
 * 4.6 (tokens of others); RFC 6750, section 2 (ways of sending). attacks.test.ts lists all sections.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newSecret, secret_prefixes } from "../../src/core/secrets.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn, newPkce, refreshed, registered, token, whoamiWith, type Refused } from "../support/oauth.ts";
import type { Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let browser: Browser;
beforeAll(async () => {
  service = await startSource({ oauth: true, webhooks: true });
  url = service.url;
  ada = await claim(url, "Ada");
  browser = await signedIn(url, ada);
});
afterAll(() => service.stop());

const form_type = { "content-type": "application/x-www-form-urlencoded" };
const bearer = (access_token: string) => ({ authorization: `Bearer ${access_token}` });
const unknown: [number, unknown] = [401, "unknown_credential"];

describe("an access token", () => {
  test("is sent as Bearer, and in no other way (RFC 6750, section 2)", async () => {
    const { access_token } = await letIn(url, browser);
    const whoami = `${url}/api/name/whoami`;
    expect((await post(`${whoami}?access_token=${access_token}`)).status).toBe(422);
    const body = `access_token=${access_token}`;
    const in_form = await send("POST", whoami, form_type, body);
    expect([in_form.status, in_form.body.includes("Ada")]).toEqual([401, false]);
    for (const headers of [
      { "x-wf-key": access_token },
      { "x-wf-key": access_token, "x-wf-name": "Ada" },
      { authorization: `Basic ${btoa(`Ada:${access_token}`)}` },
      { authorization: access_token },
      { authorization: `Token ${access_token}` },
      { cookie: `wharf=${access_token}` },
      { "x-meet-key": access_token },
    ] as Record<string, string>[])
      expect([Object.keys(headers), (await post(whoami, undefined, headers)).status]).toEqual([
        ...[Object.keys(headers), 401],
      ]);
    // In the arguments of a tool it would end up in transcripts.
    const by_tool = await callTool(url, "mailbox_read", { key: access_token });
    expect(JSON.stringify(by_tool)).toContain("unknown_credential");
    for (const headers of [bearer(access_token), { authorization: `bearer  ${access_token}` }])
      expect((await post(whoami, undefined, headers)).status).toBe(200);
  });

  test("is of its name, whatever else is sent with it (4.6)", async () => {
    const { access_token } = await letIn(url, browser);
    const eve = await claim(url, "Eve");
    for (const headers of [{ "x-wf-name": "Eve" }, { "x-wf-key": eve.key }, eve.pair] as Record<
      string,
      string
    >[]) {
      const answer = await post(`${url}/api/name/whoami`, undefined, { ...bearer(access_token), ...headers });
      expect([answer.status, answer.body["code"]]).toEqual(unknown);
    }
    const of_eve = await signedIn(url, eve);
    const { body } = await post<{ name: string }>(`${url}/api/name/whoami`, undefined, {
      ...bearer(access_token),
      cookie: of_eve.cookie,
    });
    expect(body.name).toBe("Ada");
  });

  test("that is none is refused, and so is each other kind of secret", async () => {
    const issued = await letIn(url, browser);
    const last = issued.access_token.at(-1) === "0" ? "1" : "0";
    for (const one of [
      issued.refresh_token,
      issued.access_token.replace("wft_", "wfo_"),
      issued.access_token.slice(0, -1) + last,
      `${issued.access_token}0`,
      issued.access_token.toLowerCase(),
      newSecret(secret_prefixes.access_token, seededRandom(7)),
      "wft_",
    ])
      expect(await whoamiWith(url, one)).toEqual(unknown);
    const form = { grant_type: "refresh_token", client_id: issued.client_id };
    for (const refresh_token of [
      issued.access_token,
      ada.key,
      newSecret(secret_prefixes.refresh_token, seededRandom(7)),
    ])
      expect((await token<Refused>(url, { ...form, refresh_token })).body.error).toBe("invalid_grant");
    const code = { ...form, grant_type: "authorization_code", code_verifier: newPkce().verifier };
    for (const one of [issued.access_token, issued.refresh_token])
      expect((await token<Refused>(url, { ...code, code: one })).body.error).toBe("invalid_grant");
  });

  test("of another service, or of this one at another address, is refused (4.9, 4.10.2)", async () => {
    const other = await startSource({ oauth: true }, undefined, 2);
    expect(await whoamiWith(other.url, (await letIn(url, browser)).access_token)).toEqual(unknown);
    await other.stop();
    const data_dir = newDirectory();
    const before = await startSource({ oauth: true, data_dir, base_url: "https://a.example" });
    const holder = await claim(before.url, "Moved");
    const issued = await letIn(before.url, await signedIn(before.url, holder, "https://a.example"));
    expect(await whoamiWith(before.url, issued.access_token)).toEqual([200, "Moved"]);
    await before.stop();
    const settings = { oauth: true, data_dir, base_url: "https://b.example" };
    const after = await startSource(settings, before.clock, 3);
    expect(await whoamiWith(after.url, issued.access_token)).toEqual(unknown);
    const again = await refreshed<Refused>(after.url, issued.client_id, issued.refresh_token);
    expect(again.body.error).toBe("invalid_grant");
    await after.stop();
    removeDirectory(data_dir);
  });

  test("has no say over the key, other programs, sessions, or the service (2.3)", async () => {
    const { access_token, client_id } = await letIn(url, browser);
    const headers = bearer(access_token);
    const { grants } = (await get<{ grants: { id: string }[] }>(`${url}/api/name/grants`, ada.bearer)).body;
    const attempts: [string, string, unknown?][] = [
      ["POST", "/api/name/rotate"],
      ["PUT", "/api/mailbox/delivery", { shown: false }],
      ["PUT", "/api/mailbox/webhook", { url: "https://evil.example/hook" }],
      ["GET", "/api/mailbox/webhook"],
      ["DELETE", "/api/mailbox/webhook"],
      ["POST", "/api/mailbox/webhook/test"],
      ["GET", "/api/name/grants"],
      ["DELETE", `/api/name/grants/${grants[0]!.id}`],
      ["GET", "/me"],
      ["GET", "/api/admin/clients"],
      ["POST", "/api/admin/clients/end", { client_id, reason: "x" }],
      ["POST", "/api/admin/names/Ada/release", { reason: "x" }],
      ["GET", "/api/admin/audit"],
    ];
    for (const [method, path, body] of attempts) {
      const { status } = await call(method, url + path, body, headers).catch(() => ({ status: 0 }));
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    for (const path of ["/me/sessions", "/me/grants"]) {
      const form = `session=others&grant=${grants[0]!.id}`;
      const answer = await send("POST", url + path, { ...headers, ...form_type, origin: url }, form);
      expect([path, answer.status]).toEqual([path, 401]);
    }
    const recover = { name: "Ada", recovery_code: access_token };
    expect((await post(`${url}/api/name/recover`, recover, headers)).status).toBeGreaterThanOrEqual(400);
    expect(
      (await post(`${url}/api/name/revoke`, { key: access_token }, headers)).status,
    ).toBeGreaterThanOrEqual(400);
    expect(await whoamiWith(url, access_token)).toEqual([200, "Ada"]);
    expect((await get(`${url}/api/name/grants`, ada.bearer)).status).toBe(200);
  });
});

describe("a refresh token (4.14)", () => {
  test("is of its program, and of no other resource", async () => {
    const { client_id, refresh_token, access_token } = await letIn(url, browser);
    const form = { grant_type: "refresh_token", client_id, refresh_token };
    for (const resource of [`${url}/mcp`, "https://evil.example/mcp/account", `${url}/mcp/account/x`]) {
      const { status, body } = await token<Refused>(url, { ...form, resource });
      expect([resource, status, body.error]).toEqual([resource, 400, "invalid_target"]);
    }
    const other = await registered(url, { redirect_uris: ["https://evil.example/cb"] });
    expect((await refreshed<Refused>(url, other, refresh_token)).body.error).toBe("invalid_grant");
    expect(await whoamiWith(url, access_token)).toEqual([200, "Ada"]);
  });

  test("gets no more than was granted", async () => {
    const { client_id, refresh_token } = await letIn(url, browser);
    const form = {
      grant_type: "refresh_token",
      client_id,
      refresh_token,
      scope: "wharf admin offline_access",
    };
    expect((await token(url, form)).body.scope).toBe("wharf");
  });

  test("of a grant that has ended does nothing, and neither do its successors", async () => {
    const { client_id, refresh_token } = await letIn(url, browser);
    const next = await refreshed(url, client_id, refresh_token);
    const form = new URLSearchParams({ client_id, token: refresh_token }).toString();
    await send("POST", `${url}/oauth/revoke`, form_type, form);
    for (const one of [refresh_token, next.body.refresh_token])
      expect((await refreshed<Refused>(url, client_id, one)).body.error).toBe("invalid_grant");
  });
});

describe("tokens, codes and secrets of programs in a text", () => {
  test("are refused like keys: posts, slots, jobs, names of programs and addresses", async () => {
    const { api } = (
      await post<Opened>(`${url}/api/meet/rooms`, { goal: "For texts", name: "Ada" }, ada.pair)
    ).body;
    const prefixes = (["access_token", "refresh_token", "authorization_code", "client_secret"] as const).map(
      (kind) => secret_prefixes[kind],
    );
    for (const [i, prefix] of prefixes.entries()) {
      const secret = newSecret(prefix, seededRandom(40 + i));
      const answers = [
        await post(`${api}/posts`, { name: "Ada", body: `look: ${secret}` }, ada.pair),
        await post(`${url}/api/meet/rooms`, { name: "Ada", goal: secret }, ada.pair),
        await call("PUT", `${url}/api/locker/slot`, { value: secret, visibility: "public" }, ada.pair),
        await post(`${url}/api/jobs`, { title: "x", detail: secret }, ada.pair),
        await post(`${url}/oauth/register`, { client_name: secret, redirect_uris: ["https://claude.ai/cb"] }),
        await post(`${url}/oauth/register`, { redirect_uris: [`https://claude.ai/${secret}`] }),
        await get(`${url}/api/meet/rooms?q=${secret}`),
        await get(`${url}/api/meet/rooms/${secret}`),
        await get(`${url}/oauth/authorize?state=${secret}`),
      ];
      for (const [which, { status }] of answers.entries())
        expect([prefix, which, status >= 400 && status < 500]).toEqual([prefix, which, true]);
    }
  });
});
