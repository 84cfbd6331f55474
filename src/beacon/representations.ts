/** Turns the beacon's results into their API representations. */

import { isoTime } from "../core/clock.ts";
import { beacon_internal_limits } from "./limits.ts";
import { toSecond } from "../core/text_form.ts";
import { drawn } from "./draw_query.ts";
import { tossLine, wordsOf } from "./words.ts";
import type { Beacon, Overview, Round } from "./beacon.ts";
import type { Day } from "./days.ts";
import { valueOf } from "./derivation.ts";
import { day_ms, dayAt, dayStarts, type Calendar } from "./rounds.ts";
import {
  caveat,
  caveat_lean,
  type BeaconDay,
  type BeaconOverview,
  type BeaconRound,
  type LeanBeacon,
  type LeanRound,
} from "../api/beacon/beacon.ts";
import type { DrawRequest } from "../api/beacon/pages.ts";

/** Members of every response: the length of rounds and the caveat. */
function always({ round_seconds }: Calendar) {
  if (round_seconds === 60) return { round_seconds, caveat };
  const test_mode = `Rounds last ${round_seconds} s here instead of 60: this beacon is for trying things out.`;
  return { round_seconds, test_mode, caveat };
}

const span = (calendar: Calendar, round: number) => ({
  starts: isoTime(calendar.starts(round)),
  ends: isoTime(calendar.starts(round + 1)),
});

const clock = ({ held }: { held: boolean }) => (held ? "held" : "ok");

export function overview({ calendar }: Beacon, base: string, found: Overview): BeaconOverview {
  const { now, last, upcoming } = found;
  return {
    now: { round: now.round, ...span(calendar, now.round) },
    last_revealed: last && { ...last, value: unlabelled(last.seed) },
    upcoming_commitments: upcoming.map(({ round, commit }) => ({
      round,
      starts: isoTime(calendar.starts(round)),
      commit,
    })),
    days: { ...found.span, ...(found.gaps.length > 0 && { not_issued: [...found.gaps] }) },
    clock: clock(now),
    how: how(base, calendar),
    one_round: "/api/beacon/{round}",
    ...always(calendar),
  };
}

function unlabelled(seed: string) {
  const { hex, float, coin } = valueOf(seed, "");
  return { hex, float, coin };
}

/** A round; after its end with its value and the requested draw. With a label it is a toss. */
export function round(
  { calendar }: Beacon,
  found: Round,
  given_label: string | undefined,
  request: DrawRequest | null,
  /** Whether the caller requested a toss: then `agree_before` is a member. */
  is_toss = false,
): BeaconRound {
  const { round, now, commit, seed, proof } = found;
  const { day } = proof;
  const label = given_label ?? "";
  const drew = seed === null ? null : drawn(seed, label, request);
  // What the side that came up means, if the label says it.
  const means = drew && !request ? wordsOf(label)[drew.value.coin] : undefined;
  return {
    round,
    ...span(calendar, round),
    // Absent after the end of the round, because that response must never change.
    ...(seed === null && { now_round: now.round }),
    commit,
    revealed: seed !== null,
    seed,
    ...(drew && { value: drew.value }),
    ...(drew?.draw && { draw: drew.draw }),
    ...(given_label !== undefined && { toss: tossLine({ round, label, request }) }),
    ...(is_toss && { agree_before: isoTime(calendar.starts(round)) }),
    ...(means !== undefined && { means }),
    ...(drew && { formula: `${hash_formula}${means ? label_place : ""}; ${formulaOf(request)}` }),
    proof: {
      day: day.day,
      index: proof.index,
      rounds: day.rounds,
      path: proof.path,
      root: day.root,
      statement: day.statement,
      published: day.published,
      ...precommitment(day),
    },
    ...(seed === null && { clock: clock(now) }),
    ...always(calendar),
  };
}

export const day = ({ calendar }: Beacon, found: Day): BeaconDay => ({
  day: found.day,
  first_round: found.first_round,
  rounds: found.rounds,
  commits: found.commits,
  root: found.root,
  statement: found.statement,
  prev: found.prev,
  published: found.published,
  ...precommitment(found),
  ...always(calendar),
});

/** Whether a day's root was published before the day began, and why not. The first days of a beacon are published later. */
function precommitment({ day, published }: Day) {
  if (Date.parse(published) < dayStarts(day)) return { precommitted: true };
  const next_day = dayAt(dayStarts(day) + day_ms);
  return { precommitted: false, why_not_precommitted: `its day had begun; true from ${next_day} on` };
}

/** Of a coin whose sides are in the label. */
const label_place = ", label: the toss after its colon";
const hash_formula = "hex = sha256 of the text seed:label";

/** How a coin, or a draw, follows from `hex`, in a few words. */
function formulaOf(request: DrawRequest | null): string {
  if (!request) return "heads if its first byte is odd";
  if (request.kind === "int") return `${request.from} + sha256(hex,1) mod ${request.to - request.from + 1}`;
  return "Fisher-Yates from the front by sha256(hex,i) mod the number left";
}

/** The formulas in a few words, and where they are explained. */
const formulasAt = (base: string, formula = hash_formula): string =>
  `commit = sha256(seed), ${formula}; ${base}/beacon.md`;

/** Members of a lean answer while the clocks disagree, or while rounds have another length than a minute. */
const unusual = ({ round_seconds }: Calendar, { held }: { held: boolean }) => ({
  ...(held && { clock: "held" as const }),
  ...(round_seconds !== 60 && { round_seconds }),
});

/** The round that runs, and one to agree on. It begins in one to two rounds, so that there is time for that. */
export function leanOverview({ calendar }: Beacon, base: string, { now, upcoming }: Overview): LeanBeacon {
  const coming = upcoming[beacon_internal_limits.rounds_to_agree];
  const at = (round: number) => toSecond(isoTime(calendar.starts(round)));
  return {
    now: { round: now.round, ends: at(now.round + 1) },
    ...(coming && { coming: { ...coming, starts: at(coming.round) } }),
    ...unusual(calendar, now),
    formulas: formulasAt(base),
    caveat: caveat_lean,
  };
}

/** What `round` says, for a lean answer. `proof`: with the proof. */
export function leanRound(
  { calendar }: Beacon,
  base: string,
  { now }: Pick<Round, "now">,
  full: BeaconRound,
  proof: boolean,
): LeanRound {
  const { round, ends, commit, seed, value, draw, toss, agree_before, means, formula } = full;
  const { precommitted, why_not_precommitted } = full.proof;
  return {
    ...(toss !== undefined && { toss }),
    round,
    ...(agree_before !== undefined && { agree_before: toSecond(agree_before) }),
    ...(seed === null ? { ends: toSecond(ends), commit } : { seed }),
    ...(value && { value: { hex: value.hex, float: value.float, coin: value.coin } }),
    ...(means !== undefined && { means }),
    ...(draw && { result: draw.result }),
    precommitted,
    ...(why_not_precommitted !== undefined && { why_not_precommitted }),
    ...unusual(calendar, { held: seed === null && now.held }),
    ...(proof && { proof: { ...full.proof, commit } }),
    formulas: formulasAt(base, formula),
    caveat: caveat_lean,
  };
}

const how = (base: string, { round_seconds }: Calendar): string[] => [
  `Rounds are numbered by time: round = floor(unix_seconds / ${round_seconds}).`,
  "Agree on a round that has not begun, and on a label if you want more than one draw of it. Keep its commit.",
  `A toss is one line that has both: GET ${base}/api/beacon/toss?label={about}&heads={meaning}&tails={meaning} proposes one, and ` +
    `GET ${base}/api/beacon/toss?toss={line} reads the same one for everybody who has the line.`,
  `When the round has ended, GET ${base}/api/beacon/{round}?label={label} and take the seed.`,
  "printf '%s' \"$seed\" | sha256sum gives the commit: the seed was fixed before anybody could ask for it.",
  'printf \'%s:%s\' "$seed" "$label" | sha256sum gives value.hex. float is its first 13 hex digits / 2^52; coin is heads ' +
    "when its first byte is odd.",
  "?int=1..6, ?pick=x,y,z&n=2 and ?shuffle=x,y,z draw without bias: printf '%s,%s' \"$hex\" 1 | sha256sum, modulo the number " +
    "of outcomes; the answer lists the steps.",
  `The commits of a UTC day are the leaves of a Merkle tree (RFC 6962) whose root is signed: GET ${base}/api/beacon/days/{yyyy-mm-dd}`,
  "published says when that was; precommitted, whether it was before the day began. Days are published a week ahead, except for " +
    "the first ones of a beacon.",
  `wharf beacon verify {round} --url ${base} checks all of that without trusting this service.`,
];
