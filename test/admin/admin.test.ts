/** The admin API by its socket and by tokens, and the audit log. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asOwner, socketOf } from "../support/admin.ts";
import { call } from "../support/http.ts";
import { mistyped } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const newToken = async (scope: string, label = "grace") =>
  (await asOwner<{ id: string; token: string }>(service, "POST", "/api/admin/tokens", { label, scope })).body;

const withToken = (token: string) => ({ authorization: `Bearer ${token}` });
const audit = () => `${service.url}/api/admin/audit`;

test("the socket is the owner's: mode 0600, no token, the admin API alone", async () => {
  expect(statSync(socketOf(service)).mode & 0o777).toBe(0o600);
  expect((await asOwner(service, "GET", "/api/admin/audit")).status).toBe(200);
  expect((await asOwner(service, "GET", "/healthz")).body).toEqual({ status: "ok" });
  for (const path of ["/api/meet/rooms", "/meet", "/mcp", "/api/administrators"]) {
    expect((await asOwner(service, "GET", path)).status).toBe(404);
  }
});

test("over the network the admin API takes a token with the scope", async () => {
  const moderator = await newToken("moderate");
  const operator = await newToken("operate");
  const tokens = `${service.url}/api/admin/tokens`;
  const statuses = async (url: string, token: string) =>
    (await call("GET", url, undefined, withToken(token))).status;
  expect(await statuses(audit(), moderator.token)).toBe(200);
  expect(await statuses(tokens, moderator.token)).toBe(403);
  expect(await statuses(audit(), operator.token)).toBe(200);
  expect(await statuses(tokens, operator.token)).toBe(200);
  const none = await call("GET", audit());
  expect(none.status).toBe(401);
  expect(none.body).toMatchObject({ code: "admin_required" });
  expect(await statuses(audit(), mistyped(operator.token))).toBe(401);
  expect(await statuses(audit(), "wfk_nothing")).toBe(401);
});

test("the password of Basic is a token, too, for browsers", async () => {
  const { token } = await newToken("moderate");
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  expect((await call("GET", audit(), undefined, basic(`me:${token}`))).status).toBe(200);
  expect((await call("GET", audit(), undefined, basic(token))).status).toBe(401);
});

test("a revoked token opens nothing; revoking it again gives no second line, and says that it was revoked", async () => {
  const { id, token } = await newToken("moderate");
  const revoke = () =>
    asOwner(service, "POST", `/api/admin/tokens/${id}/revoke`, { reason: "left the team" });
  const first = await revoke();
  expect(first.body).toEqual(
    expect.objectContaining({ id, revoked_at: expect.any(String), found: { revoked_at: null } }),
  );
  expect(first.body).not.toHaveProperty("token");
  expect((await call("GET", audit(), undefined, withToken(token))).status).toBe(401);
  const { revoked_at } = first.body;
  expect((await revoke()).body).toEqual({ ...first.body, found: { revoked_at } });
  const { body } = await asOwner<{ lines: { target: string; action: string }[] }>(
    service,
    "GET",
    "/api/admin/audit",
  );
  const lines = body.lines.filter(({ target }) => target === `token ${id}`);
  expect(lines.map(({ action }) => action)).toEqual(["token.revoke", "token.create"]);
  expect((await asOwner(service, "POST", "/api/admin/tokens/none/revoke", { reason: "x" })).status).toBe(404);
});

test("no file and no log line has a token", async () => {
  const { token } = await newToken("operate");
  await asOwner(service, "POST", "/api/admin/tokens", { label: token, scope: "moderate" });
  expect(service.output()).not.toContain(token);
  const { body } = await asOwner(service, "GET", "/api/admin/tokens");
  expect(JSON.stringify(body)).not.toContain(token);
});

test("the audit log is read in pages, the latest lines first", async () => {
  for (const label of ["a", "b", "c"]) await newToken("moderate", label);
  type Page = { lines: { seq: number; reason: string }[]; next: number | null };
  const page = (await asOwner<Page>(service, "GET", "/api/admin/audit?limit=2")).body;
  expect(page.lines.map(({ reason }) => reason)).toEqual(["for c", "for b"]);
  const more = (await asOwner<Page>(service, "GET", `/api/admin/audit?limit=1&before=${page.next}`)).body;
  expect(more.lines[0]).toMatchObject({ reason: "for a", seq: page.lines[1]!.seq - 1 });
});

test("the socket is gone after a stop, and one that a killed process left is replaced", async () => {
  const directory = newDirectory();
  const first = await startSource({ data_dir: directory });
  await first.stop();
  expect(existsSync(socketOf(first))).toBe(false);
  const listening = `Bun.listen({ unix: ${JSON.stringify(socketOf(first))}, socket: { data() {} } }); console.log("up");`;
  const killed = Bun.spawn([process.execPath, "-e", listening], { stdout: "pipe" });
  await killed.stdout.getReader().read();
  killed.kill("SIGKILL");
  await killed.exited;
  expect(existsSync(socketOf(first))).toBe(true);
  const second = await startSource({ data_dir: directory });
  expect((await asOwner(second, "GET", "/healthz")).status).toBe(200);
  await second.stop();
  removeDirectory(directory);
});

test("a service whose socket cannot be opened warns and runs", async () => {
  const long = join(newDirectory(), "d".repeat(120));
  const taken = join(newDirectory(), "taken");
  mkdirSync(long);
  writeFileSync(taken, "mine");
  for (const [settings, reason] of [
    [{ data_dir: long }, "bytes"],
    [{ admin_socket: taken }, "another file is there"],
    [{ admin_socket: "/nowhere/at/all.sock" }, ""],
  ] as const) {
    const started = await startSource(settings);
    expect(started.output()).toContain("admin.no_socket");
    expect(started.output()).toContain(reason);
    expect((await call("GET", `${started.url}/healthz`)).status).toBe(200);
    await started.stop();
  }
  expect(await Bun.file(taken).text()).toBe("mine");
  const off = await startSource({ admin_socket: "off" });
  expect(existsSync(socketOf(off))).toBe(false);
  expect(off.output()).not.toContain("admin.no_socket");
  await off.stop();
});
