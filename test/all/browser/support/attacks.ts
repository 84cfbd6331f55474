/** Texts that try to run scripts, alone and packed into fields of any length. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdown_attacks } from "../../../fixtures/xss/markdown.ts";

const fixtures = join(import.meta.dir, "../../../fixtures/xss");
const corpus = JSON.parse(readFileSync(join(fixtures, "brs-kb.json"), "utf8")) as string[];

export const attacks: string[] = [...markdown_attacks, ...corpus];

/**
 * The texts joined to fields of at most `chars_max` characters. Where everything is escaped, a text cannot hide the next one;
 * where something is not, the first text that gets through is a fault.
 */
export function packed(texts: readonly string[], chars_max: number): string[] {
  const fields: string[] = [];
  let field = "";
  for (const text of texts.filter(({ length }) => length <= chars_max)) {
    const longer = field === "" ? text : `${field} ${text}`;
    if (longer.length <= chars_max) {
      field = longer;
      continue;
    }
    fields.push(field);
    field = text;
  }
  return field === "" ? fields : [...fields, field];
}

/** At most `count` of the texts, spread evenly. */
export const sampleOf = <Item>(all: readonly Item[], count: number): Item[] =>
  all.filter((_, i) => i % Math.ceil(all.length / count) === 0);
