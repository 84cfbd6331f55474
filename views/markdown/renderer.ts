/**
 * Renders texts of strangers, which may be Markdown, as HTML. markdown-it parses (no raw HTML, no images, no references), our
 * rules write the elements, and sanitize-html removes everything that is not on its list. Import it at the first use only: it takes
 * some milliseconds to load.
 */

import createParser, { type MarkdownIt, type Token } from "markdown-it";
import sanitize from "sanitize-html";
import { revealedHtml } from "../text.ts";
import { budgetOfText, highlighted, token_classes, type Budget } from "./code.ts";

/** A longer text is shown as it is. */
const chars_max = 20_000;
/** A text that is more complicated than this is shown as it is. */
const tokens_max = 3_000;
/** Lines × columns. markdown-it fills up the rows of a table, so a short text could become a huge one. */
const table_cells_max = 2_000;
const nesting_max = 20;

const schemes = /^(?:https?:\/\/|mailto:)/i;

function parser(): MarkdownIt {
  const md = createParser({ html: false, linkify: true, breaks: true, maxNesting: nesting_max });
  // References are not shown where they are defined, so a text could hide words in them.
  md.disable("reference");
  md.validateLink = (url) => schemes.test(url);
  // The text of a link stays as it was written.
  md.normalizeLinkText = (url) => url;
  // Only whole addresses: "page.ts" and "README.md" end in country codes.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  md.core.ruler.push("strangers", ({ tokens }) => {
    adaptHeadings(tokens);
    for (const token of tokens) adapt(token);
  });
  Object.assign(md.renderer.rules, rules);
  return md;
}

/** Headings begin at h3, below the headings of the page, and skip no level. */
function adaptHeadings(tokens: Token[]): void {
  const levels: number[] = [];
  for (const token of tokens) {
    if (token.type !== "heading_open" && token.type !== "heading_close") continue;
    const level = Number(token.markup.startsWith("#") ? token.markup.length : token.tag.slice(1));
    if (token.nesting === 1) {
      while (levels.length > 0 && levels.at(-1)! >= level) levels.pop();
      levels.push(level);
    }
    token.tag = `h${Math.min(6, 2 + levels.length)}`;
  }
}

const align: Record<string, string> = { "text-align:right": "end", "text-align:center": "center" };

function adapt(token: Token): void {
  if (token.nesting === 1 && (token.level === 0 || /^t[hd]$/.test(token.tag))) token.attrSet("dir", "auto");
  const style = token.attrGet("style");
  if (style !== null) {
    token.attrs = token.attrs!.filter(([name]) => name !== "style");
    if (align[String(style)]) token.attrSet("class", align[String(style)]!);
  }
  if (token.children) token.children = withLinks(token.children);
}

/** Adds to each link where it leads, unless its text says so. An image becomes a link to it; within a link, its text. */
function withLinks(tokens: Token[]): Token[] {
  const linked: Token[] = [];
  let open: Token | null = null;
  let text = "";
  for (const token of tokens) {
    if (token.type === "link_open") {
      open = token;
      text = "";
    } else if (token.type === "link_close" && open) {
      linked.push(token, ...whereTo(token, open, text));
      open = null;
      continue;
    } else if (token.type === "image") {
      linked.push(...imageLink(token, open !== null));
      continue;
    } else text += token.content;
    linked.push(token);
  }
  return linked;
}

const copyOf = (token: Token, type: string, content: string): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token, {
    type,
    tag: "",
    nesting: 0,
    attrs: null,
    children: null,
    content,
  });

function attributes(attrs: Token["attrs"]) {
  const found = Object.fromEntries(attrs ?? []);
  return { href: String(found.href ?? ""), src: String(found.src ?? ""), title: String(found.title ?? "") };
}

/** The host and the title of a link, as text after it. */
function whereTo(token: Token, { attrs, info }: Token, text: string): Token[] {
  const { href, title } = attributes(attrs);
  const host = info === "auto" || (text === href && !title) ? "" : hostOf(href);
  return host ? [copyOf(token, "where_to", [host, title].filter(Boolean).join(" · "))] : [];
}

const hostOf = (href: string): string => (URL.canParse(href) ? new URL(href).host : "") || href;

function imageLink(token: Token, is_in_link: boolean): Token[] {
  const { src, title } = attributes(token.attrs);
  const shown = copyOf(token, "text", token.content || src);
  if (is_in_link) return [shown];
  const open = copyOf(token, "link_open", "");
  open.attrs = [
    ["href", src],
    ["title", title],
  ];
  const close = copyOf(token, "link_close", "");
  return [open, shown, close, ...whereTo(close, open, shown.content)];
}

const codeBox = (code: string): string =>
  `<div class="copy"><pre tabindex="0" dir="ltr"><code>${code}</code></pre>` +
  '<button type="button" data-copy>Copy</button></div>';

/** A block of code below the words of its fence, the first of which is its language. */
function fence({ content, info }: Token, budget: Budget): string {
  const words = info.trim();
  const [language = ""] = words.split(/\s/, 1);
  const code = highlighted(content, language, budget) ?? revealedHtml(content);
  return (words && `<div class="info">${revealedHtml(words)}</div>`) + codeBox(code);
}

type Rules = Record<string, (tokens: Token[], at: number, options: unknown, budget: Budget) => string>;

const rules: Rules = {
  text: (tokens, at) => revealedHtml(tokens[at]!.content),
  where_to: (tokens, at) => ` <span class="where">${revealedHtml(tokens[at]!.content)}</span>`,
  code_inline: (tokens, at) => `<code>${revealedHtml(tokens[at]!.content)}</code>`,
  code_block: (tokens, at) => codeBox(revealedHtml(tokens[at]!.content)),
  fence: (tokens, at, _options, budget) => fence(tokens[at]!, budget),
  link_open: (tokens, at) =>
    `<a href="${Bun.escapeHTML(attributes(tokens[at]!.attrs).href)}" rel="nofollow ugc noopener">`,
  link_close: () => "</a>",
  table_open: (tokens, at) =>
    `<div class="scroll" tabindex="0"><table dir="${tokens[at]!.attrGet("dir") ?? "auto"}">`,
  table_close: () => "</table></div>",
};

/** The elements and attributes that the result may have. */
export const allowed = {
  allowedTags: [
    ...[
      "p",
      "br",
      "hr",
      "h3",
      "h4",
      "h5",
      "h6",
      "ul",
      "ol",
      "li",
      "blockquote",
      "pre",
      "code",
      "strong",
      "em",
      "s",
    ],
    ...["a", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "button"],
  ],
  allowedAttributes: {
    "*": ["dir"],
    a: ["href", "rel"],
    ol: ["start"],
    pre: ["tabindex"],
    div: ["tabindex"],
    button: ["type", "data-copy"],
  },
  allowedClasses: {
    div: ["copy", "info", "raw", "scroll"],
    span: ["invisible", "where", ...token_classes],
    th: ["center", "end"],
    td: ["center", "end"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
} satisfies sanitize.IOptions;

const md = parser();
const without_tables = parser().disable("table");

/** The text as HTML: rendered, or as it is if it is too complicated, or if something of it would be missing. */
export function render(text: string): string {
  const tokens = text.length > chars_max ? null : parsed(text);
  const html = tokens === null ? asItIs(text) : md.renderer.render(tokens, md.options, budgetOfText());
  return sanitize(html, allowed);
}

const asItIs = (text: string): string => `<div class="raw" dir="auto">${revealedHtml(text)}</div>`;

/** The tokens of a text; null if it should be shown as it is. */
export function parsed(text: string): Token[] | null {
  const lines = text.split("\n");
  const columns = Math.max(...lines.map((line) => line.split("|").length));
  const tokens = (columns * lines.length > table_cells_max ? without_tables : md).parse(text, {});
  const count = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
  return count > tokens_max || signs(text) !== signsIn(tokens) ? null : tokens;
}

/** How many characters a text has beside white space and the punctuation that Markdown uses. */
const signs = (text: string): number => text.match(/[^\s!-/:-@[-`{-~]/gu)?.length ?? 0;

/** The same for all blocks. The number is smaller than for the text if the parser drops something, such as cells beyond the last column of a table. */
const signsIn = (tokens: Token[]): number =>
  tokens.reduce((sum, { type, content, info }) => {
    const marker = type === "list_item_open" || type === "fence" ? info : "";
    return sum + signs(content) + signs(marker);
  }, 0);
