/** What the results of tools say in words: their members as lines. */

import type { Told } from "./tool.ts";

/**
 * The members of a result, a line each. For what cannot be mistaken for anything else: times, numbers, the service's own
 * words, and names that are checked letter by letter. Other texts of strangers stand in a fence.
 */
export const memberLines = (members: object): string[] =>
  Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`);

/** The same in one line, as an item of a list. */
export const memberLine = (members: object): string => `- ${memberLines(members).join(" · ")}`;

export const receiptLine = (receipt: string): string => `Receipt (anyone can check it): ${receipt}`;

/** A result that is told by the lines of its members, and the next call. */
export function toldMembers<Output extends { next: string }>(structured: Output): Told<Output> {
  const { next, ...members } = structured;
  return { structured, text: [...memberLines(members), `Next: ${next}`].join("\n") };
}
