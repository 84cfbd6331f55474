/** `wharf beacon`: rounds and tosses, and the verifier on the command line. Reads a service over HTTP, or copies of its responses (file://). */

import { Command } from "commander";
import type { Check } from "../../verifier/checks.ts";
import type { Redrawn } from "../../verifier/draw.ts";
import { readKnown, verifyDays, verifyRound, type Days, type Read } from "../../verifier/verify.ts";
import { UsageError } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { connect } from "../shell/connection.ts";
import { queryOf, wordsOf } from "../../beacon/words.ts";
import { quotedJson, quotedName } from "../../core/text_form.ts";
import { pastedToss, showCommand, tossCommand } from "../shell/beacon.ts";
import { checkLines, detailOf, exit_codes, keysIn, statusOf, textAt } from "../verification.ts";

interface VerifyOptions {
  url?: string;
  key?: string;
  draw?: string;
  all?: boolean;
  known?: string;
  json?: boolean;
}

export interface Report {
  /** Whether every check passed. */
  holds: boolean;
  checked: string;
  keys: string;
  checks: Check[];
  statements?: string[];
  /** The repeated draw. */
  drawn?: Redrawn | null;
  /** What the side of the coin means, if the label says it. */
  means?: string | undefined;
}

export function beaconCommand(terminal: Terminal): Command {
  const { print, setStatus } = terminal;
  const verifying = new Command("verify")
    .description("check a round, a draw of it, or every published day, trusting nothing but a public key")
    .argument("[round]", "the round's number, or the line of a toss; left out: the last one that has passed")
    .option(
      "--url <url>",
      "the service, or a folder with copies of its answers as <path>.json (file:///…) (or WHARF_URL; default: that of wharf login)",
    )
    .option("--key <file>", "its public key, as a JWK set or PEM that you kept; else taken from the service")
    .option("--draw <query>", "a draw of the round, as in 'label=lunch&int=1..6'")
    .option("--all", "every day since the first, and their chain")
    .option("--known <file>", "statements from an earlier --all --json, one a line, that must still hold")
    .option("--json", "the report as JSON")
    .addHelpText("after", exit_codes)
    .action(async (round: string | undefined, options: VerifyOptions) => {
      const report = await verify(round, options.url ?? connect({}, terminal).url, options);
      if (options.json) print(quotedJson(report));
      else for (const line of linesOf(report)) print(line);
      setStatus(statusOf(report));
    });
  withExamples(
    verifying,
    "wharf beacon verify",
    "wharf beacon verify --url http://127.0.0.1:4273 --draw 'label=lunch&int=1..6'",
    "wharf beacon verify --url http://127.0.0.1:4273 --all --json",
  );
  return withExamples(
    new Command("beacon")
      .description("show rounds of a beacon, toss, and check it from outside")
      .addCommand(showCommand(terminal))
      .addCommand(tossCommand(terminal))
      .addCommand(verifying),
    "wharf beacon verify --url http://127.0.0.1:4273",
  );
}

async function verify(round: string | undefined, url: string, options: VerifyOptions): Promise<Report> {
  const base = url.replace(/\/+$/, "");
  if (!/^(?:https?|file):$/.test(URL.parse(base)?.protocol ?? "")) {
    throw new UsageError("--url must be an http, https or file address.");
  }
  const toss = round !== undefined && /^\s*toss\s/.test(round) ? pastedToss(round) : null;
  if (round !== undefined && !toss && !/^\d{1,15}$/.test(round)) {
    throw new UsageError("the round must be a whole number, or the line of a toss.");
  }
  const read: Read = async (path) => {
    const text = await textAt(base + path);
    return text === null ? null : JSON.parse(text);
  };
  const keys = options.key ?? `${base}/.well-known/jwks.json`;
  const key_text = options.key ? await Bun.file(options.key).text() : await textAt(keys);
  if (key_text === null)
    throw new Error(`There are no keys at ${keys}. Check --url, or name them with --key.`);
  const with_keys = await keysIn(key_text, keys);
  if (options.all) {
    const { days } = (await found(read, "/api/beacon")) as { days: Days };
    const known = await readKnown(options.known ? await Bun.file(options.known).text() : "", with_keys);
    const { checks, statements } = await verifyDays(read, with_keys, days, known);
    return reportOf(`every day from ${days.first} to ${days.last}`, keys, checks, statements);
  }
  const number = toss?.round ?? (round === undefined ? await lastRound(read) : Number(round));
  const draw = options.draw ?? (toss ? new URLSearchParams(queryOf(toss)).toString() : "");
  const must: Read = async (path) => {
    const answer = await read(path);
    if (answer !== null || path.startsWith("/api/beacon/days/")) return answer;
    throw new Error(`there is nothing at ${path}: ${await reasonAt(base + path)}`);
  };
  const { checks, drawn } = await verifyRound(must, with_keys, number, draw, base.startsWith("file:"));
  const about = drawn ? draw && `, draw ${draw}` : ", whose seed is not out yet";
  const means = drawn && drawn.result === undefined ? meaningIn(draw, drawn.coin) : undefined;
  return { ...reportOf(`round ${number}${about}`, keys, checks), drawn, means };
}

const reportOf = (checked: string, keys: string, checks: Check[], statements?: string[]): Report => ({
  // A report without any check must not pass.
  holds: checks.length > 0 && checks.every(({ holds }) => holds),
  checked,
  keys,
  checks,
  ...(statements && { statements }),
});

async function lastRound(read: Read): Promise<number> {
  const { last_revealed } = (await found(read, "/api/beacon")) as { last_revealed: { round: number } | null };
  if (last_revealed) return last_revealed.round;
  throw new Error("no round has passed yet");
}

async function found(read: Read, path: string): Promise<unknown> {
  const answer = await read(path);
  if (answer !== null) return answer;
  throw new Error(`there is nothing at ${path}`);
}

/** Why there is nothing at a URL, in the words of the service: a day may not be issued, for example. */
async function reasonAt(url: string): Promise<string> {
  if (url.startsWith("file:")) return "no such file";
  return (await detailOf(await fetch(url))) ?? "no reason is given";
}

/** What a side of the coin means by the label of a draw. */
const meaningIn = (draw: string, coin: string): string | undefined =>
  wordsOf(new URLSearchParams(draw).get("label") ?? "")[coin === "heads" ? "heads" : "tails"];

function linesOf({ checks, checked, keys, holds, drawn, means }: Report): string[] {
  const coin = drawn && `${drawn.coin}${means === undefined ? "" : `: ${quotedName(means)}`}`;
  const drew = drawn ? [`drawn ${drawn.result === undefined ? coin : quotedJson(drawn.result)}`] : [];
  const end = holds ? `${checked}: everything holds` : `${checked}: it does NOT hold`;
  return [...checkLines(checks), ...drew, `${end} (keys: ${keys})`];
}
