/** `wharf beacon show` and `toss`: rounds of the beacon, and draws that two parties can check. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { beacon_internal_limits } from "../../beacon/limits.ts";
import { queryOf, tossFrom, tossIn, tossLine, type Proposal, type Toss } from "../../beacon/words.ts";
import { ServiceError } from "../../core/errors.ts";
import { quotedForShell } from "../../core/text_form.ts";
import { quotedName } from "../../core/text_form.ts";
import { UsageError } from "../../core/settings.ts";
import { defined, wholeNumber } from "./arguments.ts";
import { shellCommand, type ShellContext } from "./shell_command.ts";
import { call_wait_seconds_max } from "./waiting.ts";

type Round = Schemas["BeaconRound"];

/** Whether it is too late to agree on a round. */
const hasBegun = ({ revealed, now_round, round }: Round): boolean => revealed || now_round! >= round;

/** The line of a toss, and until when it can be agreed on. */
function tossLines(round: Round): string[] {
  const { toss, starts } = round;
  if (toss === undefined) return [];
  return [
    toss,
    hasBegun(round) ? `fair        only if agreed before ${starts}` : `agree       before ${starts}`,
  ];
}

/** What a round shows: until it ends its commitment, then its value, and which side or draw that is by which formula. */
function roundLines(round: Round): string[] {
  const { starts, ends, commit, revealed, value, draw, means, formula, proof } = round;
  const lines = [
    `round ${round.round}  ${starts} to ${ends}`,
    `commitment  ${commit}`,
    ...tossLines(round),
    ...(proof.precommitted ? [] : [`precommitted: false  ${proof.why_not_precommitted ?? ""}`.trimEnd()]),
  ];
  if (!revealed || !value) return [...lines, "Its value is not out yet."];
  const side = means === undefined ? value.coin : `${value.coin}: ${quotedName(means)}`;
  const drawn = draw ? JSON.stringify("result" in draw ? draw.result : draw) : side;
  return [
    ...lines,
    `value       ${value.hex}`,
    ...(formula === undefined ? [] : [`formula     ${formula}`]),
    `result      ${drawn}`,
  ];
}

export const showCommand = shellCommand(
  () =>
    new Command("show")
      .description("show a round of the beacon")
      .argument("[round]", "its number; left out: the last one that has passed", wholeNumber)
      .option("--label <text>", "what a toss is about"),
  ["wharf beacon show", "wharf beacon show --label 'Who begins?'"],
  async (shell, { label }: { label?: string }, given?: number) => {
    const path = { round: given ?? (await lastRound(shell)) };
    const round = await orThrow(shell.client.get("/api/beacon/{round}", { path, query: defined({ label }) }));
    shell.show(round, roundLines(round));
  },
);

async function lastRound({ client }: ShellContext): Promise<number> {
  const { last_revealed } = await orThrow(client.get("/api/beacon"));
  if (last_revealed) return last_revealed.round;
  throw new Error("no round has passed yet.");
}

interface TossOptions {
  heads?: string;
  tails?: string;
  int?: string;
  pick?: string;
  shuffle?: string;
  round?: number;
  wait?: boolean;
}

export const tossCommand = shellCommand(
  () =>
    new Command("toss")
      .description("toss a coin or draw, with a round that has not begun, so that nobody knows its value")
      .argument(
        "<about>",
        "what it is about; or the line that the other side posted: toss 29539442-fda53a: …",
      )
      .option("--heads <text>", "what heads mean")
      .option("--tails <text>", "what tails mean")
      .option("--int <range>", "draw a number, as 1..6")
      .option("--pick <options>", "draw one of these, with commas between them")
      .option("--shuffle <options>", "draw an order of these")
      .option("--round <number>", "the round that the others have agreed to", wholeNumber)
      .option("--wait", "wait for the result"),
  ["wharf beacon toss 'Who begins?' --heads Ada --tails Bob", "wharf beacon toss lunch --int 1..6 --wait"],
  async (shell, { wait, ...options }: TossOptions, about: string) => {
    const { round: agreed, heads, tails, int, pick, shuffle } = options;
    const parts = defined({ round: agreed, heads, tails, int, pick, shuffle });
    const toss = await tossOf(shell, about, parts);
    const query = queryOf(toss);
    const line = tossLine(toss);
    const path = { round: toss.round };
    const read = async (query: object): Promise<Round> => ({
      ...(await orThrow(shell.client.get("/api/beacon/{round}", { path, query }))),
      toss: line,
    });
    // The page and the line are for the other side.
    const for_others = [
      `page        ${shell.url}/beacon/${path.round}?${new URLSearchParams(query)}`,
      `paste       wharf beacon toss ${quotedForShell(line)}`,
    ];
    let round = await read({});
    if (!round.revealed) shell.show(round, [...roundLines(round), ...(hasBegun(round) ? [] : for_others)]);
    if (wait) while (!round.revealed) round = await read({ wait_seconds: call_wait_seconds_max });
    if (!round.revealed) return;
    // Only a round with a value can be tossed with.
    round = await read(query);
    const check = `check       wharf beacon verify ${quotedForShell(line)} --url ${shell.url}`;
    shell.show(round, [...roundLines(round), check]);
  },
);

/** The toss of a line, or the one that the words and options describe. Throws a `UsageError` for the usage of either. */
async function tossOf(
  shell: ShellContext,
  about: string,
  parts: Partial<Proposal> & { round?: number },
): Promise<Toss> {
  const { round, ...proposal } = parts;
  if (!isLine(about)) {
    const chosen = round ?? (await nextRound(shell));
    return withUsage(() => tossFrom(chosen, { label: about, ...proposal }));
  }
  if (Object.keys(parts).length === 0) return pastedToss(about);
  throw new UsageError(
    "the line of a toss says all of it: use it without --round, --heads, --tails and draws.",
  );
}

/** Whether a text is the line of a toss, and not a subject that begins with the same word. */
const isLine = (text: string): boolean =>
  /^\s*toss\s+\d{1,15}(?:-[0-9a-f]{6})?(?:\s+(?:int|pick|shuffle)\s[^:]*)?:/.test(text);

/** The toss of a line. Throws a `UsageError`. */
export const pastedToss = (line: string): Toss => withUsage(() => tossIn(line));

function withUsage(parse: () => Toss): Toss {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ServiceError ? new UsageError(`${error.detail}.`) : error;
  }
}

/** The round to agree on: one that leaves time for that. */
const nextRound = async ({ client }: ShellContext): Promise<number> =>
  (await orThrow(client.get("/api/beacon", { query: { fields: "lean" } }))).now.round +
  beacon_internal_limits.rounds_to_agree;
