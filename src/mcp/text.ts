/** The text results of tools: the members of structured results as lines. */

import type { ToolOutput } from "./tool.ts";

/**
 * The members of a result, one per line. Only for values that cannot imitate other text: times, numbers, texts of the service,
 * and names with checked characters. Quote every other text of a stranger.
 */
export function memberLines(members: object): string[] {
  const lines: string[] = [];
  for (const name in members) {
    const value = (members as Record<string, unknown>)[name];
    if (value === undefined) continue;
    lines.push(`${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`);
  }
  return lines;
}

export const receiptLine = (receipt: string): string => `Receipt (anyone can check it): ${receipt}`;

/** A result whose text is the lines of its members, and the next call if it has one. */
export function memberOutput<Output extends object>(structured: Output): ToolOutput<Output> {
  const { next, ...members } = structured as Output & { next?: string };
  const text = [...memberLines(members), ...(next ? [`Next: ${next}`] : [])].join("\n");
  return { structured, text };
}

const chars_per_token = 4;
/** About how many characters (UTF-16 units) fit into `max_tokens`; undefined for no limit. */
export const charsIn = (max_tokens: number | undefined): number | undefined =>
  max_tokens === undefined ? undefined : max_tokens * chars_per_token;
