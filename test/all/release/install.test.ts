/** install.sh: shells, users without rights, the file for each system, checksums, downloads, programs that run already. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../../scripts/release/places.ts";
import { targets } from "../../../scripts/release/targets.ts";
import { writeFakeRelease } from "../../support/fake_release.ts";
import {
  homeOfNobody,
  install,
  newFolder,
  nobody,
  programsFolder,
  removeFolders,
} from "../../support/installing.ts";
import { lacks } from "../../support/programs.ts";

const version = "7.8.9";
afterAll(removeFolders);

/** A release in a folder of its own, whose files a test may change. */
async function fakeRelease(program?: string, of = version): Promise<string> {
  const folder = join(newFolder(), "release");
  await writeFakeRelease(folder, of, program);
  return folder;
}

let release: string;
beforeAll(async () => void (release = await fakeRelease()));

const shells: [string, string[]][] = [
  ["dash", ["dash"]],
  ["bash", ["bash", "--posix"]],
  ["the sh of busybox", ["busybox", "sh"]],
];

describe.skipIf(lacks("install.sh in shells", "dash", "bash", "busybox")).each(shells)(
  "in %s",
  (_, shell) => {
    test("installs from a folder into ~/.local/bin, and prints where, how to reach it and how to start it", async () => {
      const ran = await install({ release, shell, args: ["--from", release] });
      expect([ran.status, ran.errors, ran.installed, ran.left]).toEqual([0, "", ["wharf"], []]);
      const path = join(ran.home, ".local/bin/wharf");
      expect(ran.out).toContain(`Wharf ${version} (`);
      expect(ran.out).toContain(`is installed: ${path}\n`);
      expect(ran.out).toContain(`export PATH="${join(ran.home, ".local/bin")}:$PATH"\n`);
      expect(ran.out).toContain(`Start it: ${path}\n`);
      expect(Bun.spawnSync([path]).stdout.toString()).toBe(`${version}\n`);
    });

    test("prints its help, and refuses an option that it does not know", async () => {
      const ran = await install({ release, shell, args: ["--help"] });
      expect([ran.status, ran.installed]).toEqual([0, []]);
      for (const option of ["--version", "--to", "--from", "WHARF_INSTALL_DIR"])
        expect(ran.out).toContain(option);
      const refused = await install({ release, shell, args: ["--form", release] });
      expect([refused.status, refused.installed]).toEqual([1, []]);
      expect(refused.errors).toContain("--form");
    });

    test("does nothing if it arrives in part", async () => {
      const script = readFileSync(join(release, "install.sh"), "utf8");
      const ends = Array.from(script.matchAll(/\n/g), ({ index }) => index);
      const [before_last, last] = ends.slice(-2) as [number, number];
      // After each line, and within the last one.
      const cuts = [
        ...ends.slice(0, -1),
        ...Array.from({ length: last - before_last }, (_, n) => before_last + n),
      ];
      const [part, home] = [join(newFolder(), "install.sh"), newFolder()];
      for (const cut of cuts) {
        writeFileSync(part, script.slice(0, cut));
        const env = { HOME: home, PATH: process.env.PATH, WHARF_DOWNLOAD_URL: release };
        Bun.spawnSync([...shell, part], { env });
      }
      expect([...new Bun.Glob("**").scanSync({ cwd: home, dot: true, onlyFiles: false })]).toEqual([]);
    });
  },
);

test.skipIf(lacks("the style of install.sh", "shellcheck"))("shellcheck finds no fault", () => {
  const { stdout } = Bun.spawnSync(["shellcheck", "--shell", "sh", join(release, "install.sh")]);
  expect(stdout.toString()).toBe("");
});

test.skipIf(lacks("install.sh without root", "dash", "setpriv"))(
  "a user without rights installs",
  async () => {
    const shell = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "dash"];
    const home = homeOfNobody();
    const ran = await install({ release, shell, home, args: ["--from", release] });
    expect([ran.status, ran.errors, ran.installed, ran.left]).toEqual([0, "", ["wharf"], []]);

    const refused = await install({
      release,
      shell,
      home,
      args: ["--from", release, "--to", "/usr/local/bin"],
    });
    expect([refused.status, refused.left]).toEqual([1, []]);
    expect(refused.errors).toContain("Name another folder: --to DIR");
  },
);

const lacks_dash = lacks("install.sh on systems", "dash");

interface Machine {
  system: string;
  cpu: string;
  /** What `ldd --version` prints. */
  libc?: string;
  bits?: string;
  rosetta?: boolean;
  /** Whether the CPU has SSE4.2. */
  sse?: boolean;
}
const [glibc, musl] = ["ldd (Debian GLIBC 2.36) 2.36", "musl libc (x86_64)"];

/** A PATH with programs that answer as those of `machine`. */
const pathOf = ({ system, cpu, libc = "", bits = "64", rosetta = false, sse = true }: Machine): string =>
  programsFolder(["sha256sum"], {
    uname: `case $1 in -s) echo ${system} ;; -m) echo ${cpu} ;; esac`,
    ldd: `echo "${libc}" >&2`,
    getconf: `echo ${bits}`,
    sysctl: `echo ${rosetta ? 1 : 0}`,
    grep: `for file; do :; done; [ "$file" != /proc/cpuinfo ] || exit ${sse ? 0 : 1}; exec ${Bun.which("grep")} "$@"`,
  });

describe.skipIf(lacks_dash)("on each system", () => {
  const machines: [target: string, machine: Machine][] = [
    ["linux-x64", { system: "Linux", cpu: "x86_64", libc: glibc }],
    ["linux-x64-musl", { system: "Linux", cpu: "x86_64", libc: musl }],
    ["linux-arm64", { system: "Linux", cpu: "aarch64", libc: glibc, sse: false }],
    ["linux-arm64-musl", { system: "Linux", cpu: "aarch64", libc: musl, sse: false }],
    ["darwin-arm64", { system: "Darwin", cpu: "arm64" }],
    ["darwin-x64", { system: "Darwin", cpu: "x86_64" }],
    ["darwin-arm64", { system: "Darwin", cpu: "x86_64", rosetta: true }],
  ];

  test.each(machines)("takes the build %s for %j", async (target, machine) => {
    const ran = await install({ release, path: pathOf(machine), args: ["--from", release] });
    expect([ran.status, ran.errors, ran.installed]).toEqual([0, "", ["wharf"]]);
    expect(ran.out).toContain(`Taking wharf-${target}.tar.gz from ${release}\n`);
    expect(ran.out).toContain(`Wharf ${version} (${target})`);
    const { experimental } = targets.find(({ name }) => name === target)!;
    expect(ran.out.includes("experimental")).toBe(experimental);
  });

  test("there is a machine here for every build but that for Windows", () => {
    const all = targets.filter(({ os }) => os !== "win32").map(({ name }) => name);
    expect([...new Set(machines.map(([target]) => target))].sort()).toEqual(all.toSorted());
  });

  const from_source = `git clone ${places.repository}`;
  const refused: [Machine, string][] = [
    [{ system: "FreeBSD", cpu: "amd64" }, from_source],
    [{ system: "Linux", cpu: "riscv64", libc: glibc }, from_source],
    [{ system: "Linux", cpu: "aarch64", libc: glibc, bits: "32" }, from_source],
    [{ system: "Linux", cpu: "x86_64", libc: glibc, sse: false }, "SSE4.2"],
    [
      { system: "MINGW64_NT-10.0", cpu: "x86_64" },
      `wharf-windows-x64.zip from ${places.repository}/releases/latest`,
    ],
  ];
  test.each(refused)("refuses %j and says what to do", async (machine, advice) => {
    const ran = await install({ release, path: pathOf(machine), args: ["--from", release] });
    expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
    expect(ran.errors).toContain(advice);
  });

  test("installs no program that does not start, and names the library that it lacks", async () => {
    const error = "Error loading shared library libstdc++.so.6: No such file or directory";
    const broken = await fakeRelease(`#!/bin/sh\necho '${error}\nMore.' >&2\nexit 127\n`);
    const path = pathOf({ system: "Linux", cpu: "x86_64", libc: musl });
    const ran = await install({ release: broken, path, args: ["--from", broken] });
    expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
    expect(ran.errors).toContain(`  ${error}\nInstall libstdc++ first`);
  });
});

describe.skipIf(lacks("checksums of install.sh", "dash", "openssl", "shasum", "perl"))("a checksum", () => {
  test.each(["sha256sum", "shasum", "openssl"])("is computed with %s alone", async (program) => {
    const path = programsFolder([program, "perl"]);
    const ran = await install({ release, path, args: ["--from", release] });
    expect([ran.status, ran.errors, ran.installed]).toEqual([0, "", ["wharf"]]);
  });

  test("is needed: without a program for it nothing is installed", async () => {
    const ran = await install({ release, path: programsFolder([]), args: ["--from", release] });
    expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
    expect(ran.errors).toContain("sha256sum, shasum or openssl");
  });

  const damages: [string, (folder: string) => void][] = [
    ["of another archive", (folder) => damage(folder, (name) => appendFileSync(join(folder, name), "x"))],
    ["that is missing", (folder) => writeFileSync(join(folder, "SHA256SUMS"), "")],
    ["whose file is missing", (folder) => rmSync(join(folder, "SHA256SUMS"))],
    ["of an archive that is missing", (folder) => damage(folder, (name) => rmSync(join(folder, name)))],
  ];
  function damage(folder: string, each: (archive: string) => void): void {
    for (const name of new Bun.Glob("*.tar.gz").scanSync(folder)) each(name);
  }

  test.each(damages)("%s: nothing is installed, and an earlier program stays", async (_, damageRelease) => {
    const folder = await fakeRelease();
    damageRelease(folder);
    const ran = await install({ release: folder, args: ["--from", folder] });
    expect([ran.status, ran.installed, ran.left]).toEqual([1, [], []]);
    expect(ran.errors).toContain("Nothing is installed.");

    await install({ release, home: ran.home, args: ["--from", release] });
    const path = join(ran.home, ".local/bin/wharf");
    const before = readFileSync(path, "utf8");
    const again = await install({ release: folder, home: ran.home, args: ["--from", folder] });
    expect([again.status, again.installed, again.left]).toEqual([1, ["wharf"], []]);
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});

test.skipIf(lacks_dash)("takes variables in place of options, and a folder by --to", async () => {
  const [home, bin] = [newFolder(), newFolder()];
  const environment = { WHARF_DOWNLOAD_URL: release, WHARF_INSTALL_DIR: bin };
  const ran = await install({ release, home, environment });
  expect([ran.status, ran.errors, ran.installed]).toEqual([0, "", []]);
  expect(ran.out).toContain(`is installed: ${bin}/wharf\n`);
  // A relative folder, on the PATH.
  const path = `${join(home, "here")}:${process.env.PATH}`;
  const other = await install({ release, home, environment, path, args: ["--to", "here"] });
  expect(other.out).toContain(`is installed: ${join(home, "here")}/wharf\n`);
  expect(other.out).toContain("Start it: wharf\n");
  expect(other.out).not.toContain("PATH");
  // Another program of that name comes first.
  const hidden = await install({
    release,
    home,
    environment,
    path: `${bin}:${path}`,
    args: ["--to", "here"],
  });
  expect(hidden.out).toContain(`which comes first on the PATH: ${bin}/wharf\n`);
  const fish = await install({ release, home, environment: { ...environment, SHELL: "/usr/bin/fish" } });
  expect(fish.out).toContain(`fish_add_path '${bin}'`);
});

test.skipIf(lacks_dash)(
  "refuses a folder that has a folder wharf, and a release of another version",
  async () => {
    const home = newFolder();
    mkdirSync(join(home, ".local/bin/wharf"), { recursive: true });
    const ran = await install({ release, home, args: ["--from", release] });
    expect([ran.status, ran.errors]).toEqual([
      1,
      `install.sh: ${home}/.local/bin/wharf is a folder. Name another place: --to DIR\n`,
    ]);
    const other = await install({ release, args: ["--from", release, "--version", "1.0.0"] });
    expect([other.status, other.installed]).toEqual([1, []]);
    expect(other.errors).toContain(`has version ${version}, not 1.0.0`);
  },
);
