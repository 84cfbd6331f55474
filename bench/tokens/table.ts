/** The section of RESULTS.md about tokens. */

import { cells } from "../table.ts";
import type { Measure } from "./count.ts";
import { measureOthers, measureTokens, text_tokens } from "./measure.ts";
import { sample } from "./sample.ts";

export const heading = "## Tokens";

/** With one decimal place below 100. */
const shown = (tokens: number): string =>
  (tokens < 100 ? Math.round(tokens * 10) / 10 || 0 : Math.round(tokens)).toLocaleString("en");

/** How much a budget may be exceeded. The test of the budgets fails beyond it. */
export const tolerance = 1.05;

export const isOver = ({ tokens, budget = Infinity }: Measure): boolean => tokens > budget * tolerance;

function verdict(measure: Measure): string {
  const { tokens, budget } = measure;
  if (budget === undefined) return "";
  return `≤ ${shown(budget)} ${tokens <= budget ? "met" : isOver(measure) ? "**missed**" : "met within 5 %"}`;
}

/** Measures, and returns the section. */
export async function tokensSection(): Promise<string> {
  const own = await measureTokens();
  const others = measureOthers();
  return [
    heading,
    `Tokens of o200k_base, of the source in this directory; two runs give the same numbers, but for the random values of the beacon (1 %). The sample is a conversation of ${sample.length} posts ` +
      `by five speakers, whose texts have ${shown(text_tokens)} tokens (\`bench/tokens/sample.ts\`). What stands around a post is the whole answer ` +
      "without the texts (the goal of the room and the posts), divided by the posts. Addresses begin with https://wharf.example.",
    [
      cells(["what", "tokens", "budget"]),
      cells(["---", "---", "---"]),
      ...own.map((measure) => cells([measure.what, shown(measure.tokens), verdict(measure)])),
    ].join("\n"),
    "The same sample as other services return it, from the shapes that they document (`bench/tokens/others.ts`):",
    [
      cells(["service", "tokens around a post", "documented in"]),
      cells(["---", "---", "---"]),
      ...others.map(({ what, tokens, documented }) => cells([what, shown(tokens), documented])),
    ].join("\n"),
  ].join("\n\n");
}
