/** The checksums of a release, checked by coreutils. */

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

describe.skipIf(lacks_release)("SHA256SUMS", () => {
  let folder: string;
  beforeAll(async () => void (folder = await release()), release_timeout_ms);

  const check = (directory: string) =>
    Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: directory });

  test("has a line for every file but itself and the unpacked executables, and sha256sum finds all correct", () => {
    const { exitCode, stdout } = check(folder);
    expect(exitCode).toBe(0);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => name !== "SHA256SUMS" && !name.startsWith("bin/"));
    const correct = stdout.toString().trim().split("\n");
    expect(correct.toSorted()).toEqual(files.map((name) => `${name}: OK`).toSorted());
  });

  test("does not match a file with one changed byte", () => {
    const copy = newDirectory();
    const name = "wharf-linux-x64.tar.gz";
    const line = readFileSync(join(folder, "SHA256SUMS"), "utf8")
      .split("\n")
      .find((line) => line.endsWith(`  ${name}`));
    writeFileSync(join(copy, "SHA256SUMS"), `${line}\n`);
    cpSync(join(folder, name), join(copy, name));
    expect(check(copy).exitCode).toBe(0);
    const bytes = readFileSync(join(copy, name));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(copy, name), bytes);
    expect(check(copy).exitCode).toBe(1);
    removeDirectory(copy);
  });
});
