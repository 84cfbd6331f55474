/** Documents as blocks: headings, paragraphs, lists, tables and code. Rendered as HTML pages and as markdown. */

/** A piece of running text: plain, code, or a link. */
export type Piece = string | { code: string; href?: string } | { text: string; href: string };
/** Running text. */
export type Line = Piece | Piece[];
export const piecesOf = (line: Line): Piece[] => (Array.isArray(line) ? line : [line]);

export type Block =
  /** `id`: the anchor of the heading in its page. */
  | { kind: "heading"; level: 2 | 3; text: string; id: string }
  | { kind: "text"; line: Line }
  | { kind: "list"; items: Line[] }
  | { kind: "table"; head: string[]; rows: Line[][] }
  /** `language`: the language after the markdown fence, such as bash or json. */
  | { kind: "code"; language: string; text: string };

export interface DiscoveryDocument {
  title: string;
  /** One sentence. */
  description: string;
  blocks: Block[];
}

export const heading = (text: string, id: string): Block => ({ kind: "heading", level: 2, text, id });
export const subheading = (text: string, id: string): Block => ({ kind: "heading", level: 3, text, id });
export const text = (...pieces: Piece[]): Block => ({ kind: "text", line: pieces });
export const list = (items: Line[]): Block => ({ kind: "list", items });
export const table = (head: string[], rows: Line[][]): Block => ({ kind: "table", head, rows });
export const shell = (lines: string): Block => ({ kind: "code", language: "bash", text: lines });
export const json = (value: unknown): Block => ({
  kind: "code",
  language: "json",
  text: JSON.stringify(value, null, 2),
});

/** The document as markdown. Escapes nothing: do not put text from callers into a document. */
export const markdownOf = ({ title, description, blocks }: DiscoveryDocument): string =>
  [`# ${title}`, `> ${description}`, ...blocks.map(blockMarkdown)].join("\n\n") + "\n";

function blockMarkdown(block: Block): string {
  const { kind } = block;
  if (kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
  if (kind === "text") return lineMarkdown(block.line);
  if (kind === "list") return block.items.map((item) => `- ${lineMarkdown(item)}`).join("\n");
  if (kind === "code") return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
  return [block.head, block.head.map(() => "---"), ...block.rows.map((row) => row.map(cellMarkdown))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const lineMarkdown = (line: Line): string => piecesOf(line).map(pieceMarkdown).join("");

const cellMarkdown = (line: Line): string => lineMarkdown(line).replaceAll("|", "\\|");

function pieceMarkdown(piece: Piece): string {
  if (typeof piece === "string") return piece;
  const shown = "code" in piece ? `\`${piece.code}\`` : piece.text;
  return piece.href === undefined ? shown : `[${shown}](${piece.href})`;
}
