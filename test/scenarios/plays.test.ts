/** Every play in docs/plays runs as it is written, and what it shows comes back. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cannot_run } from "../support/examples.ts";
import { perform, stepsOf, type Shown, type Step } from "../support/plays.ts";
import { FakeClock } from "../support/clock.ts";
import { startBinary, startSource, type SourceService, type TestService } from "../support/service.ts";

const folder = join(import.meta.dir, "../../docs/plays");
const plays = [...new Bun.Glob("*.md").scanSync(folder)].sort();
const written_base = "http://127.0.0.1:4273";
/** The play that waits for a round. Its clock stands while both agree, however long that takes. */
const play_of_toss = "settle-with-a-toss.md";

/** Advances the clock of a service while a call waits, until `ended` aborts. */
async function advanceWaits({ open, clock }: SourceService, ended: AbortSignal): Promise<void> {
  for (; !ended.aborted; await Bun.sleep(10)) if (open().waits > 0) clock.advance(10);
}

/** Performs a play at a service of its own. */
async function performed(play: string): Promise<{ steps: Step[]; shown: Shown[] }> {
  const performAt = async ({ url }: TestService) => {
    const text = readFileSync(join(folder, play), "utf8").replaceAll(written_base, url);
    const steps = stepsOf(text);
    return { steps, shown: await perform(url, steps) };
  };
  if (play !== play_of_toss) {
    const service = await startBinary({ rate_limit: true });
    const played = await performAt(service);
    await service.stop();
    return played;
  }
  const service = await startSource({ rate_limit: true }, new FakeClock(new Date(Date.now()).toISOString()));
  const ended = new AbortController();
  const advancing = advanceWaits(service, ended.signal);
  const played = await performAt(service).finally(() => ended.abort());
  await advancing;
  await service.stop();
  return played;
}

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
    const { steps, shown } = await performed(play);
    for (const { expected, returned } of shown)
      expect(`${returned.trimEnd()}\n`).toMatch(patternOf(expected));
    // The coin, wherever it is shown.
    const sides = shown.flatMap(
      ({ returned }) => returned.match(/(?<=(?:result|means|drawn).*)"\w+ pays"/g) ?? [],
    );
    expect(new Set(sides).size).toBe(play === play_of_toss ? 1 : 0);
    expect(shown.length).toBeGreaterThan(3);
    expect(new Set(steps.map(({ actor }) => actor)).size).toBeGreaterThan(1);
    expect(new Set(steps.map(({ language }) => language)).size).toBe(3);
  });
});
