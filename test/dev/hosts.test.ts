/** Which Host headers `wharf dev` serves: a web page whose name leads to this machine must not read or reset it. */

import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { default_config } from "../../src/core/settings.ts";
import { devState, startDev } from "../support/dev.ts";
import { post } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";

const statusOf = async (url: string, host: string, line: string, origin?: string): Promise<number> => {
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, "Connection: close", "Content-Length: 0"];
  if (origin !== undefined) lines.push(`Origin: ${origin}`);
  return (await rawRequest(url, [...lines, "", ""])).status;
};

/** An address of this machine, not of loopback if it has one. */
const own =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
const calls = ["GET /_dev", "GET /_dev/log", "POST /_dev/reset", "GET /api/meet/rooms", "GET /"];
const loopback = ["localhost", "a.localhost:1", "127.0.0.1", "127.9.9.9:80", "[::1]"];

test("refuses a name that leads to this machine, and does nothing for it", async () => {
  const { url } = await startDev();
  const { port } = new URL(url);
  await post(`${url}/api/meet/rooms`, { goal: "Still here", name: "ana" });
  for (const host of [
    "rebound.example",
    `rebound.example:${port}`,
    "localhost.example",
    "127.0.0.1.example",
    "192.0.2.1",
    "[2001:db8::1]",
  ]) {
    for (const call of [...calls, "OPTIONS /_dev/reset", "HEAD /_dev/log", "POST /mcp"]) {
      expect([host, call, await statusOf(url, host, call, `http://${host}`)]).toEqual([host, call, 421]);
    }
  }
  expect((await (await fetch(`${url}/api/meet/rooms`)).json()) as object).toMatchObject({ total: 1 });
});

test("serves the names of this machine, and the names of --host and --allowed-host", async () => {
  const config = { ...default_config, port: 0, host: own, allowed_hosts: ["wharf"] };
  const { url } = await startDev({ config });
  for (const host of [...loopback, own, "wharf:4273"]) {
    for (const call of calls)
      expect([host, call, await statusOf(url, host, call)]).toEqual([host, call, 200]);
  }
  expect(await statusOf(url, "other", "GET /_dev")).toBe(421);
  expect(await statusOf(url, "192.0.2.1", "GET /_dev")).toBe(421);
  expect((await devState(url)).seed).toBe(1);
});

test("serves every IP address of the machine if it listens at all of them, and no other name", async () => {
  const { url } = await startDev({ config: { ...default_config, port: 0, host: "0.0.0.0" } });
  const at = url.replace("0.0.0.0", "127.0.0.1");
  for (const host of [...loopback, "172.17.0.2", "0.0.0.0"])
    expect([host, await statusOf(at, host, "GET /_dev")]).toEqual([host, 200]);
  expect(await statusOf(at, "rebound.example", "GET /_dev")).toBe(421);
});

test("refuses pages of other origins below /_dev, with every method", async () => {
  const { url } = await startDev();
  for (const origin of ["http://rebound.example", "https://192.0.2.1", "null"]) {
    for (const call of ["GET /_dev/log", "POST /_dev/reset", "DELETE /_dev/log", "OPTIONS /_dev/reset"])
      expect([origin, call, await statusOf(url, "localhost", call, origin)]).toEqual([origin, call, 403]);
  }
  expect(await statusOf(url, "localhost", "OPTIONS /_dev/reset", "http://localhost:5173")).toBe(204);
});
