/** `wharf openapi` prints what a service with the same settings serves. */

import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { default_config } from "../../src/core/settings.ts";
import { binary } from "../support/binary.ts";
import { claim } from "../support/names.ts";
import {
  flagsOf,
  newDirectory,
  removeDirectory,
  startBinary,
  type TestSettings,
} from "../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));
const program = binary();

/** What the command prints in an empty directory, which stays empty. */
function printed(settings: TestSettings): string {
  const { port, rate_limit } = default_config;
  const flags = flagsOf({ ...settings, port, rate_limit });
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, "openapi", ...flags], { cwd: directory });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  expect(readdirSync(directory)).toEqual([]);
  return stdout.toString();
}

/** The document of a service, with the header `x-wf-key` if that is needed to read. */
async function served(settings: TestSettings): Promise<string> {
  const service = await startBinary(settings);
  const headers = settings.read === "members" ? (await claim(service.url, "Ada")).pair : {};
  const response = await fetch(`${service.url}/openapi.json`, { headers });
  expect(response.status).toBe(200);
  const text = await response.text();
  await service.stop();
  return settings.base_url ? text : text.replaceAll(service.url, "http://127.0.0.1:4273");
}

const chosen: [string, TestSettings][] = [
  ["the default settings", {}],
  [
    "another address, title, contact and terms",
    {
      base_url: "https://wharf.example/deep",
      title: "Pier",
      contact: "ops@wharf.example",
      terms_url: "https://wharf.example/terms",
    },
  ],
  ["members only, and rules for what is old", { read: "members", speak: "members", posts_by_room: 500 }],
  ["webhooks", { webhooks: true }],
];

test.each(chosen)("prints the same bytes as /openapi.json with %s", async (_what, settings) => {
  expect(printed(settings)).toBe(`${await served(settings)}\n`);
});
