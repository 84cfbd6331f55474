/** `wharf doctor` beside a running service: each fault is planted, and is found with what to do. */

import { afterAll, afterEach, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { Config } from "../../src/core/settings.ts";
import { findings as findingsOf, of, startOwn } from "../support/doctor.ts";
import { is_on_postgres, testOfSqlite } from "../support/postgres.ts";
import { newDirectory, removeDirectory, type SourceService, type TestSettings } from "../support/service.ts";

const root = newDirectory();
let service: SourceService;
afterEach(() => service.stop());
afterAll(() => removeDirectory(root));

async function started(settings: TestSettings = {}): Promise<SourceService> {
  service = await startOwn(root, settings);
  return service;
}

const findings = (directory: string, settings: Partial<Config> = {}) =>
  findingsOf(directory, settings, { clock: is_on_postgres ? systemClock : service.clock });

test("nothing fails of a running instance", async () => {
  await started();
  const found = await findings(service.directory, { base_url: service.url, backup_every_seconds: 0 });
  expect(found.filter(({ status }) => status === "failed")).toEqual([]);
  expect(of(found, "service").found).toBe("The service runs and works.");
  expect(of(found, "reach").found).toContain("leads to this instance");
  expect(of(found, "proxies").status).toBe("ok");
});

testOfSqlite("a part that fails", "it is the disk budget, which Postgres does not have", async () => {
  const { directory } = await started({ disk_max_bytes: 1000 });
  const finding = of(await findings(directory), "service");
  expect(finding.status).toBe("failed");
  expect(finding.found).toContain("disk (disk_budget)");
});

test("a proxy that is not trusted, and a host that is not served", async () => {
  const { directory, url } = await started({ trusted_proxies: [], rate_limit: true });
  await fetch(`${url}/api/meet/rooms`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  await fetch(`${url}/api/meet/rooms`, { headers: { host: "wharf.example" } });
  const found = await findings(directory, { trusted_proxies: [] });
  expect(of(found, "proxies")).toMatchObject({
    status: "warning",
    found: expect.stringContaining("127.0.0.1"),
    remedy: expect.stringContaining("--trusted-proxy private"),
  });
  expect(of(found, "host-names")).toMatchObject({
    status: "warning",
    found: expect.stringContaining("wharf.example"),
    remedy: expect.stringContaining("--allowed-host"),
  });
});

test("an admin socket that others may open", async () => {
  const { directory } = await started();
  chmodSync(join(directory, "wharf.sock"), 0o666);
  const found = await findings(directory);
  expect(of(found, "admin-socket")).toMatchObject({
    status: "failed",
    remedy: expect.stringMatching(/^Run: chmod 600/),
  });
});

test("no admin socket", async () => {
  const { directory } = await started({ admin_socket: "off" });
  const found = await findings(directory, { admin_socket: "off" });
  expect(of(found, "service")).toMatchObject({ status: "warning", found: expect.stringContaining("runs") });
});
