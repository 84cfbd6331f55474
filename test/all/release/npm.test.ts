/** The packages of npm, from a registry: the program on a machine with Node alone, the client and the module for test suites. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../../scripts/release/places.ts";
import { targetOfMachine, targets } from "../../../scripts/release/targets.ts";
import { answers, dev, fail, startDev, succeed } from "../../support/installed.ts";
import { newFolder, removeFolders } from "../../support/installing.ts";
import { started } from "../../support/leftovers.ts";
import { emptied, installTools, startRegistry, type Registry } from "../../support/npm_registry.ts";
import { lacks } from "../../support/programs.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";

const root = join(import.meta.dir, "../../..");
const scope = places.npm_scope;
const launcher = `${scope}/wharf`;
const here = targetOfMachine()!;
const program = `wharf-${here.os}-${here.cpu}${here.libc === "musl" ? "-musl" : ""}`;

describe.skipIf(lacks_release || lacks("packages of npm", "node", "npm", "npx", "sh", "tar"))("npm", () => {
  let packages: string;
  let registry: Registry;
  let tool: (file: string) => string;
  /** The PATH of a machine that has Node and nothing else. */
  const bin = newFolder();
  /** A project with the launcher. */
  let project: string;

  /** The file of a package. */
  const packed = (name: string) => {
    const found = readdirSync(packages).filter((file) =>
      new RegExp(`^${scope.slice(1)}-${name}-\\d.*\\.tgz$`).test(file),
    );
    expect(found).toHaveLength(1);
    return join(packages, found[0]!);
  };

  beforeAll(async () => {
    packages = join(await release(), "npm");
    tool = installTools(newFolder());
    registry = await startRegistry(tool("verdaccio/bin/verdaccio"));
    for (const name of ["wharf", "client", "testing", program]) registry.publish(packed(name));
    const others = targets.map(({ os, cpu, libc }) => `wharf-${os}-${cpu}${libc === "musl" ? "-musl" : ""}`);
    const folder = newFolder();
    for (const name of others.filter((other) => other !== program))
      registry.publish(await emptied(packed(name), folder));
    for (const name of ["node", "npm", "npx", "sh"]) symlinkSync(Bun.which(name)!, join(bin, name));
    project = newProject();
    npm(project, "install", "--ignore-scripts", launcher, `${scope}/testing`);
  }, release_timeout_ms);
  afterAll(async () => {
    await registry.stop();
    removeFolders();
  });

  /** The environment of somebody new on that machine: an empty home directory, and so an empty cache. */
  const environment = (more: Record<string, string> = {}) => ({
    PATH: bin,
    HOME: newFolder(),
    npm_config_registry: registry.url,
    ...more,
  });
  const npm = (cwd: string, ...args: string[]) => succeed(["npm", ...args], { cwd, env: environment() });

  function newProject(): string {
    const folder = newFolder();
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    return folder;
  }

  /** Starts a service as somebody new. */
  const start = (command: string[], cwd: string, more: Record<string, string> = {}) =>
    startDev([...command, ...dev], { cwd, env: environment(more) });
  /** Runs a command that must fail, as somebody new. */
  const refused = (command: string[], cwd: string, more: Record<string, string> = {}) =>
    fail(command, { cwd, env: environment(more) });

  /** A variable that makes Node run `script` first, to pretend that this is another platform. */
  function pretending(script: string): Record<string, string> {
    const file = join(newFolder(), "first.cjs");
    writeFileSync(file, script);
    return { NODE_OPTIONS: `--require=${file}` };
  }
  const without_glibc = pretending("process.report.getReport = () => ({ header: {} });");
  const command = join("node_modules", launcher, "bin/wharf.js");

  test("npx starts what npm installed without scripts", async () => {
    expect(readdirSync(join(project, "node_modules", scope))).toContain(program);
    const { stop, url } = await start(["npx", "--offline", "wharf"], project);
    expect(await answers(url)).toBe(true);
    await stop();
    expect(await answers(url)).toBe(false);
  });

  test("npx installs it and starts it", async () => {
    const { stop, url } = await start(["npx", "--yes", launcher], newFolder());
    expect(await answers(url)).toBe(true);
    await stop();
  });

  test("pnpm installs it and starts it", async () => {
    const cwd = newProject();
    const pnpm = ["node", tool("pnpm/bin/pnpm.cjs")];
    succeed([...pnpm, "add", launcher], { cwd, env: environment() });
    // The command that pnpm writes is a shell script with these programs.
    const shell = newFolder();
    for (const name of ["dirname", "sed", "uname"]) symlinkSync(Bun.which(name)!, join(shell, name));
    const { stop, url } = await start([...pnpm, "exec", "wharf"], cwd, { PATH: `${bin}:${shell}` });
    expect(await answers(url)).toBe(true);
    await stop();
  });

  test("Yarn installs it into archives (Plug'n'Play) and starts it", async () => {
    const cwd = newProject();
    const settings = `npmRegistryServer: "${registry.url}"
unsafeHttpWhitelist: ["127.0.0.1"]
npmMinimalAgeGate: 0
enableTelemetry: false
`;
    writeFileSync(join(cwd, ".yarnrc.yml"), settings);
    writeFileSync(join(cwd, "yarn.lock"), "");
    const yarn = ["node", tool("@yarnpkg/cli-dist/bin/yarn.js")];
    succeed([...yarn, "add", launcher], { cwd, env: environment() });
    const { stop, url } = await start([...yarn, "wharf"], cwd);
    expect(await answers(url)).toBe(true);
    await stop();
  });

  test("the command ends with the status of the program", () => {
    expect(refused(["node", command, "--no-such-option"], project).status).toBe(2);
    expect(succeed(["node", command, "--version"], { cwd: project, env: environment() })).toMatch(
      /^\d+\.\d+/,
    );
  });

  test("the command passes a signal on, and ends as the program does", async () => {
    const { child, url } = await start(["node", command], project);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await answers(url)).toBe(false);
  });

  test("the command ends by the signal that ended the program", async () => {
    const { child, pid } = await start(["node", command], project);
    process.kill(pid, "SIGKILL");
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
  });

  test("the program ends when the command is killed", async () => {
    const { child, url, pid } = await start(["node", command], project);
    child.kill("SIGKILL");
    await child.exited;
    for (let waits = 0; (await answers(url)) && waits < 1000; waits++) await Bun.sleep(10);
    const is_left = await answers(url);
    if (is_left) process.kill(pid, "SIGKILL");
    expect(is_left).toBe(false);
  });

  test("Ctrl-C in a terminal reaches the program once", async () => {
    const cwd = newProject();
    const [command_folder, program_folder] = [launcher, `${scope}/${program}`].map((name) =>
      join(cwd, "node_modules", name),
    );
    for (const folder of [command_folder!, join(program_folder!, "bin")])
      mkdirSync(folder, { recursive: true });
    succeed(["tar", "-xzf", packed("wharf"), "-C", command_folder!, "--strip-components=1"]);
    writeFileSync(join(program_folder!, "package.json"), "{}");
    const counting = `#!/usr/bin/env node
      process.on("SIGINT", () => console.log("interrupted"));
      process.on("SIGTERM", () => process.exit(0));
      setInterval(() => {}, 1000);
      console.log("ready");`;
    writeFileSync(join(program_folder!, "bin/wharf"), counting, { mode: 0o755 });

    let output = "";
    const child = Bun.spawn(["node", command], {
      ...{ cwd, env: environment() },
      terminal: {
        data(terminal, bytes) {
          const before = output;
          output += bytes.toString();
          const begins = (word: string) => output.includes(word) && !before.includes(word);
          if (begins("ready")) terminal.write("\u0003");
          // This signal comes after all that Ctrl-C caused.
          if (begins("interrupted")) child.kill("SIGTERM");
        },
      },
    });
    started.push(child);
    expect(await child.exited).toBe(0);
    expect(output.match(/interrupted/g)).toHaveLength(1);
  });

  test("a platform without a program gets a sentence", () => {
    const other = pretending('Object.defineProperty(process, "platform", { value: "sunos" });');
    const { status, says } = refused(["npx", "--offline", "wharf", "dev"], project, other);
    expect(status).toBe(1);
    expect(says).toMatch(
      /^wharf: there is no program for sunos-x64, only for linux-x64, .+win32-x64\. .+https:\S+\.\n$/,
    );
  });

  const missing = (name: string) =>
    new RegExp(
      `^wharf: the package ${scope}/${name} is not installed, .+npm install --include=optional.+lock file.+\\n$`,
    );

  test("an installation without optional dependencies gets a sentence", () => {
    const cwd = newProject();
    npm(cwd, "install", "--omit=optional", launcher);
    const { status, says } = refused(["npx", "--offline", "wharf", "dev"], cwd);
    expect(status).toBe(1);
    expect(says).toMatch(missing(program));
  });

  test("an installation for another platform gets a sentence", () => {
    const cwd = newProject();
    npm(cwd, "install", "--os=darwin", "--cpu=arm64", launcher);
    expect(readdirSync(join(cwd, "node_modules", scope))).toContain("wharf-darwin-arm64");
    expect(refused(["npx", "--offline", "wharf", "dev"], cwd).says).toMatch(missing(program));
  });

  test.skipIf(here.libc !== "glibc")(
    "the command chooses by the C library if both programs are installed",
    () => {
      const musl = join(project, "node_modules", scope, `${program}-musl`);
      mkdirSync(join(musl, "bin"), { recursive: true });
      writeFileSync(join(musl, "package.json"), "{}");
      writeFileSync(join(musl, "bin/wharf"), "");
      const chosen = (more: Record<string, string>) =>
        succeed(["node", "-p", `require("${launcher}").programPath()`], {
          cwd: project,
          env: environment(more),
        });
      expect(chosen({})).toEndWith(`/${program}/bin/wharf\n`);
      expect(chosen(without_glibc)).toEndWith(`/${program}-musl/bin/wharf\n`);
    },
  );

  test("a program in TypeScript uses the client and the module for test suites", () => {
    const source = `
      import { createClient, orThrow } from "${scope}/client";
      import { startWharf, type Wharf } from "${scope}/testing";
      const wharf: Wharf = await startWharf({ frozen: true });
      const client = createClient({ url: wharf.url });
      const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal: "Say hello", name: "ada" } }));
      const { error } = await wharf.client().get("/api/meet/rooms/{room}", { path: { room: "nowhere" } });
      const code: "room_not_found" | undefined = error?.code === "room_not_found" ? error.code : undefined;
      const { now } = await wharf.clock.advance({ minutes: 61 });
      console.log([slug, code, now].join());
      await wharf.stop();
    `;
    writeFileSync(join(project, "program.ts"), source);
    const options = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2023", "dom"],
      noEmit: true,
    };
    const node_types = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
    const settings = { compilerOptions: { ...options, ...node_types }, files: ["program.ts"] };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));
    succeed([process.execPath, "check"], { cwd: project });
    const code = new Bun.Transpiler({ loader: "ts" }).transformSync(source);
    writeFileSync(join(project, "program.js"), code);
    const printed = succeed(["node", "program.js"], { cwd: project, env: environment() });
    expect(printed).toBe("say-hello,room_not_found,2030-01-01T01:01:00.000Z\n");
  });

  test("the client can be bundled for browsers", async () => {
    const entry = join(project, "browser.js");
    writeFileSync(entry, `export { createClient } from "${scope}/client";`);
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser" });
    expect(await outputs[0]!.text()).not.toMatch(/^import /m);
  });

  test.each(["wharf", "client", "testing"])("publint and attw find no fault in the package %s", (name) => {
    succeed([process.execPath, tool("publint/src/cli.js"), "run", "--strict", packed(name)]);
    const attw = tool("@arethetypeswrong/cli/dist/index.js");
    succeed([process.execPath, attw, packed(name), "--profile", "esm-only"]);
  });
});
