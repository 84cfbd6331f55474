/** A stranger follows the README: its commands run in a copy of the repository with Node, sh and coreutils alone. */

import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocksOf } from "../support/examples.ts";
import { oldClient } from "../support/mcp_clients.ts";
import { lacks } from "../support/programs.ts";
import { places } from "../../scripts/release/places.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { freePort } from "../support/free_port.ts";

const cannot_run = lacks(
  "the commands of the README on a bare machine",
  "git",
  "node",
  "npm",
  "npx",
  "sh",
  "dpkg",
);

const root = join(import.meta.dir, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const [before_releases, ...after] = readme.split(/^## Releases$/m);
const lines = blocksOf(before_releases!)
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.trim().split("\n"))
  .map((line) => line.replace(/\s+#.*$/, ""));

/** Commands that this test does not run, and why. */
const left_out: Record<string, string> = {
  "npx -y bun@1.4.5 run test": "takes minutes: .ci/run runs it in the same way",
  "npx -y bun@1.4.5 run wharf setup":
    "needs an agent host: test/cli/setup and test/soak/setup_hosts.test.ts; the address is connected to",
};

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

/** The files of the repository, also those that are not committed yet, without what git ignores. */
function copyRepository(): string {
  const copy = join(directory, "wharf");
  const { stdout } = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  for (const path of stdout.toString().split("\0")) {
    if (!path || !statSync(join(root, path), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  return copy;
}

/** A folder with Node, npm, npx, sh and coreutils. */
function barePath(): string {
  const folder = join(directory, "bin");
  mkdirSync(folder);
  const { stdout } = Bun.spawnSync(["dpkg", "-L", "coreutils"]);
  const coreutils = stdout
    .toString()
    .split("\n")
    .filter((path) => /\/bin\/[^/]+$/.test(path));
  for (const path of [...["node", "npm", "npx", "sh"].map((name) => Bun.which(name)!), ...coreutils])
    symlinkSync(path, join(folder, path.split("/").at(-1)!));
  return folder;
}

test("the README has at most 800 words", () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(800);
});

test("what waits for a release is below Releases, and no other command is for something that is not published", () => {
  const waiting = new RegExp(`install\\.sh|npx ${places.npm_scope}|uvx |docker run`);
  expect(before_releases).not.toMatch(waiting);
  expect(after.join("").match(new RegExp(waiting, "g"))).toHaveLength(4);
});

test.skipIf(cannot_run)(
  "every other command runs on a machine with Node alone, and shows what the text says",
  async () => {
    const cwd = copyRepository();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
    const env = {
      ...Object.fromEntries(npm),
      PATH: barePath(),
      HOME: join(directory, "home"),
      WHARF_PORT: String(port),
      WHARF_URL: url,
    };
    mkdirSync(env.HOME);
    const spawn = (line: string) =>
      // In a group of its own, so that what npx has started ends with it.
      Bun.spawn(["sh", "-c", line], {
        cwd,
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        detached: true,
      });
    const [start, ...others] = lines.filter((line) => !(line in left_out));
    expect(start).toBe("npx -y bun@1.4.5 run start");
    const service = spawn(`exec ${start}`);
    try {
      let banner = "";
      for await (const text of service.stdout.pipeThrough(new TextDecoderStream())) {
        banner += text;
        if (banner.includes(url)) break;
      }
      expect(banner).toContain(url);
      let printed = "";
      for (const line of others) {
        const command = spawn(line);
        const [out, errors, status] = await Promise.all([
          new Response(command.stdout).text(),
          new Response(command.stderr).text(),
          command.exited,
        ]);
        expect([line, errors, status]).toEqual([line, expect.any(String), 0]);
        printed = out;
      }
      expect(printed).toContain("How do we name things?");
      expect(printed).toContain("By what they are for.");
      const page = await (await fetch(`${url}/meet/r/how-do-we-name-things`)).text();
      expect(page).toContain("By what they are for.");
      const client = await oldClient(`${url}/mcp`);
      expect(await client.tools()).toContain("meet_ask");
      await client.close();
      expect(readdirSync(join(cwd, "wharf-data"))).toContain("wharf.db");
    } finally {
      process.kill(-service.pid, "SIGTERM");
      await service.exited;
    }
    for (const line of Object.keys(left_out)) expect(lines).toContain(line);
  },
  300_000,
);
