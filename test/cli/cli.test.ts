/** The command line of the compiled binary. */

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { binary } from "../support/binary.ts";
import { newDirectory, removeDirectory, startBinary, startProgram } from "../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

// Without a build this is one error, not one for each test.
const program = binary();

/** The environment without what the tests are set to, which the program warns of. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("WHARF_TEST_")),
);

const run = (args: string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
    env: { ...environment, ...env },
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

test("version prints the version", () => {
  expect(run(["version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  expect(run(["--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
});

test("version --json prints what the program was built from, and nulls from source", () => {
  const { stdout } = run(["version", "--json"]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  const sqlite = new Database(":memory:").query("SELECT sqlite_version() AS v").get() as { v: string };
  const same = { version, bun: Bun.version, sqlite: sqlite.v };
  const built = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(built)).toEqual(["version", "commit", "target", "bun", "sqlite"]);
  expect(built).toMatchObject(same);
  const main = join(import.meta.dir, "../../src/main.ts");
  const source = Bun.spawnSync([process.execPath, main, "version", "--json"]).stdout.toString();
  expect(JSON.parse(source)).toEqual({ ...same, commit: null, target: null });
});

/** The output of a failed call: one line on standard error, no stack, nothing on standard output. */
function failed(args: string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = run(args, env);
  expect(stderr).toMatch(/^wharf: .+\n$/);
  expect(stdout).toBe("");
  return { exitCode, stderr };
}

describe("invalid calls", () => {
  test.each([
    [["serve", "--port", "x"], "--port must be a whole number from 0 to 65535"],
    [["serve", "-p", "x"], "-p must be a whole number from 0 to 65535"],
    [["-p70000"], "-p must be a whole number from 0 to 65535"],
    [["serve", "--port=70000"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--base-url", "ftp://x"], "--base-url must be an http or https address"],
    [["serve", "--trusted-proxy", "everyone"], "--trusted-proxy must be a network"],
    [["serve", "--writes-by-name", "0"], "--writes-by-name must be a whole number above 0"],
    [["serve", "--host", "nonsense"], "--host must be an IP address such as 127.0.0.1"],
    [["serve", "-H", "127.1"], "-H must be an IP address such as 127.0.0.1"],
    [["serve", "--port", ""], "--port is empty"],
    [["serve", "--allowed-host", "https://wharf.lan"], "--allowed-host must be host names such as wharf.lan"],
    [["serve", "--allowed-host", "wharf.lan:80"], "--allowed-host must be host names such as wharf.lan"],
    [["serve", "--port"], "option '-p, --port <port>' argument missing"],
    [["serve", "--nonsense"], "unknown option '--nonsense'"],
    [["serve", "--prot", "1"], "unknown option '--prot'. Did you mean --port?"],
    [["backups"], "there is no command 'backups'. The nearest is 'backup'"],
    [["sevre", "--port", "0"], "there is no command 'sevre'. The nearest is 'serve'"],
    [["x", "--help"], "there is no command 'x'"],
    [["help", "versio"], "there is no command 'versio'. The nearest is 'version'"],
    [["keys"], "'wharf keys' needs a command: rotate"],
    [["keys", "rotat"], "there is no command 'keys rotat'. The nearest is 'keys rotate'"],
    [["beacon", "check", "--help"], "there is no command 'beacon check'"],
    [["--port", "0", "backup"], "'backup' is too much"],
    [["serve", "backup"], "'backup' is too much"],
    [["version", "1"], "too many arguments for 'version'"],
    [["beacon", "verify", "x", "--url", "http://127.0.0.1:1"], "the round must be a whole number"],
    [["beacon", "verify", "--url", "nonsense"], "--url must be an http, https or file address"],
  ])("%j ends with status 2 and one line", (args, sentence) => {
    const { exitCode, stderr } = failed(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe("failures at run time", () => {
  test.each([
    [["serve", "--host", "203.0.113.77", "--port", "0"], "--host"],
    [["serve", "--data-dir", "/dev/null/x"], "/dev/null/x"],
    [["keys", "rotate", "--data-dir", "/dev/null/x"], "/dev/null/x"],
    [["beacon", "verify", "--url", "http://127.0.0.1:1"], "http://127.0.0.1:1"],
    [["beacon", "verify", "--url", "http://127.0.0.1:1", "--key", "none.pem"], "none.pem"],
  ])("%j ends with status 1 and one line", (args, sentence) => {
    const { exitCode, stderr } = failed(args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

test("help and version end with status 0", () => {
  for (const args of [
    ["--help"],
    ["help"],
    ["help", "serve"],
    ["keys", "--help"],
    ["beacon", "verify", "--help"],
  ]) {
    expect([args, run(args)]).toEqual([
      args,
      { exitCode: 0, stdout: expect.stringContaining("Usage: wharf"), stderr: "" },
    ]);
  }
});

describe("the printed addresses", () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const usable = interfaces.filter(
    ({ family, internal, address }) => family === "IPv4" || internal || !address.startsWith("fe80"),
  );
  const printed = (output: string) => Array.from(output.matchAll(/(http:\/\/\S+)\/meet/g), ([, url]) => url!);

  test.each([
    ["0.0.0.0", usable.filter(({ family }) => family === "IPv4")],
    ["::", usable],
  ])(
    "prints the addresses of the machine's interfaces for --host %s, and each answers",
    async (host, expected) => {
      const service = await startBinary({ host });
      const urls = printed(service.output());
      const port = new URL(service.url).port;
      const hosts = expected.map(({ family, address }) => (family === "IPv4" ? address : `[${address}]`));
      expect(urls.toSorted()).toEqual(hosts.map((name) => `http://${name}:${port}`).toSorted());
      expect(urls[0]).toBe(`http://127.0.0.1:${port}`);
      for (const url of urls) expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect(service.output()).toContain("--allowed-host");
      expect(service.output()).toContain("--base-url");
      await service.stop();
    },
  );

  test("prints one address without a warning about host names", async () => {
    const service = await startBinary();
    expect(printed(service.output())).toEqual([service.url]);
    expect(service.output()).not.toContain("--allowed-host");
    await service.stop();
  });

  test("prints no warning if host names are allowed", async () => {
    const service = await startBinary({ host: "0.0.0.0", allowed_hosts: ["wharf.lan"] });
    expect(service.output()).not.toContain("--base-url");
    await service.stop();
  });
});

test("the source serves its pages from any directory", async () => {
  const program = [process.execPath, join(import.meta.dir, "../../src/main.ts")];
  const service = await startProgram(program, {}, {}, directory);
  const page = await fetch(`${service.url}/meet`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<h1>Rooms</h1>");
  await service.stop();
});
