/** The grants of a name: who lists and ends them, over the API, in the export and in the shell. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeCredentials, credentialsFile, instanceIn } from "../../src/cli/shell/credentials.ts";
import { grantOf } from "../support/grants.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn, whoamiWith } from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newShell } from "../support/shell.ts";
import { signedIn } from "../support/sign_in.ts";

interface Listed {
  grants: Record<string, string>[];
}

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  url = service.url;
  [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
});
afterAll(() => service.stop());

const listed = async (headers: Record<string, string>) =>
  (await get<Listed>(`${url}/api/name/grants`, headers)).body.grants;
const end = (id: string, headers: Record<string, string> = {}) =>
  call("DELETE", `${url}/api/name/grants/${id}`, undefined, headers);

test("a name lists its own grants, the one used last first, without what is secret", async () => {
  const older = await grantOf(service, ada, { used: "2026-03-01T12:30:00.000Z" });
  const { name: _n, key_sha256, resource: _r, expires: _e, ...latest } = await grantOf(service, ada);
  await grantOf(service, bob);
  await grantOf(service, ada, { expires: "2026-02-01T00:00:00.000Z" });
  const grants = await listed(ada.pair);
  expect(grants.map(({ id }) => id)).toEqual([latest.id, older.id]);
  expect(grants[0]).toEqual(latest);
  expect(JSON.stringify(grants)).not.toContain(key_sha256);
  // A browser reads them with its session.
  expect(await listed({ cookie: (await signedIn(url, ada)).cookie })).toEqual(grants);
});

test("a name ends its own grants, once, and no other's", async () => {
  const [own, other] = [await grantOf(service, ada), await grantOf(service, bob)];
  expect((await end(own.id)).body).toMatchObject({ code: "credential_required" });
  for (const id of [other.id, "nothing"])
    expect(await end(id, ada.pair)).toMatchObject({ status: 404, body: { code: "grant_not_found" } });
  expect((await listed(bob.pair)).map(({ id }) => id)).toContain(other.id);
  expect(await end(own.id, ada.pair)).toMatchObject({ status: 200, body: { id: own.id, ended: true } });
  expect((await listed(ada.pair)).map(({ id }) => id)).not.toContain(own.id);
  expect((await end(own.id, ada.pair)).status).toBe(404);
});

test("nobody reads the list without the key, and no cache stores it", async () => {
  const refused = await get(`${url}/api/name/grants`);
  expect([refused.status, refused.body["code"]]).toEqual([401, "credential_required"]);
  const { headers } = await send("GET", `${url}/api/name/grants`, ada.pair);
  expect(headers.get("cache-control")).toContain("no-store");
});

test("a program that was let in does not list or end grants: neither over the API, nor on /me, nor in an export", async () => {
  const cal = await claim(url, "Cal");
  const { access_token } = await letIn(url, await signedIn(url, cal));
  const [own] = await listed(cal.pair);
  expect(own).toMatchObject({ client_name: "A program", client_host: "this computer" });
  const bearer = { authorization: `Bearer ${access_token}` };
  const refused = { status: 401, body: { code: "credential_required" } };
  expect(await get(`${url}/api/name/grants`, bearer)).toMatchObject(refused);
  expect(await end(own!["id"]!, bearer)).toMatchObject(refused);
  const form = { ...bearer, origin: url, "content-type": "application/x-www-form-urlencoded" };
  expect((await send("POST", `${url}/me/grants`, form, `grant=${own!["id"]}`)).status).toBe(401);
  const page = await send("GET", `${url}/me`, bearer);
  expect([page.status, page.body.includes(own!["id"]!)]).toEqual([401, false]);
  const exported = await send("GET", `${url}/api/name/export`, bearer);
  expect([exported.status, exported.body.includes(own!["id"]!)]).toEqual([200, false]);
  expect(await listed(cal.pair)).toHaveLength(1);
  // Once it is ended, its token opens nothing.
  expect((await end(own!["id"]!, cal.pair)).status).toBe(200);
  expect(await whoamiWith(url, access_token)).toEqual([401, "unknown_credential"]);
});

test("a new key ends the grants of a name", async () => {
  const eve = await claim(url, "Eve");
  await grantOf(service, eve);
  const { body } = await post<{ key: string }>(`${url}/api/name/rotate`, undefined, eve.pair);
  expect(await listed({ "x-wf-key": body.key })).toEqual([]);
});

test("nobody can claim the name grants, in any spelling", async () => {
  for (const name of ["grants", "Grants"])
    expect(await post(`${url}/api/name`, { name })).toMatchObject({
      status: 422,
      body: { code: "name_reserved" },
    });
  expect((await claim(url, "grants office")).key).toStartWith("wfk_");
});

test("the export of a name has its grants, and says whose texts they have", async () => {
  const lin = await claim(url, "lin");
  const { id, client, client_name, client_host, scope, created, used } = await grantOf(service, lin);
  const lines = (await send("GET", `${url}/api/name/export`, lin.pair)).body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const of_others = ["client", "client_name", "client_host"];
  const members = { id, client, client_name, client_host, scope, created, used };
  expect(lines.filter(({ kind }) => kind === "grant")).toEqual([{ kind: "grant", of_others, ...members }]);
  expect(lines.at(-1)).toMatchObject({ kind: "end", lines: { grant: 1 } });
});

test("wharf name grants lists grants, and ends one", async () => {
  const shell = newShell(url);
  const kim = await claim(url, "kim");
  changeCredentials(credentialsFile({ environment: { XDG_CONFIG_HOME: shell.directory } }), (credentials) => {
    const instance = instanceIn(credentials, url);
    instance.name = "kim";
    instance.names["kim"] = { key: kim.key };
  });
  expect(await shell.run("name", "grants")).toEqual({
    printed: "",
    errors: "wharf: no program acts under kim.\n",
    status: 0,
  });
  const { id } = await grantOf(service, kim, { client_name: 'Ex"\u202eample' });
  const line = `${id}  client.example, calls itself "Ex\\"\\u202eample", since 2026-03-01 12:00, last used 2026-03-01 13:00\n`;
  for (const command of [["grants"], ["grants", "list"], ["grants", "--as", "kim"]])
    expect(await shell.run("name", ...command)).toEqual({ printed: line, errors: "", status: 0 });
  const json = JSON.parse((await shell.run("name", "grants", "--json")).printed) as object;
  expect(json).toMatchObject({ id, client_host: "client.example" });
  const ending = ["name", "grants", "end", id];
  expect(await shell.run(...ending)).toMatchObject({ printed: `The grant ${id} has ended.\n`, status: 0 });
  const again = await shell.run(...ending);
  expect([again.status, again.errors]).toEqual([3, expect.stringContaining("wharf name grants")]);
  expect(await shell.run("name", "grants", "nonsense")).toMatchObject({ status: 2, printed: "" });
  shell.remove();
});
