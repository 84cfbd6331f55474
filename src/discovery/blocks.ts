/** Documents as blocks: headings, paragraphs, lists, fields and code. Rendered as HTML pages and as markdown. */

import type { Block, DiscoveryDocument, Field, Line, Piece } from "../api/documents.ts";

export const piecesOf = (line: Line): Piece[] => (Array.isArray(line) ? line : [line]);

/** Pieces with commas between them. */
export const joined = (parts: Piece[][]): Piece[] =>
  parts.flatMap((part, i) => (i === 0 ? part : [", ", ...part]));

export const heading = (text: string, id: string): Block => ({ kind: "heading", level: 2, text, id });
export const subheading = (text: string, id: string): Block => ({ kind: "heading", level: 3, text, id });
export const text = (...pieces: Piece[]): Block => ({ kind: "text", line: pieces });
export const list = (items: Line[]): Block => ({ kind: "list", items });
export const fields = (of: string, listed: Field[]): Block => ({ kind: "fields", of, fields: listed });
export const shell = (lines: string): Block => ({ kind: "code", language: "bash", text: lines });
export const json = (value: unknown): Block => ({
  kind: "code",
  language: "json",
  text: JSON.stringify(value, null, 2),
});

/** The document as markdown. Escapes nothing: do not put text from callers into a document. */
export const markdownOf = ({ title, description, blocks }: DiscoveryDocument): string =>
  [`# ${title}`, description, ...blocks.map(blockMarkdown).filter(Boolean)].join("\n\n") + "\n";

function blockMarkdown(block: Block): string {
  const { kind } = block;
  if (kind === "try") return "";
  if (kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
  if (kind === "text") return lineMarkdown(block.line);
  if (kind === "list") return block.items.map((item) => `- ${lineMarkdown(item)}`).join("\n");
  if (kind === "code") return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
  return block.fields
    .map(({ name, type, about }) => {
      const typed = type === "" ? "" : ` ${lineMarkdown(type)}`;
      return `- \`${name}\`${typed}${about && `: ${about}`}`;
    })
    .join("\n");
}

/** Running text as markdown. */
const lineMarkdown = (line: Line): string => piecesOf(line).map(pieceMarkdown).join("");

/** Neither code nor references within the document become links: the tokens of such links cost more than they help. */
function pieceMarkdown(piece: Piece): string {
  if (typeof piece === "string") return piece;
  if ("code" in piece) return `\`${piece.code}\``;
  return piece.href.startsWith("#") ? piece.text : `[${piece.text}](${piece.href})`;
}
