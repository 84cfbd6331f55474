/** `wharf beacon show` and `toss`: rounds of the beacon, and draws that two parties can check. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { labelOf } from "../../beacon/words.ts";
import { UsageError } from "../../core/settings.ts";
import { defined, wholeNumber } from "./arguments.ts";
import { shellCommand, type ShellContext } from "./shell_command.ts";
import { call_wait_seconds_max } from "./waiting.ts";

type Round = Schemas["BeaconRound"];

/** What a round shows: until it ends its commitment, then its value and its draw. */
function roundLines({ round, starts, ends, commit, revealed, value, draw }: Round): string[] {
  const lines = [`round ${round}  ${starts} to ${ends}`, `commitment  ${commit}`];
  if (!revealed || !value) return [...lines, "Its value is not out yet."];
  const about = value.label === "" ? [] : [`label       ${value.label}`];
  const drawn = draw ? JSON.stringify("result" in draw ? draw.result : draw) : value.coin;
  return [...lines, ...about, `value       ${value.hex}`, `result      ${drawn}`];
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
      .argument("<about>", "what it is about; another text gives another result")
      .option("--heads <text>", "what heads mean")
      .option("--tails <text>", "what tails mean")
      .option("--int <range>", "draw a number, as 1..6")
      .option("--pick <options>", "draw one of these, with commas between them")
      .option("--shuffle <options>", "draw an order of these")
      .option("--round <number>", "the round that the others have agreed to", wholeNumber)
      .option("--wait", "wait for the result"),
  ["wharf beacon toss 'Who begins?' --heads Ada --tails Bob", "wharf beacon toss lunch --int 1..6 --wait"],
  async (shell, { heads, tails, wait, round: agreed, ...draws }: TossOptions, about: string) => {
    const { int, pick, shuffle } = draws;
    const draw = defined({ int, pick, shuffle });
    if (Object.keys(draw).length > 1) throw new UsageError("use one of --int, --pick and --shuffle.");
    const query = { label: labelOf({ about, heads, tails }), ...draw };
    const path = { round: agreed ?? (await nextRound(shell)) };
    const read = (toss: object): Promise<Round> =>
      orThrow(shell.client.get("/api/beacon/{round}", { path, query: toss }));
    // The page is for the other side.
    const page = `page        ${shell.url}/beacon/${path.round}?${new URLSearchParams(query)}`;
    let round = await read({});
    if (!round.revealed) shell.show(round, [...roundLines(round), page]);
    if (wait) while (!round.revealed) round = await read({ wait_seconds: call_wait_seconds_max });
    if (!round.revealed) return;
    // Only a round with a value can be tossed with.
    round = await read(query);
    shell.show(round, [...roundLines(round), page]);
  },
);

/** The next round that has not begun. */
const nextRound = async ({ client }: ShellContext): Promise<number> =>
  (await orThrow(client.get("/api/beacon"))).now.round + 1;
