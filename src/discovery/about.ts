/** The sentences about the operator of the instance: title, contact and terms of use. */

import type { About } from "../core/about.ts";

/** Escapes what Markdown reads as its own. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>]/g, String.raw`\$&`);

/** The sentences, each from the text `shown` of a value. Empty if nothing is set. */
function sentences(
  { title, contact, terms_url }: About,
  shown: { text(text: string): string; address(address: string): string },
): string[] {
  return [
    ...(title === null ? [] : [`This instance is called ${shown.text(title)}.`]),
    ...(contact === null ? [] : [`Contact: ${shown.address(contact)}`]),
    ...(terms_url === null ? [] : [`Terms of use: ${shown.address(terms_url)}`]),
  ];
}

/** A paragraph of Markdown with the lines after it; empty if nothing is set. */
export function aboutMarkdown(about: About): string {
  const lines = sentences(about, { text: escaped, address: (address) => `<${address}>` });
  return lines.length === 0 ? "" : `${lines.join("\\\n")}\n\n`;
}

/** Added to the instructions of MCP; empty if nothing is set. */
export const aboutInstruction = (about: About): string =>
  sentences(about, { text: String, address: String })
    .map((line) => `\n${line}`)
    .join("");
