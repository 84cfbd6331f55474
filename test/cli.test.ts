/** The command line of the compiled binary. */

import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { version } from "../package.json";
import { get } from "./support/http.ts";
import { defaultShown, setting_names, settings, variableOf } from "../src/settings.ts";
import { binary, newDirectory, removeDirectory, startBinary, startProgram } from "./support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

const run = (args: string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([binary, ...args], {
    env: { ...process.env, ...env },
    cwd: directory,
    timeout: 20_000,
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};

test("--help names every command and setting", () => {
  expect(run(["--help"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("serve") });
  const { stdout } = run(["serve", "--help"]);
  for (const flag of ["--port", "--host", "--data-dir", "--base-url", "--no-rate-limit", "WHARF_PORT"]) {
    expect(stdout).toContain(flag);
  }
});

test("the README has a row for each setting, as the table of settings says it", async () => {
  const readme = await Bun.file(join(import.meta.dir, "../README.md")).text();
  const rows = readme.split("\n").filter((line) => line.startsWith("| `--"));
  const cells = rows.map((row) =>
    row
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  expect(cells).toEqual(
    setting_names.map((name) => [
      `\`--${settings[name].flag}\``,
      `\`${variableOf(settings[name])}\``,
      defaultShown(name),
      settings[name].description,
    ]),
  );
});

test.each([
  ["WHARF_PORT", "70000", "WHARF_PORT must be a whole number from 0 to 65535"],
  ["WHARF_PORT", "", "WHARF_PORT is empty: give it a value, or leave it out"],
  ["WHARF_NO_RATE_LIMIT", "maybe", "WHARF_NO_RATE_LIMIT must be true or false"],
])(
  "a setting that the environment gives wrongly is named as it was written: %s=%s",
  (name, text, sentence) => {
    const { exitCode, stderr } = run(["serve"], { [name]: text });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(sentence);
  },
);

test("version prints the version", () => {
  expect(run(["version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  expect(run(["--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
});

describe("what cannot be understood is said in one sentence", () => {
  test.each([
    [["serve", "--port", "x"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--port", "70000"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--base-url", "ftp://x"], "--base-url must be an http or https address"],
    [["serve", "--trusted-proxy", "everyone"], "--trusted-proxy must be a network"],
    [["serve", "--writes-by-name", "0"], "--writes-by-name must be a whole number above 0"],
    [["serve", "--host", "203.0.113.77", "--port", "0"], "--host"],
    [["serve", "--data-dir", "/dev/null/x"], "/dev/null/x"],
    [["serve", "--port", ""], "--port is empty"],
    [["serve", "--nonsense"], "unknown option"],
    [["nonsense"], "too many arguments"],
  ])("%j", (args, sentence) => {
    const { exitCode, stderr } = run(args);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n").length).toBeLessThan(3);
    expect(stderr).not.toContain("    at ");
  });
});

test("the source serves its pages from whatever directory it is started in", async () => {
  const program = [process.execPath, join(import.meta.dir, "../src/main.ts")];
  const service = await startProgram(program, {}, {}, directory);
  const page = await fetch(`${service.url}/meet`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<h1>Rooms</h1>");
  await service.stop();
});

test("settings come from flags, then from the environment, then from defaults", async () => {
  const service = await startBinary({ port: 0 }, { WHARF_BASE_URL: "https://from.example" });
  expect(service.output()).toContain("public at https://from.example");
  expect((await get<{ type: string }>(`${service.url}/nowhere`)).body.type).toStartWith(
    "https://from.example/",
  );
  await service.stop();
});
