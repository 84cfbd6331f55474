/** The wheels: installed by pip and uv, chosen by platform, used by a suite with pytest, and checked by tools of PyPI. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { places } from "../../../scripts/release/places.ts";
import { targetOfMachine, targets } from "../../../scripts/release/targets.ts";
import { answers, dev, fail, startDev, succeed } from "../../support/installed.ts";
import { newFolder, removeFolders } from "../../support/installing.ts";
import { lacks } from "../../support/programs.ts";
import { pythonWith } from "../../support/python.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";

const here = targetOfMachine()!;
const no_index = (wheels: string) => ["--no-index", "--find-links", wheels];

describe.skipIf(lacks_release || lacks("packages of PyPI", "python3"))("PyPI", () => {
  let folder: string;
  let wheels: string;
  let uv: string;
  /** The `bin` of a Python environment with the packages. */
  let installed: string;
  beforeAll(async () => {
    folder = await release();
    wheels = join(folder, "python");
    uv = join(dirname(pythonWith("0.13.9", "uv")), "uv");
    const environment = newFolder();
    succeed(["python3", "-m", "venv", environment]);
    installed = join(environment, "bin");
    succeed([join(installed, "pip"), "install", "--quiet", "pytest==9.2.0"]);
    const names = [places.pypi, `${places.pypi}-testing`];
    succeed([join(installed, "pip"), "install", "--quiet", ...no_index(wheels), ...names]);
  }, release_timeout_ms);
  afterAll(removeFolders);

  const wheelOf = (platform: string) => {
    const found = readdirSync(wheels).filter((file) => file.endsWith(`-py3-none-${platform}.whl`));
    expect(found).toHaveLength(1);
    return join(wheels, found[0]!);
  };

  test("pip puts the program itself on the PATH, and it serves", async () => {
    const program = readFileSync(join(folder, "bin", here.name, "wharf"));
    expect(readFileSync(join(installed, "wharf")).equals(program)).toBe(true);
    const { url, stop } = await startDev(["wharf", ...dev], { env: { PATH: installed, HOME: newFolder() } });
    expect(await answers(url)).toBe(true);
    await stop();
  });

  test("uvx runs it without an installation", async () => {
    const bin = newFolder();
    symlinkSync(succeed(["python3", "-c", "import sys; print(sys.executable)"]).trim(), join(bin, "python3"));
    const command = [uv, "tool", "run", ...no_index(wheels), "--from", places.pypi, "wharf", ...dev];
    const env = { PATH: bin, HOME: newFolder(), UV_PYTHON_DOWNLOADS: "never" };
    const { url, stop } = await startDev(command, { env });
    expect(await answers(url)).toBe(true);
    await stop();
  });

  /** Lets pip choose the wheel for a platform. Returns its file's name. */
  const choose = (platform: string) => {
    const to = newFolder();
    const options = ["--quiet", "--no-deps", "--only-binary=:all:", "--platform", platform, "--dest", to];
    const command = [join(installed, "pip"), "download", ...no_index(wheels), ...options, places.pypi];
    return { command, chosen: () => (succeed(command), readdirSync(to)) };
  };

  test.each(targets.map(({ name, wheel }) => [name, wheel]))(
    "pip chooses the program for %s",
    (_, platform) => {
      expect(choose(platform!).chosen()).toEqual([expect.stringContaining(`-py3-none-${platform}.whl`)]);
    },
  );

  test("pip says that there is no program for another platform", () => {
    const { says } = fail(choose("manylinux_2_17_ppc64le").command);
    expect(says).toContain(`No matching distribution found for ${places.pypi}`);
  });

  test("a suite uses the plugin for pytest, which finds the program", () => {
    const suite = newFolder();
    for (const file of ["agent.py", "test_agent.py"])
      cpSync(join(import.meta.dir, "../suites/pytest", file), join(suite, file));
    // The environment is not activated: no program is on the PATH.
    const options = { cwd: suite, env: { PATH: newFolder(), HOME: newFolder() } };
    expect(succeed([join(installed, "python"), "-m", "pytest", "--quiet"], options)).toContain("4 passed");
  });

  /** Runs a tool of PyPI. */
  const tool = (name: string, ...args: string[]) => succeed([uv, "tool", "run", "--quiet", name, ...args]);
  const all = () => readdirSync(wheels).map((file) => join(wheels, file));

  test("twine and check-wheel-contents find no fault", () => {
    tool("twine@7.0.0", "check", "--strict", ...all());
    // W007: there is no Python in a wheel with a program.
    tool("check-wheel-contents@0.6.3", "--ignore", "W007", ...all());
  });

  test("wheel finds the hashes of RECORD correct, and the program executable", () => {
    const to = newFolder();
    const stem = `${places.pypi.replaceAll("-", "_")}-*`;
    tool("wheel@0.48.0", "unpack", "--dest", to, wheelOf(here.wheel));
    const [program] = [...new Bun.Glob(`*/${stem}.data/scripts/wharf`).scanSync(to)];
    expect(succeed([join(to, program!), "--version"])).toMatch(/^\d/);
  });

  test.each(targets.filter(({ os }) => os === "linux").map(({ wheel }) => wheel))(
    "auditwheel finds %s correct",
    (platform) => {
      const says = tool("auditwheel@6.8.2", "show", wheelOf(platform)).replace(/\s+/g, " ");
      if (platform.startsWith("musllinux")) {
        // Bun needs the C++ library of the system.
        expect(says).toEndWith("will need to be eliminated: libstdc++.so.6 ");
      } else {
        expect(says).toContain(`platform tag: "${platform.replace("manylinux2014", "manylinux_2_17")}"`);
      }
    },
  );
});
