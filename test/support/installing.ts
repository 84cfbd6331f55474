/** Runs install.sh as its users do: in a shell, with the programs of a PATH, in an empty home directory. */

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newDirectory, removeDirectory } from "./service.ts";

const folders: string[] = [];

/** Creates a folder that every user can read. */
export function newFolder(): string {
  const folder = newDirectory();
  folders.push(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/** Deletes all these folders. */
export const removeFolders = (): void => folders.splice(0).forEach(removeDirectory);

/** What install.sh needs of a system, without the programs that download and those that make checksums. */
const base_programs = ["cat", "chmod", "cp", "grep", "gzip", "mkdir", "mktemp", "mv", "rm", "tar", "uname"];

/** The ids of the user "nobody". */
export const nobody = 65534;

/** Creates a folder for a PATH with those programs, the `named` ones, and `stubs`: scripts in place of programs. */
export function programsFolder(named: string[], stubs: Record<string, string> = {}): string {
  const folder = newFolder();
  for (const name of [...base_programs, ...named]) {
    if (!(name in stubs)) symlinkSync(Bun.which(name)!, join(folder, name));
  }
  for (const [name, script] of Object.entries(stubs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

export interface Installing {
  /** The folder of install.sh. */
  release: string;
  /** How the script is started; default: dash. */
  shell?: string[];
  args?: string[];
  /** The PATH; default: that of the tests. */
  path?: string;
  /** The home directory, new by default. */
  home?: string;
  environment?: Record<string, string>;
}

/** Starts install.sh in a process group of its own. `home` is its home directory, `temporary` the one for its temporary files. */
export function startInstall({ release, shell, args, path, home, environment }: Installing) {
  const home_directory = home ?? newFolder();
  const temporary = join(home_directory, "tmp");
  mkdirSync(temporary, { recursive: true });
  const process_started = Bun.spawn(
    [...(shell ?? [Bun.which("dash")!]), join(release, "install.sh"), ...(args ?? [])],
    {
      cwd: home_directory,
      env: { HOME: home_directory, TMPDIR: temporary, PATH: path ?? process.env.PATH, ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    },
  );
  return { process: process_started, home: home_directory, temporary };
}

/** What install.sh did: its status and output, the files in its home directory, and those that it left in the temporary one. */
export async function install(installing: Installing) {
  const { process, home, temporary } = startInstall(installing);
  const [status, out, errors] = await Promise.all([
    process.exited,
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
  ]);
  const [installed, left] = [join(home, ".local/bin"), readdirSync(temporary)];
  return { status, out, errors, home, left, installed: existsSync(installed) ? readdirSync(installed) : [] };
}

/** Gives a new home directory to the user "nobody". */
export function homeOfNobody(): string {
  const home = newFolder();
  mkdirSync(join(home, "tmp"));
  for (const path of [home, join(home, "tmp")]) chownSync(path, nobody, nobody);
  return home;
}
