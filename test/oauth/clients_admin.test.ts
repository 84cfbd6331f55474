/** What admins do with programs that sign in by OAuth: list them, add one, end one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AddedClient, OAuthClient } from "../../src/api/oauth.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { asOwner, auditOf } from "../support/admin.ts";
import { runHere } from "../support/commands.ts";
import { grantOf } from "../support/grants.ts";
import { get, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newShell } from "../support/shell.ts";
import { stored, storedTexts } from "../support/stored.ts";

const path = "/api/admin/clients";
const redirect_uris = [
  ...["https://client.example/callback", "http://127.0.0.1/callback", "cursor://app/callback"],
];
let service: SourceService;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  ada = await claim(service.url, "Ada");
});
afterAll(() => service.stop());

interface Refused {
  code: string;
  errors: { path: string }[];
}

const add = (sent: object) => asOwner<AddedClient & Refused>(service, "POST", path, sent);
const end = (client_id: string) =>
  asOwner(service, "POST", `${path}/end`, { client_id, reason: "it floods rooms" });
const clients = async (query = "") =>
  (await asOwner<{ clients: OAuthClient[] }>(service, "GET", path + query)).body.clients;
const find = async (id: string) => (await clients()).find(({ client_id }) => client_id === id);
const endAll = async () => {
  for (const { client_id } of await clients()) await end(client_id);
};
const moderatorToken = async () => {
  const sent = { label: "grace", scope: "moderate" };
  return (await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", sent)).body.token;
};

test("adds a program without a secret, and lists it", async () => {
  const { status, body } = await add({ name: "Example", redirect_uris });
  const { client_id, created } = body;
  expect([status, body as object]).toEqual([201, { client_id, name: "Example", redirect_uris, created }]);
  expect(await find(client_id)).toEqual({
    ...{ client_id, origin: "added", name: "Example", redirect_uris, created },
    ...{ grants: 0, used: null },
  });
  expect((await auditOf(service))[0]).toMatchObject({
    ...{ action: "client.add", target: `program ${client_id}`, reason: "for Example" },
  });
});

test("gives a secret once, and stores its hash alone", async () => {
  const { client_id, client_secret = "" } = (await add({ name: "Secret", redirect_uris, with_secret: true }))
    .body;
  expect(client_secret).toMatch(/^wfx_\w{49}$/);
  expect(JSON.stringify([await clients(), await auditOf(service)])).not.toContain("wfx_");
  const select = "SELECT secret_sha256 FROM oauth_clients WHERE id = $1";
  const [row] = await stored(service.directory, select, client_id);
  expect(row!["secret_sha256"]).toBe(sha256Hex(client_secret));
  for (const bytes of await storedTexts(service.directory)) expect(bytes.includes(client_secret)).toBe(false);
});

test.each<[string, object, string]>([
  ["no address", { redirect_uris: [] }, "/redirect_uris"],
  ["21 addresses", { redirect_uris: Array(21).fill("https://a.example/") }, "/redirect_uris"],
  ["plain http", { redirect_uris: ["https://a.example/", "http://a.example/"] }, "/redirect_uris/1"],
  ["a script", { redirect_uris: ["javascript:alert(1)"] }, "/redirect_uris/0"],
  ["a fragment", { redirect_uris: ["https://a.example/#x"] }, "/redirect_uris/0"],
  ["a user name", { redirect_uris: ["https://a@b.example/"] }, "/redirect_uris/0"],
  ["no name", { name: " " }, "/name"],
  ["a name that turns its text around", { name: "a\u202eb" }, "/name"],
])("refuses a program with %s", async (_what, wrong, at) => {
  const before = await clients();
  const { status, body } = await add({ name: "Wrong", redirect_uris, ...wrong });
  expect(status).toBe(422);
  expect(body.errors.map((error) => error.path)).toEqual([at]);
  expect(await clients()).toEqual(before);
});

test("ends a program: its grants and its registration", async () => {
  const { client_id } = (await add({ name: "To be ended", redirect_uris })).body;
  const own = await grantOf(service, ada, { client: client_id, client_name: "To be ended" });
  expect(await find(client_id)).toMatchObject({ grants: 1, used: own.used });
  const { body } = await end(client_id);
  expect(body).toEqual({ client_id, ended: true, found: { registered: true, grants: 1 } });
  expect(await find(client_id)).toBeUndefined();
  const left = await get<{ grants: unknown[] }>(`${service.url}/api/name/grants`, ada.pair);
  expect(left.body.grants).toEqual([]);
  expect((await auditOf(service))[0]).toMatchObject({
    ...{ action: "client.end", target: `program ${client_id}`, reason: "it floods rooms" },
  });
  expect(await end(client_id)).toMatchObject({ status: 404, body: { code: "client_not_found" } });
});

test("lists a program that a document describes as long as it has a grant", async () => {
  const { client: id, created } = await grantOf(service, ada);
  const used = "2026-03-02T00:00:00.000Z";
  await grantOf(service, await claim(service.url, "Bob"), { used });
  expect(await clients("?limit=1")).toEqual([
    {
      ...{ client_id: id, origin: "document", name: "Example", redirect_uris: null, created },
      ...{ grants: 2, used },
    },
  ]);
  expect((await end(id)).body).toMatchObject({ found: { registered: false, grants: 2 } });
  expect(await find(id)).toBeUndefined();
});

test("a moderator lists and ends programs, and adds none", async () => {
  const bearer = { authorization: `Bearer ${await moderatorToken()}`, "content-type": "application/json" };
  const { client } = await grantOf(service, ada);
  const ask = async (method: string, at: string, sent?: object) =>
    (await send(method, service.url + at, bearer, sent && JSON.stringify(sent))).status;
  expect(await ask("GET", path)).toBe(200);
  expect(await ask("POST", path, { name: "Mine", redirect_uris })).toBe(403);
  expect(await ask("POST", `${path}/end`, { client_id: client, reason: "spam" })).toBe(200);
});

describe("the page for admins", () => {
  let headers: Record<string, string>;
  beforeAll(async () => {
    const authorization = `Basic ${btoa(`:${await moderatorToken()}`)}`;
    headers = { authorization, accept: "text/html", "sec-fetch-site": "same-origin" };
  });
  const page = async () => (await send("GET", `${service.url}/admin`, headers)).body;

  test("shows programs as data, and ends one", async () => {
    await endAll();
    expect(await page()).not.toContain("<h2>Programs");
    const { client } = await grantOf(service, ada, { client_name: "</bdi><img src=x>\u202e" });
    const shown = await page();
    expect(shown).toContain(`<bdi>${client}</bdi>`);
    expect(shown).toContain("Calls itself “<bdi>&lt;/bdi&gt;&lt;img src=x&gt;[U+202E]</bdi>”");
    expect(shown).toContain("1 grant");
    expect(shown).not.toContain("<img");
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const fields = new URLSearchParams({ action: "end_client", target: client, reason: "spam", sure: "1" });
    expect((await send("POST", `${service.url}/admin`, form, fields.toString())).status).toBe(303);
    expect(await find(client)).toBeUndefined();
  });

  test("shows at most 50 programs, those used last", async () => {
    for (let i = 0; i < 51; i++) {
      const used = `2026-03-02T00:00:${String(i).padStart(2, "0")}.000Z`;
      await grantOf(service, ada, { client: `https://client-${i}.example/`, used });
    }
    const shown = await page();
    expect(shown.match(/https:\/\/client-\d+\.example\//g)).toHaveLength(50);
    expect(shown).not.toContain("https://client-0.example/");
    await endAll();
  });
});

describe("wharf admin clients", () => {
  const admin = (...args: string[]) =>
    runHere({}, "admin", "clients", ...args, "--data-dir", service.directory);

  test("lists, adds and ends programs", async () => {
    expect((await admin("list")).printed).toBe("No program has registered, was added or was let in.\n");
    const { printed } = await admin("add", "Example", ...redirect_uris, "--secret");
    const [, id = ""] = /^client_id: (\S+)\nclient_secret: wfx_\w{49}\n$/.exec(printed) ?? [];
    expect((await find(id))!.redirect_uris).toEqual(redirect_uris);
    await grantOf(service, ada, { client: id });
    for (const args of [[], ["list"]])
      expect((await admin(...args)).printed).toBe(
        `${id} "Example", added, 1 grant, last used 2026-03-01T13:00:00Z\n`,
      );
    expect((await admin("end", id, "--reason", "not used any more")).printed).toBe(
      `Found: the program ${id}, registered or added, 1 grant.\nThe program is ended.\n`,
    );
    const without = (await admin("add", "Public", redirect_uris[0]!)).printed;
    expect(without).toMatch(/^client_id: \S+\n$/);
  });

  test("says what it cannot do", async () => {
    const wrong = await admin("add", "Example", "http://client.example/");
    expect([wrong.status, wrong.printed]).toEqual([1, ""]);
    expect(wrong.errors).toContain("redirect_uris/0 must be https");
    const unknown = await admin("end", "nothing", "--reason", "x");
    expect([unknown.status, unknown.errors]).toEqual([1, expect.stringContaining("No program here has")]);
  });

  test("is a usage error without an address, without a reason, and with another word", async () => {
    const shell = newShell(service.url);
    for (const args of [["add", "Example"], ["end", "nothing"], ["nonsense"]]) {
      const { printed, status } = await shell.run(...["admin", "clients"], ...args);
      expect([args, printed, status]).toEqual([args, "", 2]);
    }
    shell.remove();
  });
});
