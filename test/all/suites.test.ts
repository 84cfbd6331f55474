/** The suites in test/all/suites, which use the modules in testing/: they pass, and they fail if the agent or the service is broken. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWharf, type Wharf } from "../../testing/wharf.ts";
import { binary, lacks_binary } from "../support/binary.ts";
import { freePort } from "../support/free_port.ts";
import { lacks } from "../support/programs.ts";
import { install_timeout_ms, pythonWith } from "../support/python.ts";

const root = join(import.meta.dir, "../..");
/** A folder with the suites and what they import, and nothing else of the project. */
const copy = mkdtempSync(join(tmpdir(), "wharf-suites-"));
const suites = join(copy, "test/all/suites");
for (const path of ["testing", "src/client", "test/all/suites"])
  cpSync(join(root, path), join(copy, path), { recursive: true });
afterAll(() => rmSync(copy, { recursive: true }));

interface Suite {
  runner: string;
  /** The programs that it needs. */
  programs: string[];
  /** Installs what it needs and returns its folder and its command. */
  prepare(): { cwd: string; command: string[]; environment?: Record<string, string> };
  /** Finds each test in the output of the command: whether it passed, and its title. */
  result: RegExp;
  /** The tests that this suite has beside those of all. */
  more?: string[];
}

/** Installs vitest and tsx. */
function installPackages(): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile"], {
    cwd: suites,
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

/** Since 22.18, Node runs TypeScript. */
const nodeRunsTypeScript = () =>
  Bun.spawnSync(["node", "-p", "Boolean(process.features.typescript)"]).stdout.toString().trim() === "true";

const all: Suite[] = [
  {
    runner: "vitest",
    programs: ["node"],
    prepare() {
      installPackages();
      const vitest = join(suites, "node_modules/vitest/vitest.mjs");
      return { cwd: join(suites, "vitest"), command: ["node", vitest, "run", "--reporter=tap-flat"] };
    },
    result: /^(ok|not ok) \d+ - agent\.test\.ts > (.+?) # time/gm,
  },
  {
    runner: "node",
    programs: ["node"],
    prepare() {
      installPackages();
      const flags = nodeRunsTypeScript() ? [] : ["--import", "tsx"];
      const command = ["node", ...flags, "--test-reporter=tap", "--test", "agent.test.ts"];
      return { cwd: join(suites, "node"), command };
    },
    result: /^(?: {4})?(ok|not ok) \d+ - (.+)/gm,
  },
  {
    runner: "bun",
    programs: [],
    prepare: () => ({ cwd: join(suites, "bun"), command: [process.execPath, "test", "./agent.test.ts"] }),
    result: /^\((pass|fail)\) (.+?) \[/gm,
    more: ["continues from a snapshot"],
  },
  {
    runner: "pytest",
    programs: ["python3"],
    prepare: () => ({
      cwd: join(suites, "pytest"),
      command: [pythonWith("9.2.0", "pytest"), "-m", "pytest", "-rA", "-p", "no:cacheprovider"],
      environment: { PYTHONPATH: join(copy, "testing"), PYTHONDONTWRITEBYTECODE: "1" },
    }),
    result: /^(PASSED|FAILED|ERROR) test_agent\.py::test_(\w+)/gm,
  },
  {
    runner: "go",
    programs: ["go"],
    prepare() {
      const cwd = join(suites, "go");
      mkdirSync(join(cwd, "wharf"));
      cpSync(join(copy, "testing/wharf.go"), join(cwd, "wharf/wharf.go"));
      const command = ["go", "test", "-count=1", "-v", "."];
      return { cwd, command, environment: { CGO_ENABLED: "0", GOTOOLCHAIN: "local" } };
    },
    result: /^ {4}--- (PASS|FAIL): TestAgent\/(\w+)/gm,
  },
];

const titles = {
  room: "answers in a room",
  reset: "begins with nothing of the test before",
  clock: "takes a job when the lock of another agent has expired",
  fault: "repeats a call that fails twice",
};

/** A proxy before `wharf` that does nothing for clock, faults, restored snapshots and every second reset. */
function breaking(wharf: Wharf) {
  let resets = 0;
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const does_nothing =
        request.method === "POST" &&
        (/^\/_dev\/(?:clock|faults|snapshots\/\w+\/restore)$/.test(pathname) ||
          (pathname === "/_dev/reset" && resets++ % 2 === 1));
      if (does_nothing) return fetch(`${wharf.url}/_dev`);
      const body = await request.bytes();
      const { method, headers } = request;
      return fetch(wharf.url + pathname + search, { method, headers, ...(body.length > 0 && { body }) });
    },
  });
}

/** Writes a program. Returns its path. */
function script(name: string, text: string): string {
  const path = join(copy, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Whether a process runs. One that has ended, and whose parent has not noticed, is in the state Z. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

for (const { runner, programs, prepare, result, more = [] } of all) {
  describe.skipIf(lacks_binary || lacks(`the suite with ${runner}`, ...programs))(
    `the suite with ${runner}`,
    () => {
      let suite: ReturnType<Suite["prepare"]>;
      beforeAll(() => {
        suite = prepare();
      }, install_timeout_ms);

      const start = (environment: Record<string, string>) =>
        Bun.spawn(suite.command, {
          cwd: suite.cwd,
          env: { ...process.env, NO_COLOR: "1", WHARF_BIN: binary(), ...suite.environment, ...environment },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
          detached: true,
        });

      /** Runs the suite. Returns its status, the titles of the tests that passed, and the output. */
      async function run(environment: Record<string, string> = {}) {
        const child = start(environment);
        const texts = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        const output = texts.join("\n");
        const passed = Array.from(output.matchAll(result))
          .filter(([, status]) => /^(?:ok|pass)/i.test(status!))
          .map(([, , title]) => title!.replaceAll("_", " "));
        return { status: await child.exited, passed, output };
      }

      test("passes", async () => {
        const { status, passed, output } = await run();
        if (status !== 0) throw new Error(output);
        expect(passed).toEqual([...Object.values(titles), ...more]);
      });

      test("fails if the agent does not repeat calls", async () => {
        const { status, passed } = await run({ AGENT_TRIES: "2" });
        expect(passed).toEqual([titles.room, titles.reset, titles.clock, ...more]);
        expect(status).toBeGreaterThan(0);
      });

      test("fails if the calls below /_dev do nothing", async () => {
        await using wharf = await startWharf({ command: [binary()] });
        using proxy = breaking(wharf);
        const { status, passed } = await run({ WHARF_URL: proxy.url.origin });
        expect(passed).toEqual([titles.room]);
        expect(status).toBeGreaterThan(0);
      });

      test("fails with the output of a service that does not start", async () => {
        const { status, passed, output } = await run({
          WHARF_BIN: script("failing", "echo 'no memory left' >&2; exit 3"),
        });
        expect(output).toContain("no memory left");
        expect(passed).toEqual([]);
        expect(status).toBeGreaterThan(0);
      });

      test("leaves no service behind if it is killed", async () => {
        const port = await freePort();
        const pid_file = join(copy, `${runner}.pid`);
        // A session of its own: what ends the group of the suite does not reach it.
        const program = script(
          "recorded",
          `echo $$ >${pid_file}; exec setsid ${binary()} "$@" --port ${port}`,
        );
        const child = start({ WHARF_BIN: program });
        const answers = () =>
          fetch(`http://127.0.0.1:${port}/_dev`).then(
            () => true,
            () => false,
          );
        while (!(await answers())) await Bun.sleep(5);
        const pid = Number(readFileSync(pid_file, "utf8"));
        process.kill(-child.pid, "SIGKILL");
        await child.exited;
        for (let waits = 0; isRunning(pid) && waits < 1000; waits++) await Bun.sleep(10);
        const is_left = isRunning(pid);
        if (is_left) process.kill(pid, "SIGKILL");
        expect(is_left).toBe(false);
      });
    },
  );
}
