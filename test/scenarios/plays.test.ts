/** Every play in docs/plays runs as it is written, and what it shows comes back. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cannot_run } from "../support/examples.ts";
import { perform, stepsOf } from "../support/plays.ts";
import { startBinary } from "../support/service.ts";

const folder = join(import.meta.dir, "../../docs/plays");
const plays = [...new Bun.Glob("*.md").scanSync(folder)].sort();
const written_base = "http://127.0.0.1:4273";
/** A toss leaves one to two rounds to agree, and waits until its round has ended: three minutes with rounds of the default length. */
const round_seconds = 6;

/** A pattern for what a play shows: "…" is any text within a line, and as a line of its own any lines. */
function patternOf(shown: string): RegExp {
  const lines = shown
    .trimEnd()
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*" : `${line.split("…").map(RegExp.escape).join(".*")}\n`));
  return new RegExp(`^${lines.join("")}$`);
}

describe.skipIf(cannot_run)("docs/plays", () => {
  test.each(plays)("%s runs as it is written, and what it shows comes back", async (play) => {
    const service = await startBinary({ rate_limit: true, round_seconds });
    const text = readFileSync(join(folder, play), "utf8").replaceAll(written_base, service.url);
    const steps = stepsOf(text);
    const shown = await perform(service.url, steps);
    for (const { expected, returned } of shown)
      expect(`${returned.trimEnd()}\n`).toMatch(patternOf(expected));
    // The coin, wherever it is shown.
    const sides = shown.flatMap(
      ({ returned }) => returned.match(/(?<=(?:result|means|drawn).*)"\w+ pays"/g) ?? [],
    );
    expect(new Set(sides).size).toBe(play === "settle-with-a-toss.md" ? 1 : 0);
    expect(shown.length).toBeGreaterThan(3);
    expect(new Set(steps.map(({ actor }) => actor)).size).toBeGreaterThan(1);
    expect(new Set(steps.map(({ language }) => language)).size).toBe(3);
    await service.stop();
  });
});
