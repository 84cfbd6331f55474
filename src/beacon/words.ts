/**
 * The words of a toss: what it is about, and what heads and tails mean. They are one text, the label. The label is part of what
 * is hashed, so a toss with other words is another toss: nobody can exchange the meanings once both have agreed.
 *
 * A toss in one line has its round, its draw and its label. Every transport shows this line in full, and takes it back:
 *
 *     toss 29539442-fda53a: Who begins?; heads: Ada; tails: Bob
 *     toss 29539442-f2e8b8 pick 1 of "Ada,Bob,Eve": Who takes notes?
 *
 * After the round come check digits: the first six of the SHA-256 of the rest. A line whose words were changed is refused.
 * Commands of the client load this file, too.
 */

import type { DrawRequest, TossWords } from "../api/beacon/pages.ts";
import { beacon_limits } from "../api/limits.ts";
import { invalidFields } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import { codePoints, isStorable, normalForm } from "../core/text.ts";
import { quotedJson } from "../core/text_form.ts";

export interface Query {
  label?: string | undefined;
  int?: string | undefined;
  pick?: string | undefined;
  n?: string | undefined;
  shuffle?: string | undefined;
}

/** Text in one line: other white space is one space, and characters are composed (NFC), so that texts that look alike are equal. */
const oneLine = (text: string): string =>
  normalForm(text, "NFC")
    .replace(/[\s\u0085]+/g, " ")
    .trim();

/**
 * The label: `Who pays for lunch; heads: Ann; tails: Bob`, the sides always in this order. A semicolon in a meaning becomes a
 * comma, as semicolons end meanings.
 */
export function labelOf({ about, heads, tails }: TossWords): string {
  const meaning = (side: string, text = "") => {
    const meant = partsOf(oneLine(text)).join(", ");
    return meant === "" ? [] : [`${side}: ${meant}`];
  };
  const subject = oneLine(about);
  return [...(subject ? [subject] : []), ...meaning("heads", heads), ...meaning("tails", tails)].join("; ");
}

const partsOf = (text: string): string[] => text.split(";").flatMap((part) => part.trim() || []);

const sidePattern = (n: number) => String.raw`(?:(?:^|;\s*)(?<side${n}>heads|tails):\s*(?<means${n}>[^;]+))?`;
/** What it is about, then the sides in either order. */
const label_of_coin = new RegExp(`^(?<about>.*?)${sidePattern(1)}${sidePattern(2)}$`, "is");
const another_meaning = /\b(?:heads|tails)\s*[:=：]/i;

/** The words of a label. A label that gives a side two meanings is shown as it is: it has no meanings. */
export function wordsOf(label: string): TossWords {
  const { about = label, side1, means1, side2, means2 } = label_of_coin.exec(label)?.groups ?? {};
  const means = (side: string) =>
    [side1, side2].map((given, i) => (given?.toLowerCase() === side ? [means1, means2][i] : undefined));
  const [heads, tails] = [means("heads"), means("tails")].map((found) => found[0] ?? found[1]);
  const is_twice = side1 !== undefined && side1.toLowerCase() === side2?.toLowerCase();
  const is_clear = !is_twice && [about, heads, tails].every((text = "") => !another_meaning.test(text));
  return is_clear ? { about, heads: heads?.trim(), tails: tails?.trim() } : { about: label };
}

export interface Toss {
  round: number;
  label: string;
  /** The draw; null for a coin. */
  request: DrawRequest | null;
}

/** What a caller sends to propose a toss: as a coin, what it is about and what its sides mean. */
export interface Proposal extends Query {
  heads?: string | undefined;
  tails?: string | undefined;
}

const sides = ["heads", "tails"] as const;

/** Whether a proposal says what this side means, beside its label. */
const hasSide = (proposal: Proposal, side: "heads" | "tails"): boolean =>
  labelOf({ about: "", [side]: proposal[side] }) !== "";

/**
 * The label of a proposal: equal for words that differ only in white space, for sides in either order, and for sides in the label and
 * beside it.
 */
function labelFor(proposal: Proposal, is_coin: boolean): string {
  const label = oneLine(proposal.label ?? "");
  if (!is_coin) return label;
  const said = wordsOf(label);
  for (const side of sides) if (hasSide(proposal, side)) said[side] = proposal[side];
  return labelOf(said);
}

/** The toss that a proposal describes. Throws `invalid_fields`. */
export function tossFrom(round: number, proposal: Proposal): Toss {
  const request = requestIn(proposal);
  const given = sides.filter((name) => hasSide(proposal, name));
  const [side] = given;
  if (request && side) throw refuse(side, "is for a coin: a draw has no sides");
  const label = labelFor(proposal, request === null);
  if (label === "") throw refuse("label", "is required: what the toss is about");
  const length = codePoints(label);
  if (length > beacon_limits.beacon_label_chars_max)
    throw refuse(
      "label",
      `has ${length} characters with what the sides mean; at most ${beacon_limits.beacon_label_chars_max} fit`,
    );
  const said = wordsOf(oneLine(proposal.label ?? ""));
  const is_clear = given.every((name) => said[name] === undefined && wordsOf(label)[name] !== undefined);
  if (!is_clear) throw refuse("label", "also says what a side means: say it once, as heads and tails");
  return { round, label, request };
}

/** The line of a toss. */
export function tossLine(toss: Toss): string {
  const rest = restOf(toss);
  return `toss ${toss.round}-${checkDigits(toss.round, rest)}${rest}`;
}

/** What stands after the round: the draw and the label. */
const restOf = ({ label, request }: Toss): string => `${drawText(request)}: ${labelText(label, request)}`;

const checkDigits = (round: number, rest: string): string => sha256Hex(`${round}${rest}`).slice(0, 6);

function drawText(request: DrawRequest | null): string {
  if (!request) return "";
  if (request.kind === "int") return ` int ${request.from}..${request.to}`;
  const items = quotedJson(request.items.join(","));
  return request.kind === "pick" ? ` pick ${request.n} of ${items}` : ` shuffle ${items}`;
}

/** A label as it is if a reader of the line gets it back, else as a JSON string. */
function labelText(label: string, request: DrawRequest | null): string {
  const quoted = quotedJson(label);
  const is_visible = quoted === `"${label.replace(/["\\]/g, "\\$&")}"`;
  const is_plain = label !== "" && !label.startsWith('"') && label === labelFor({ label }, request === null);
  return is_plain && is_visible ? label : quoted;
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const line_of_toss = new RegExp(
  String.raw`^toss\s+(?<round>\d{1,15})(?:-(?<digits>[0-9a-f]{6}))?` +
    String.raw`(?:\s+int\s+(?<int>\S+?)|\s+pick\s+(?<n>\d{1,4})\s+of\s+(?<pick>${text})|\s+shuffle\s+(?<shuffle>${text}))?` +
    String.raw`:\s*(?<label>.*)$`,
  "su",
);

/** The toss of a line that was pasted, with or without its check digits. Throws `invalid_fields`. */
export function tossIn(line: string): Toss {
  const found = line_of_toss.exec(line.trim())?.groups;
  if (!found)
    throw refuse(
      "toss",
      "must be the whole line of a toss, as in: toss 29539442-fda53a: Who begins?; heads: Ada; tails: Bob",
    );
  const { round, digits, int, n, pick, shuffle, label = "" } = found;
  const request = requestIn({ int, n, pick: unquoted(pick), shuffle: unquoted(shuffle) });
  const toss = {
    round: Number(round),
    label: unquoted(label.startsWith('"') ? label : undefined) ?? labelFor({ label }, request === null),
    request,
  };
  if (digits !== undefined && digits !== checkDigits(toss.round, restOf(toss)))
    throw refuse(
      "toss",
      "was changed: its words do not match the digits after its round. Paste it as it was posted",
    );
  if (codePoints(toss.label) > beacon_limits.beacon_label_chars_max)
    throw refuse("toss", `has a label of more than ${beacon_limits.beacon_label_chars_max} characters`);
  return toss;
}

/** The text in a JSON string. */
function unquoted(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  try {
    const text = String(JSON.parse(json));
    if (isStorable(text)) return text;
  } catch {
    // Refused below.
  }
  throw refuse("toss", "has quoted text that is not valid. Paste the whole line");
}

/** The query of a toss, as the routes of a round and `wharf beacon verify --draw` take it. */
export function queryOf({ label, request }: Toss): Record<string, string> {
  if (!request) return { label };
  if (request.kind === "int") return { label, int: `${request.from}..${request.to}` };
  const items = request.items.join(",");
  if (request.kind === "shuffle") return { label, shuffle: items };
  return { label, pick: items, ...(request.n !== 1 && { n: String(request.n) }) };
}

/** Parses the number of a round. Throws `invalid_fields`. */
export function roundIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refuse("round", "must be a round's number: up to 15 digits");
  return Number(text);
}

/** The draw request in a query; null if there is none. Throws `invalid_fields`. */
export function requestIn({ int, pick, n, shuffle }: Query): DrawRequest | null {
  const kinds = Object.entries({ int, pick, shuffle }).filter(([, sent]) => sent !== undefined);
  if (kinds.length > 1) throw refuse(kinds[1]![0], "cannot come together with another draw");
  if (n !== undefined && pick === undefined) throw refuse("n", "says how many to pick: it comes with pick");
  if (int !== undefined) return { kind: "int", ...rangeOf(int) };
  if (shuffle !== undefined) return { kind: "shuffle", items: itemsOf("shuffle", shuffle) };
  if (pick === undefined) return null;
  const items = itemsOf("pick", pick);
  const count = Number(n ?? 1);
  if (count < 1) throw refuse("n", "must be at least 1");
  if (count > items.length) throw refuse("n", `must not be above the number of items, ${items.length}`);
  return { kind: "pick", items, n: count };
}

function rangeOf(text: string): { from: number; to: number } {
  const [, from, to] = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to)) {
    throw refuse("int", "must be two whole numbers of up to 15 digits, the smaller first, as in 1..6");
  }
  return { from: Number(from), to: Number(to) };
}

function itemsOf(path: string, text: string): string[] {
  const items = text.split(",");
  if (items.length > beacon_limits.beacon_items_max)
    throw refuse(path, `holds at most ${beacon_limits.beacon_items_max} items`);
  if (items.some((item) => item === ""))
    throw refuse(path, "must be items with one comma between, none empty");
  return items;
}

const refuse = (path: string, message: string) => invalidFields([{ path, message }]);
