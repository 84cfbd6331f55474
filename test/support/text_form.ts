/** Reads a text in the text form (src/core/text_form.ts): which lines are the service's, and the exact texts of strangers. */

/** Where a reader may end a line: the set of Python's str.splitlines, the largest in use. */
// oxlint-disable-next-line no-control-regex -- they end a line
const line_break = /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/;
const line = new RegExp(`(?:(?!${line_break.source})[^])*(?:${line_break.source}|$)`, "y");

export type Part = { ours: string } | { quoted: string };

/** The lines of `text` with the breaks that end them, for a reader that knows all breaks. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (line.lastIndex = 0; line.lastIndex < text.length;) lines.push(line.exec(text)![0]);
  return lines;
}

/** The text of a stranger in quoted lines without the break after the last one. */
export const unquoted = (lines: string): string =>
  linesOf(lines)
    .map((one) => {
      if (!one.startsWith("> ")) throw new Error(`a line is not quoted: ${JSON.stringify(one)}`);
      return one.slice(2);
    })
    .join("")
    .replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));

/** The service's lines and the strangers' texts, in order. Throws if a line of the service does not end with a line feed. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let block = "";
  const endBlock = () => {
    if (block) parts.push({ quoted: unquoted(block.replace(/\n$/, "")) });
    block = "";
  };
  for (const one of linesOf(text)) {
    if (one.startsWith("> ")) {
      block += one;
      continue;
    }
    endBlock();
    const ours = one.replace(/\n$/, "");
    if (line_break.test(ours))
      throw new Error(`a line of the service has another break: ${JSON.stringify(one)}`);
    parts.push({ ours });
  }
  endBlock();
  return parts;
}

/** The texts of strangers in `text`, in order. */
export const quotesIn = (text: string): string[] =>
  partsOf(text).flatMap((part) => ("quoted" in part ? [part.quoted] : []));

/** The lines of the service in `text`. */
export const ownLinesIn = (text: string): string[] =>
  partsOf(text).flatMap((part) => ("ours" in part ? [part.ours] : []));

export interface ReadPost {
  n: number;
  name: string;
  claimed: boolean;
  in_reply_to_n: number | null;
  /** ISO time to the second. */
  ts: string;
  /** Null if the post is redacted. */
  body: string | null;
  redacted: "its author" | "the host" | null;
  /** What follows in the head line. */
  more: string;
}

const head =
  /^#(\d+) ("(?:[^"\\]|\\.)*")( key)?(?: →#(\d+))? (\d\d:\d\d:\d\d)(?: redacted by (its author|the host|the operator))?(.*)$/;

/** The posts in `text`. */
export function postsIn(text: string): ReadPost[] {
  const posts: ReadPost[] = [];
  let day = "";
  let of_post = false;
  for (const part of partsOf(text)) {
    if ("quoted" in part) {
      if (of_post) posts.at(-1)!.body = part.quoted;
      of_post = false;
      continue;
    }
    day = /^\d{4}-\d\d-\d\d$/.exec(part.ours)?.[0] ?? day;
    const found = head.exec(part.ours);
    of_post = found !== null;
    if (!found) continue;
    const [, n, name, key, reply, time, redacted, more] = found;
    posts.push({
      n: Number(n),
      name: JSON.parse(name!) as string,
      claimed: key !== undefined,
      in_reply_to_n: reply === undefined ? null : Number(reply),
      ts: `${day}T${time}Z`,
      body: null,
      redacted: (redacted as ReadPost["redacted"]) ?? null,
      more: more!,
    });
  }
  return posts;
}
