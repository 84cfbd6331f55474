/** The tests of the Postgres engine with the server of Debian: in Debian 12 it is 15, the oldest release that is supported. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { printSkipped } from "../../support/programs.ts";

const folder = "/usr/lib/postgresql";
const [version] = existsSync(folder) ? readdirSync(folder).sort() : [];
const programs = version && join(folder, version, "bin");
const is_missing =
  programs === undefined &&
  printSkipped("Postgres of Debian", "missing (Debian: apt-get install postgresql)");

test.skipIf(is_missing)(
  "the Postgres engine works with the server of Debian",
  async () => {
    const child = Bun.spawn(
      [
        process.execPath,
        "test",
        "--timeout",
        "300000",
        "test/storage/postgres",
        "test/doctor/postgres.test.ts",
        ...["copy", "cut_off", "place", "presence", "shared_limits"].map(
          (name) => `test/all/postgres/${name}.test.ts`,
        ),
      ],
      {
        cwd: join(import.meta.dir, "../../.."),
        env: { ...process.env, WHARF_TEST_POSTGRES: programs! },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [output, errors, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    // The test runner reports on standard error.
    expect([status, errors.match(/^\(fail\).*$/gm)]).toEqual([0, null]);
    expect(Number(/(\d+) pass/.exec(errors)?.[1]), output).toBeGreaterThan(20);
  },
  1_200_000,
);
