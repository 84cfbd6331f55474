/** What executables for other processors and for musl need to run here: libraries of C and C++, in `.venvs`. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environments, makeAlone, pythonWith } from "./python.ts";

/** The Python packages that tests of executables use. */
export const python_of_lief = () => pythonWith("1.0.0", "lief");
export const python_of_apple_platform = () => pythonWith("0.1.0", "apple-platform-py");

/**
 * Wheels that bring libstdc++ and libgcc of Alpine, which Debian does not have for musl. These were linked without RELR
 * relocations, which musl understands since 1.2.4: Debian 12 has 1.2.3.
 */
const wheels = {
  x86_64: {
    requirement: "pikepdf==8.5.0",
    python: "3.11",
    sha256: "ec6e814a324ae30e289c65afdb07cd79977da54d1931eacfb81d8a96bb035fbf",
  },
  aarch64: {
    requirement: "ujson==5.10.0",
    python: "3.12",
    sha256: "6e32abdce572e3a8c3d02c886c704a38a1b015a1fb858004e03d20ca7cecbb21",
  },
};

function run(command: string[], cwd: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stdout.toString()}${stderr.toString()}`);
}

/** The folder `name`, which `fill` fills in if there is none. */
function madeOnce(name: string, fill: (folder: string) => void): string {
  const folder = join(environments, name);
  makeAlone(name, () => {
    if (existsSync(folder)) return;
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    fill(unfinished);
    renameSync(unfinished, folder);
  });
  return folder;
}

/** A folder with libstdc++.so.6 and libgcc for musl on a processor: a value of LD_LIBRARY_PATH. */
export const muslLibraries = (cpu: keyof typeof wheels): string =>
  madeOnce(`musl-libraries-${cpu}`, (folder) => {
    const { requirement, python, sha256 } = wheels[cpu];
    const of_lief = python_of_lief();
    writeFileSync(join(folder, "requirements.txt"), `${requirement} --hash=sha256:${sha256}\n`);
    run(
      [
        ...[of_lief, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"],
        ...["--only-binary=:all:", "--require-hashes", "--requirement", "requirements.txt"],
        ...["--platform", `musllinux_1_2_${cpu}`, "--python-version", python],
      ],
      folder,
    );
    const name = readdirSync(folder).find((name) => name.endsWith(".whl"))!;
    run([of_lief, "-m", "zipfile", "-e", name, "."], folder);
    const libraries = readdirSync(folder).find((name) => name.endsWith(".libs"))!;
    for (const library of readdirSync(join(folder, libraries))) {
      if (!/^lib(?:stdc\+\+|gcc_s)-/.test(library)) continue;
      renameSync(join(folder, libraries, library), join(folder, library));
      if (library.startsWith("libstdc++")) symlinkSync(library, join(folder, "libstdc++.so.6"));
    }
  });

/** The root of a Linux for arm64 with both C libraries, from Debian's packages: a value of `qemu-aarch64-static -L`. */
export const rootOfArm64 = (): string =>
  madeOnce("root-arm64", (folder) => {
    // Lists of its own, so that the machine's apt learns of no other processor.
    const lists = join(folder, "lists");
    mkdirSync(join(lists, "partial"), { recursive: true });
    const apt = [
      ...["apt-get", "-qq", "-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64"],
      ...[
        "-o",
        `Dir::State::Lists=${lists}`,
        "-o",
        "Dir::Cache::pkgcache=",
        "-o",
        "Dir::Cache::srcpkgcache=",
      ],
    ];
    run([...apt, "update"], folder);
    run([...apt, "download", "libc6", "musl"], folder);
    for (const name of new Bun.Glob("*.deb").scanSync(folder)) run(["dpkg-deb", "-x", name, folder], folder);
    rmSync(lists, { recursive: true });
  });
