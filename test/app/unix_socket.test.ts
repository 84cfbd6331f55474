/** A service on a unix socket: its file, its callers, and what it does not replace. */

import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { wharf_command } from "../support/binary.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

const directory = newDirectory();
let made = 0;
const newPath = (): string => join(directory, `socket-${++made}`);
let service: SourceService | null = null;
afterEach(async () => {
  await service?.stop();
  service = null;
});
afterAll(() => removeDirectory(directory));

const read = (unix: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`http://wharf.example${path}`, { unix, headers });

test("answers by the socket, with links to the host of the request, and removes its file at the end", async () => {
  const socket = newPath();
  service = await startSource({ socket, allowed_hosts: ["wharf.example"] });
  expect(await (await read(socket, "/llms.txt")).text()).toContain("http://wharf.example/api");
  const proxied = await read(socket, "/llms.txt", { "x-forwarded-proto": "https" });
  expect(await proxied.text()).toContain("https://wharf.example/api");
  expect((statSync(socket).mode & 0o777).toString(8)).toBe("660");
  const check = Bun.spawn([...wharf_command, "healthcheck", "--socket", socket], { stderr: "inherit" });
  expect(await check.exited).toBe(0);
  await service.stop();
  service = null;
  expect(existsSync(socket)).toBe(false);
});

test("counts callers by the address that the proxy at the socket names", async () => {
  const socket = newPath();
  const limits = { rate_limit: true, reads_per_minute_by_address: 3 };
  service = await startSource({ socket, socket_mode: "0600", allowed_hosts: ["wharf.example"], ...limits });
  expect((statSync(socket).mode & 0o777).toString(8)).toBe("600");
  const from = async (address: string) =>
    (await read(socket, "/meet", { "x-forwarded-for": address })).status;
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push(await from("192.0.2.1"));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await from("192.0.2.2")).toBe(200);
});

test("replaces a socket that a killed process has left, and no other file", async () => {
  const socket = newPath();
  const listen = `require("node:net").createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, "SIGKILL"))`;
  const left = Bun.spawn([process.execPath, "-e", listen]);
  await left.exited;
  expect(statSync(socket).isSocket()).toBe(true);
  service = await startSource({ socket, allowed_hosts: ["wharf.example"] });
  expect((await read(socket, "/healthz")).status).toBe(200);

  const file = newPath();
  writeFileSync(file, "a text");
  expect(startSource({ socket: file })).rejects.toThrow(`--socket ${file}: another file is there.`);
  expect(startSource({ socket: join(directory, "x".repeat(100)) })).rejects.toThrow("103 fit");
});

test("refuses a socket at which another process listens", async () => {
  const socket = newPath();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(socket, resolve));
  expect(startSource({ socket })).rejects.toThrow(`--socket ${socket}: is taken.`);
  other.close();
});
