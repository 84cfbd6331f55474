/** A release for tests of install.sh, made in a moment: its programs are scripts that print a version. */

import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tarGz } from "../../scripts/release/archives.ts";
import { writeInstaller } from "../../scripts/release/installer.ts";
import { writeSums } from "../../scripts/release/sums.ts";
import { targets } from "../../scripts/release/targets.ts";

const time_seconds = 1_700_000_000;

/** Writes a release of `version` into `folder`, with an archive for each system but Windows; `program` is the text of all programs. */
export async function writeFakeRelease(
  folder: string,
  version: string,
  program = `#!/bin/sh\necho ${version}\n`,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name } of targets.filter(({ os }) => os !== "win32")) {
    await tarGz(
      [{ name: `wharf-${name}/wharf`, mode: 0o755, data: Buffer.from(program) }],
      join(folder, `wharf-${name}.tar.gz`),
      time_seconds,
    );
  }
  writeInstaller(folder, { version, commit: "0".repeat(40), commit_time_seconds: time_seconds });
  writeSums(folder);
  // Services that ran in this process before have left it with a umask under which others cannot read what it writes.
  for (const name of readdirSync(folder))
    chmodSync(join(folder, name), name === "install.sh" ? 0o755 : 0o644);
  chmodSync(folder, 0o755);
}
