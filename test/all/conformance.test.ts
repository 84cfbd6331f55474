/**
 * The official conformance suite, both eras of the protocol: against the MCP transport with the suite's own fixtures behind
 * it, where everything has to pass, and against the product, where every failure is explained.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { differences, outcomeIn } from "./conformance/product.ts";
import { startFixtures } from "./conformance/server.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";

const root = join(import.meta.dir, "../..");
const baseline = join(import.meta.dir, "conformance/baseline.yml");
/** The time limit of a suite on a slow machine. */
const suite_ms = 120_000;
let fixtures: Awaited<ReturnType<typeof startFixtures>>;

beforeAll(async () => {
  fixtures = await startFixtures();
});
afterAll(() => fixtures.stop());

const older = "@modelcontextprotocol/conformance";
const newer = "conformance-next";

async function runSuite(
  name: string,
  url: string,
  ...options: string[]
): Promise<{ code: number; output: string }> {
  const suite = join(root, "node_modules", name, "dist/index.js");
  const child = Bun.spawn(["bun", suite, "server", "--url", url, ...options], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = (await Promise.all([readAll(child.stdout), readAll(child.stderr)])).join("\n");
  return { code: await child.exited, output };
}

const readAll = (stream: ReadableStream): Promise<string> => new Response(stream).text();

/** Scenarios with a failed check, and the number of scenarios. */
const failedIn = (output: string): string[] =>
  [...output.matchAll(/^✗ ([\w-]+): \d+ passed, [1-9]\d* failed/gm)].map(([, name]) => name!);
const countIn = (output: string): number => [...output.matchAll(/^[✓✗] [\w-]+: \d+ passed/gm)].length;

test(
  "passes every scenario of the suite for 2025-11-25 and older",
  async () => {
    const { code, output } = await runSuite(older, fixtures.url, "--suite", "all");
    expect(failedIn(output)).toEqual([]);
    expect(countIn(output)).toBe(32);
    expect(code).toBe(0);
  },
  suite_ms,
);

test.each([
  ["2025-11-25", 30],
  ["2026-07-28", 37],
])(
  "passes everything that revision %s requires",
  async (revision, required) => {
    const options = ["--requirements", revision, "--expected-failures", baseline];
    const { code, output } = await runSuite(newer, fixtures.url, ...options);
    const explained = [...(await Bun.file(baseline).text()).matchAll(/^ {2}- (\S+)/gm)].map(
      ([, name]) => name,
    );
    expect(failedIn(output).filter((name) => !explained.includes(name))).toEqual([]);
    expect(countIn(output)).toBeGreaterThanOrEqual(required);
    expect(code).toBe(0);
  },
  suite_ms,
);

test.each([
  ["the suite for 2025-11-25 and older", older, ["--suite", "all"], 32],
  ["the requirements of 2025-11-25", newer, ["--requirements", "2025-11-25"], 33],
  ["the requirements of 2026-07-28", newer, ["--requirements", "2026-07-28"], 45],
] as const)(
  "the product: %s fails where the baseline explains it, and nowhere else",
  async (_what, name, options, scenarios) => {
    const service = await startSource();
    const results = newDirectory();
    const { output } = await runSuite(name, `${service.url}/mcp`, ...options, "--output-dir", results);
    const outcome = outcomeIn(results);
    expect(outcome.ran.size, output).toBeGreaterThanOrEqual(scenarios);
    expect(differences(outcome)).toEqual({ unexplained: [], passing: [] });
    removeDirectory(results);
    await service.stop();
  },
  suite_ms,
);
