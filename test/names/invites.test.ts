/** Invitations: who makes them, what they allow, and that each use counts once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CreatedInvite, Invite, RevokedInvite } from "../../src/api/names/invites.ts";
import type { Claimed } from "../../src/api/names/names.ts";
import { asOwner } from "../support/admin.ts";
import { call, post } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, toolsOf } from "../support/tools.ts";

const path = "/api/admin/invites";
let service: SourceService;
let count = 0;

const newInvite = async (sent: object = {}) =>
  (await asOwner<CreatedInvite>(service, "POST", path, sent)).body;
const invites = async () => (await asOwner<{ invites: Invite[] }>(service, "GET", path)).body.invites;
const stateOf = async ({ id }: Invite) => (await invites()).find((invite) => invite.id === id);
const revoke = ({ id }: Invite) =>
  asOwner<RevokedInvite>(service, "POST", `${path}/${id}/revoke`, { reason: "leaked" });
const audited = async () =>
  (
    await asOwner<{ lines: { action: string; target: string }[] }>(
      service,
      "GET",
      "/api/admin/audit?limit=1000",
    )
  ).body.lines;

const claim = (invite?: string, headers = {}, name = `Claimed ${++count}`) =>
  post<Claimed & { code: string; detail: string }>(
    `${service.url}/api/name`,
    { name, ...(invite !== undefined && { invite }) },
    headers,
  );

describe("--claims invite", () => {
  beforeAll(async () => void (service = await startSource({ claims: "invite" })));
  afterAll(() => service.stop());

  test("gives out a code once, which begins with wfi_, and lists invitations without it", async () => {
    const invite = await newInvite({ uses: 3, expires_in: 60 });
    expect(invite).toMatchObject({ state: "open", uses: 3, uses_left: 3, revoked_at: null });
    expect(invite.code).toMatch(/^wfi_\w{49}$/);
    expect(Date.parse(invite.expires!) - Date.parse(invite.created)).toBe(60_000);
    const [listed] = await invites();
    expect(listed!.id).toBe(invite.id);
    expect(JSON.stringify(await invites())).not.toContain("wfi_");
    expect((await audited())[0]).toMatchObject({ action: "invite.create", target: `invite ${invite.id}` });
  });

  test("takes an invitation for a claim, and a name that is taken costs no use", async () => {
    const invite = await newInvite();
    expect(await claim()).toMatchObject({ status: 403, body: { code: "invite_required" } });
    const first = await newInvite();
    expect((await claim(first.code, {}, "Ada")).status).toBe(201);
    expect(await claim(invite.code, {}, "ada")).toMatchObject({ status: 409, body: { code: "name_taken" } });
    expect(await stateOf(invite)).toMatchObject({ state: "open", uses_left: 1 });
    expect((await claim(invite.code)).status).toBe(201);
    expect(await stateOf(invite)).toMatchObject({ state: "used_up", uses_left: 0 });
  });

  test("refuses an invitation that is unknown, used up, expired or revoked with 403, and says which", async () => {
    const refusal = async (code: string) => {
      const { status, body } = await claim(code);
      expect([status, body.code]).toEqual([403, "invite_refused"]);
      return body.detail;
    };
    const used = await newInvite();
    await claim(used.code);
    expect(await refusal(used.code)).toContain("used up");
    const expiring = await newInvite({ expires_in: 60 });
    service.clock.advance(60_000);
    expect(await refusal(expiring.code)).toContain("expired");
    const revoked = await newInvite();
    expect((await revoke(revoked)).body).toMatchObject({ state: "revoked", revoked_at: expect.any(String) });
    expect(await refusal(revoked.code)).toContain("revoked");
    expect(await refusal("guessed")).toContain("not the code");
  });

  test("counts concurrent claims exactly", async () => {
    const invite = await newInvite({ uses: 7 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => claim(invite.code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ body }) => body.code === "invite_refused")).toHaveLength(33);
    expect(await stateOf(invite)).toMatchObject({ uses_left: 0 });
  });

  test("repeats a claim with the same Idempotency-Key without another use, and with the same key", async () => {
    const invite = await newInvite({ uses: 2 });
    const once = { "idempotency-key": crypto.randomUUID() };
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await claim(invite.code, once, "Repeated"));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1);
    expect(await stateOf(invite)).toMatchObject({ uses_left: 1 });
  });

  test("revokes once: a second time gives no second line, and says that it was revoked", async () => {
    const invite = await newInvite();
    const [first, second] = [await revoke(invite), await revoke(invite)];
    expect(first.body.found).toEqual({ revoked_at: null });
    expect(second.body).toEqual({ ...first.body, found: { revoked_at: first.body.revoked_at } });
    const lines = (await audited()).filter(({ target }) => target === `invite ${invite.id}`);
    expect(lines.map(({ action }) => action)).toEqual(["invite.revoke", "invite.create"]);
    const missing = await asOwner(service, "POST", `${path}/none/revoke`, { reason: "leaked" });
    expect(missing).toMatchObject({ status: 404, body: { code: "invite_not_found" } });
  });

  test("takes the scope operate", async () => {
    const token = async (scope: string) => {
      const sent = { label: scope, scope };
      const { body } = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", sent);
      return { authorization: `Bearer ${body.token}` };
    };
    for (const [method, at, sent] of [
      ["GET", path, undefined],
      ["POST", path, {}],
      ["POST", `${path}/none/revoke`, { reason: "leaked" }],
    ] as const) {
      expect((await call(method, service.url + at, sent)).status).toBe(401);
      const refused = await call(method, service.url + at, sent, await token("moderate"));
      expect([at, refused.status, refused.body.code]).toEqual([at, 403, "scope_missing"]);
      expect((await call(method, service.url + at, sent, await token("operate"))).status).not.toBe(403);
    }
  });

  test("lists the argument of name_claim, which takes an invitation", async () => {
    const definition = (await toolsOf(service.url)).find(({ name }) => name === "name_claim")!;
    expect(Object.keys((definition.inputSchema as { properties?: object }).properties!)).toContain("invite");
    const refused = await callTool(service.url, "name_claim", { name: "By tool" });
    expect(refused.content[0]!.text).toMatch(/^Refused \(invite_required\).*\nNext: .*invite/);
    const { code } = await newInvite();
    const claimed = await callTool(service.url, "name_claim", { name: "By tool", invite: code });
    expect(claimed.structuredContent).toMatchObject({
      name: "By tool",
      key: expect.stringContaining("wfk_"),
    });
  });

  test("refuses a secret of another kind in place of a code, and a code where none belongs", async () => {
    const { code } = await newInvite();
    const key = (await claim(code)).body.key!;
    expect(await claim(key)).toMatchObject({ status: 422, body: { code: "contains_key" } });
    const other = (await newInvite()).code;
    const posted = await post(`${service.url}/api/meet/rooms`, { goal: `with ${other}`, name: "Ada" });
    expect(posted).toMatchObject({ status: 422, body: { code: "contains_key" } });
    const bearer = await call("POST", `${service.url}/api/name/whoami`, undefined, {
      authorization: `Bearer ${other}`,
    });
    expect(bearer).toMatchObject({ status: 401, body: { code: "unknown_credential" } });
  });
});

describe("--claims open", () => {
  beforeAll(async () => void (service = await startSource()));
  afterAll(() => service.stop());

  test("ignores invitations, and lists no argument for them", async () => {
    const invite = await newInvite();
    expect((await claim(invite.code)).status).toBe(201);
    expect(await stateOf(invite)).toMatchObject({ uses_left: 1 });
    const definition = (await toolsOf(service.url)).find(({ name }) => name === "name_claim")!;
    expect(Object.keys((definition.inputSchema as { properties?: object }).properties!)).not.toContain(
      "invite",
    );
  });
});
