/** The shell lines of the README that check the beacon: taken out of it and run as they stand. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, removeDirectory, startBinary } from "./support/service.ts";

const readme = readFileSync(join(import.meta.dir, "../README.md"), "utf8");

test("they reproduce a round, a draw, a number, a proof and a signature", async () => {
  const script = /```bash beacon\n([\s\S]+?)```/.exec(readme)![1]!;
  expect(script).toContain("http://127.0.0.1:4273");
  const service = await startBinary();
  const directory = newDirectory();
  const shell = Bun.spawn(
    ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:4273", service.url)],
    {
      cwd: directory,
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, faults] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  await service.stop();
  removeDirectory(directory);
  expect(faults).toBe("");
  const lines = out.trim().split("\n");
  const [commit, said_commit, hex, said_hex, number, said_number, root, said_root, signed_root, signature] =
    lines;
  expect(commit!.slice(0, 64)).toBe(said_commit!);
  expect(hex).toBe(said_hex!);
  expect(Number(number)).toBeWithin(1, 7);
  expect(number).toBe(said_number!);
  expect(root).toMatch(/^[0-9a-f]{64}$/);
  expect([said_root, signed_root]).toEqual([root, root]);
  expect(signature).toBe("Signature Verified Successfully");
  expect(lines).toHaveLength(10);
});
