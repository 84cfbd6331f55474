/** The shell blocks of docs/dev.md run as a reader would copy them. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lacks_binary } from "../support/binary.ts";
import { startDev } from "../support/dev.ts";
import { blocksOf, cannot_run, runBlocks } from "../support/examples.ts";

const text = readFileSync(join(import.meta.dir, "../../docs/dev.md"), "utf8");

test.skipIf(cannot_run || lacks_binary)("every call in them succeeds", async () => {
  const { url } = await startDev();
  const blocks = blocksOf(text.replaceAll("http://127.0.0.1:4273", url));
  expect(blocks.filter(({ language }) => language !== "bash")).toEqual([]);
  const ran = await runBlocks(blocks.map((block) => block.text));
  expect(ran.faults).toBe("");
  expect(ran.calls.filter(({ status }) => status > 299)).toEqual([]);
  expect([ran.exit_code, ran.outputs.length]).toEqual([0, blocks.length]);
  expect(ran.calls.length).toBeGreaterThanOrEqual(10);
});
