/** `wharf setup` as a process: killed at any time, without permission, and seen by other processes. The hosts are stand-ins. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { binary, lacks_binary } from "../support/binary.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { inTerminal } from "../support/terminal.ts";
import { installHosts, treeOf } from "../support/setup_hosts.ts";

const is_root = process.getuid!() === 0;
const as_other = is_root ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

let service: SourceService;
let root: string;
let home: string;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());
beforeEach(() => {
  root = newDirectory();
  home = join(root, "home");
  mkdirSync(home);
  installHosts(join(root, "bin"), ["claude", "gemini", "opencode"]);
  put(".claude.json", '{"mcpServers": {"mine": {}}}\n');
  put(".claude/settings.json", '{\n  // mine\n  "theme": "dark",\n}\n');
  put(".gemini/settings.json", "{}");
  put("dotfiles/opencode.json", '{\r\n\t"theme": "x"\r\n}\r\n');
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  symlinkSync("../../dotfiles/opencode.json", join(home, ".config/opencode/opencode.json"));
});
afterEach(() => removeDirectory(root));

function put(name: string, text: string): void {
  const file = join(home, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

function start(
  words: string[],
  more: Record<string, string> = {},
  [wharf, user] = [binary(), [] as string[]],
) {
  const child = Bun.spawn([...user, wharf, "setup", ...words], {
    cwd: root,
    env: {
      PATH: `${join(root, "bin")}:/usr/bin:/bin`,
      ...{ HOME: home, USER: "ada", WHARF_URL: service.url, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      ...{ XDG_CONFIG_HOME: "", XDG_STATE_HOME: join(root, "state") },
      ...more,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, errors_to_come] = child.stderr.tee();
  const ended = Promise.all([
    new Response(child.stdout).text(),
    new Response(errors_to_come).text(),
    child.exited,
  ]).then(([printed, errors, status]) => ({ printed, errors, status }));
  return { child, said, ended };
}

/** What a run says that finds a command which another one has started. */
const waits = "wharf: a command of a host runs on from before: waiting for its end …\n";
const run = (...words: string[]) => start(words).ended;

/** The home without the saved keys, which stay. */
function others(): Record<string, string> {
  const tree = treeOf(home);
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith(".config/wharf")));
}

describe.skipIf(lacks_binary)("killed at any time", () => {
  test.each([
    ["is finished by the next run", true],
    ["is taken back by --undo", false],
  ])(
    "%s",
    async (_, finishes) => {
      const before = others();
      const began = Bun.nanoseconds();
      expect(await run("--yes")).toMatchObject({ status: 0, errors: "" });
      let whole_ms = (Bun.nanoseconds() - began) / 1e6;
      const complete = others();
      expect(await run("--undo")).toMatchObject({ status: 0 });
      expect(others()).toEqual(before);

      let killed = 0;
      // The first run may take far longer than the others, so that no kill hits one: the shortest says when they end.
      for (let i = 0; i < 20 || (killed < 3 && i < 60); i++) {
        const started = Bun.nanoseconds();
        const { child, ended } = start(["--yes"]);
        const took = ended.then(() => (Bun.nanoseconds() - started) / 1e6);
        await Bun.sleep((whole_ms * (i % 20)) / 20);
        child.kill("SIGKILL");
        if ((await ended).status !== 0) killed++;
        else whole_ms = Math.min(whole_ms, await took);
        if (finishes) {
          const next = await run("--yes");
          expect(next.status).toBe(0);
          expect(["", waits]).toContain(next.errors);
          expect(others()).toEqual(complete);
        }
        const undone = await run("--undo");
        expect([undone.status, undone.printed]).toEqual([0, undone.printed]);
        // A file that the host has written and that a killed run knows nothing of has the layout of the host.
        const after = others();
        expect(JSON.parse(after[".claude.json"]!.slice(4))).toEqual({ mcpServers: { mine: {} } });
        put(".claude.json", before[".claude.json"]!.slice(4));
        expect(others()).toEqual(before);
      }
      expect(killed).toBeGreaterThan(2);
    },
    300_000,
  );
});

describe.skipIf(lacks_binary)("killed while a host changes its file: that host goes on", () => {
  test.each([
    ["--undo waits for it", ["--undo"]],
    ["the next run waits for it", ["--yes"]],
  ])("%s", async (_, words) => {
    const held = join(root, "held");
    const before = others();
    const killed = start(["claude", "--yes"], { HELD: held });
    while (!existsSync(held)) await Bun.sleep(5);
    killed.child.kill("SIGKILL");
    await killed.ended;
    const next = start(["claude", ...words]);
    // It says that it waits, or ends.
    const { value } = await next.said.getReader().read();
    rmSync(held);
    expect(new TextDecoder().decode(value)).toBe(waits);
    expect(await next.ended).toMatchObject({ status: 0 });
    await run("claude", "--undo");
    expect(JSON.parse(others()[".claude.json"]!.slice(4))).toEqual({ mcpServers: { mine: {} } });
    put(".claude.json", before[".claude.json"]!.slice(4));
    expect(others()).toEqual(before);
  });
});

test.skipIf(lacks_binary)("asks a person at a terminal", async () => {
  const env = { HOME: home, USER: "ada", WHARF_URL: service.url, XDG_STATE_HOME: join(root, "state") };
  const PATH = `${join(root, "bin")}:/usr/bin:/bin`;
  const before = others();
  for (const [answer, says] of [
    ["n", /nothing was changed/],
    ["y", /opencode is set up as ada-opencode/],
  ] as const) {
    const terminal = inTerminal([binary(), "setup", "opencode"], { cwd: root, env: { ...env, PATH } });
    await terminal.until(/Make these changes\? \[y\/N\] /);
    expect(others()).toEqual(before);
    terminal.type(`${answer}\r`);
    await terminal.until(says);
    expect(await terminal.process.exited).toBe(0);
  }
  expect(others()).not.toEqual(before);
});

test.skipIf(lacks_binary || !existsSync("/proc"))("no process has a key among its words", async () => {
  const seen = join(root, "seen");
  expect(await start(["claude", "--yes"], { SEEN: seen }).ended).toMatchObject({ status: 0 });
  const words = readFileSync(seen, "latin1");
  expect(words).toContain("setup");
  const keys = readFileSync(join(home, ".config/wharf/credentials.toml"), "utf8").match(/wf[kr]_[\w-]+/g)!;
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => words.includes(key))).toEqual([]);
});

const cannot_try = lacks_binary || (is_root && lacks("files that a user may not use", "setpriv"));

describe.skipIf(cannot_try)(
  "a file that this user may not change: everything of its host is left, and the others are set up",
  () => {
    let wharf: string;
    const gemini = () => join(home, ".gemini");
    beforeEach(() => {
      wharf = join(root, "wharf");
      copyFileSync(binary(), wharf, constants.COPYFILE_FICLONE);
      installHosts(join(root, "bin"), ["gemini", "opencode"]);
      for (const path of [root, join(root, "bin"), wharf]) chmodSync(path, 0o755);
      mkdirSync(join(root, "other"));
      cpSync(gemini(), join(root, "other"), { recursive: true });
      if (is_root) Bun.spawnSync(["chown", "-R", "65534:65534", home]);
      mkdirSync(join(root, "state"), { mode: 0o777 });
      chmodSync(join(root, "state"), 0o777);
    });
    const cases: Record<string, () => void> = {
      "a file that may only be read": () => chmodSync(join(gemini(), "settings.json"), 0o444),
      "a folder that may only be read": () => chmodSync(gemini(), 0o555),
      "a link into such a folder": () => {
        chmodSync(join(root, "other/settings.json"), 0o666);
        chmodSync(join(root, "other"), 0o555);
        Bun.spawnSync(["ln", "-sf", join(root, "other/settings.json"), join(gemini(), "settings.json")]);
      },
    };
    test.each(Object.entries(cases))("%s", async (_, prepare) => {
      prepare();
      const before = treeOf(gemini());
      const { ended } = start(["gemini", "opencode", "--yes"], {}, [wharf, as_other]);
      const { printed, errors, status } = await ended;
      expect(status).toBe(1);
      expect(errors).toMatch(
        /^wharf: Gemini CLI is not set up: \S+settings\.json cannot be changed: this user may not .+\n$/,
      );
      expect(treeOf(gemini())).toEqual(before);
      expect(printed).toContain("opencode is set up as");
      for (const path of [gemini(), join(root, "other")]) chmodSync(path, 0o755);
    });
  },
);
