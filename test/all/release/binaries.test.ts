/** The executables of a release: those for Linux serve, and foreign programs check the format of all. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json" with { type: "json" };
import { releaseFacts } from "../../../scripts/release/facts.ts";
import { targets } from "../../../scripts/release/targets.ts";
import { muslLibraries, python_of_lief, rootOfArm64 } from "../../support/foreign_systems.ts";
import { lacks, printSkipped } from "../../support/programs.ts";
import { install_timeout_ms } from "../../support/python.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";
import { newDirectory, removeDirectory, startProgram } from "../../support/service.ts";

const lacks_programs =
  lacks_release ||
  (process.arch !== "x64" && printSkipped("the executables of a release", "this is no machine with x64")) ||
  lacks(
    "the executables of a release",
    ...[
      "apt-get",
      "ld-musl-config",
      "python3",
      "qemu-aarch64-static",
      "qemu-x86_64-static",
      "readelf",
      "unzip",
    ],
  );

describe.skipIf(lacks_programs)("the executables of a release", () => {
  const directory = newDirectory();
  afterAll(() => removeDirectory(directory));

  const run = (...command: string[]): string => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: directory });
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  };

  /** The executable for a target as it came out of its archive. */
  const unpacked = (name: string): string => join(directory, `wharf-${name}/wharf`);

  beforeAll(async () => {
    const folder = await release();
    for (const { name, os } of targets) {
      if (os === "win32") run("unzip", "-q", join(folder, `wharf-${name}.zip`));
      else run("tar", "-xzf", join(folder, `wharf-${name}.tar.gz`));
    }
  }, release_timeout_ms);

  test("are in archives with the documents, and for Linux with the units of systemd", () => {
    for (const { name, os, exe } of targets) {
      const folder = join(directory, `wharf-${name}`);
      const units = os === "linux" ? ["wharf.service", "wharf.socket"] : [];
      const files = ["CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY_LICENSES", `wharf${exe}`, ...units];
      expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
      for (const file of files) {
        const mode = file === "wharf" ? 0o755 : 0o644;
        if (os !== "win32") expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, mode]);
      }
    }
  });

  describe("serve", () => {
    const x64_without_avx = ["qemu-x86_64-static", "-cpu", "Nehalem"];
    const libraries = (cpu: "x86_64" | "aarch64") => `LD_LIBRARY_PATH=${muslLibraries(cpu)}`;
    const ways: [string, string, () => string[]][] = [
      ["on this machine", "linux-x64", () => []],
      ["on a processor without AVX", "linux-x64", () => x64_without_avx],
      ["with musl", "linux-x64-musl", () => ["env", libraries("x86_64")]],
      [
        "with musl on a processor without AVX",
        "linux-x64-musl",
        () => [...x64_without_avx, "-E", libraries("x86_64")],
      ],
      ["on arm64", "linux-arm64", () => ["qemu-aarch64-static", "-L", rootOfArm64()]],
      [
        "with musl on arm64",
        "linux-arm64-musl",
        () => ["qemu-aarch64-static", "-L", rootOfArm64(), "-E", libraries("aarch64")],
      ],
    ];

    // Installs what the others run with.
    beforeAll(() => {
      rootOfArm64();
      muslLibraries("x86_64");
      muslLibraries("aarch64");
    }, install_timeout_ms);

    for (const [where, name, way] of ways) {
      test(`${name}: ${where}`, async () => {
        const service = await startProgram([...way(), unpacked(name)], {}, {}, directory);
        const answer = await fetch(`${service.url}/healthz`);
        expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
        await service.stop();
        expect(service.process.exitCode).toBe(0);
      });
    }

    test("say what they were built from", () => {
      const { commit } = releaseFacts()!;
      for (const [, name, way] of ways.filter(([where]) => !where.includes("without AVX"))) {
        const facts = JSON.parse(run(...way(), unpacked(name), "version", "--json")) as object;
        expect(facts).toMatchObject({ version, commit, target: name, bun: Bun.version });
      }
    });

    test("not on a processor without SSE4.2, which shows that the processor counts", () => {
      const { signalCode, exitCode, stderr } = Bun.spawnSync(
        ["qemu-x86_64-static", "-cpu", "core2duo", unpacked("linux-x64"), "version"],
        { cwd: directory },
      );
      expect([signalCode, exitCode === 0]).toEqual(["SIGILL", false]);
      expect(stderr.toString()).toContain("Illegal instruction");
    });
  });

  test("for glibc need no version newer than 2.17", () => {
    for (const { name } of targets.filter(({ libc }) => libc === "glibc")) {
      const versions =
        run("readelf", "--version-info", "--wide", unpacked(name)).match(/\bGLIBC_[\d.]+/g) ?? [];
      const minors = versions.map((version) => Number(/^GLIBC_2\.(\d+)/.exec(version)![1]));
      expect(Math.max(...minors)).toBe(17);
    }
  });

  test("need libraries of C alone; with musl libstdc++, too", () => {
    for (const { name, libc, cpu } of targets.filter(({ os }) => os === "linux")) {
      const needed = Array.from(
        run("readelf", "--dynamic", "--wide", unpacked(name)).matchAll(/\(NEEDED\).*\[(.+)\]/g),
        ([, library]) => library!,
      );
      const musl = ["libc.musl-", "libstdc++.so."];
      const glibc = ["ld-linux-", "libc.so.", "libdl.so.", "libm.so.", "libpthread.so."];
      const expected = libc === "musl" ? musl : glibc;
      expect([name, needed.toSorted().map((library, at) => library.startsWith(expected[at]!))]).toEqual([
        name,
        expected.map(() => true),
      ]);
      const interpreter = run("readelf", "--program-headers", unpacked(name)).match(
        /interpreter: (.+)\]/,
      )![1];
      const loader = {
        x64: ["ld-linux-x86-64.so.2", "ld-musl-x86_64.so.1"],
        arm64: ["ld-linux-aarch64.so.1", "ld-musl-aarch64.so.1"],
      };
      expect(interpreter).toEndWith(loader[cpu][libc === "musl" ? 1 : 0]!);
    }
  });

  test("for Windows is a program for the console of x64, with the right checksum and no signature of another", () => {
    const script = `
import json, lief, sys
lief.logging.disable()
pe = lief.PE.parse(sys.argv[1])
print(json.dumps({
  "machine": pe.header.machine.name,
  "subsystem": pe.optional_header.subsystem.name,
  "checksum": pe.optional_header.checksum == pe.compute_checksum(),
  "layout": lief.PE.check_layout(pe)[0],
  "signatures": len(pe.signatures),
}))`;
    const look = (file: string) => JSON.parse(run(python_of_lief(), "-c", script, file)) as unknown;
    const whole = { machine: "AMD64", subsystem: "WINDOWS_CUI", checksum: true, layout: true, signatures: 0 };
    const path = `${unpacked("windows-x64")}.exe`;
    expect(look(path)).toEqual(whole);
    mkdirSync(join(directory, "changed"));
    const changed = join(directory, "changed/wharf.exe");
    run("cp", path, changed);
    run(
      "dd",
      "if=/dev/zero",
      `of=${changed}`,
      "conv=notrunc",
      "bs=4096",
      "count=1",
      "seek=20000",
      "status=none",
    );
    expect(look(changed)).toEqual({ ...whole, checksum: false });
  }, 300_000);
});
