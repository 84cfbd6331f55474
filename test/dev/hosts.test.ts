/** Which Host headers `wharf dev` serves: a web page whose name leads to this machine must not read or reset it. */

import { expect, test } from "bun:test";
import { default_config } from "../../src/core/settings.ts";
import { devState, startDev } from "../support/dev.ts";
import { post } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";

const statusOf = async (url: string, host: string, line: string, origin?: string): Promise<number> => {
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, "Connection: close", "Content-Length: 0"];
  if (origin !== undefined) lines.push(`Origin: ${origin}`);
  return (await rawRequest(url, [...lines, "", ""])).status;
};

const calls = ["GET /_dev", "GET /_dev/log", "POST /_dev/reset", "GET /api/meet/rooms", "GET /"];

test("refuses a name that leads to this machine, and does nothing for it", async () => {
  const { url } = await startDev();
  const { port } = new URL(url);
  await post(`${url}/api/meet/rooms`, { goal: "Still here", name: "ana" });
  for (const host of [
    "rebound.example",
    `rebound.example:${port}`,
    "localhost.example",
    "127.0.0.1.example",
  ]) {
    for (const call of calls) {
      expect([host, call, await statusOf(url, host, call, `http://${host}`)]).toEqual([host, call, 421]);
    }
  }
  expect((await (await fetch(`${url}/api/meet/rooms`)).json()) as object).toMatchObject({ total: 1 });
});

test("serves the names of this machine, addresses, and the names of --host and --allowed-host", async () => {
  const config = { ...default_config, port: 0, host: "localhost", allowed_hosts: ["wharf"] };
  const { url } = await startDev({ config });
  for (const host of [
    "localhost",
    "a.localhost:1",
    "127.0.0.1",
    "127.9.9.9:80",
    "[::1]",
    "172.17.0.2",
    "wharf:4273",
  ]) {
    for (const call of calls)
      expect([host, call, await statusOf(url, host, call)]).toEqual([host, call, 200]);
  }
  expect(await statusOf(url, "other", "GET /_dev")).toBe(421);
  expect((await devState(url)).seed).toBe(1);
});
