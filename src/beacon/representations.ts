/** Turns the beacon's results into their API representations. */

import { isoTime } from "../core/clock.ts";
import { toSecond } from "../core/text_form.ts";
import { drawn } from "./draw_query.ts";
import type { Beacon, Overview, Round } from "./beacon.ts";
import type { Day } from "./days.ts";
import { valueOf } from "./derivation.ts";
import { dayStarts, type Calendar } from "./rounds.ts";
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

/** A round; after its end with its value and the requested draw. */
export function round(
  { calendar }: Beacon,
  found: Round,
  label: string,
  request: DrawRequest | null,
): BeaconRound {
  const { round, now, commit, seed, proof } = found;
  const { day } = proof;
  const drew = seed === null ? null : drawn(seed, label, request);
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
    proof: {
      day: day.day,
      index: proof.index,
      rounds: day.rounds,
      path: proof.path,
      root: day.root,
      statement: day.statement,
      published: day.published,
      precommitted: isPrecommitted(day),
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
  precommitted: isPrecommitted(found),
  ...always(calendar),
});

/** Whether a day's root was published before the day began. The first days of a beacon are published later. */
const isPrecommitted = ({ day, published }: Day): boolean => Date.parse(published) < dayStarts(day);

/** The formulas in a few words, and where they are explained. */
const formulasAt = (base: string): string =>
  `commit = sha256(seed), value = sha256(seed:label), of text; ${base}/beacon.md`;

/** Members of a lean answer while the clocks disagree, or while rounds have another length than a minute. */
const unusual = ({ round_seconds }: Calendar, { held }: { held: boolean }) => ({
  ...(held && { clock: "held" as const }),
  ...(round_seconds !== 60 && { round_seconds }),
});

/** The round that runs, and one to agree on. It begins in one to two rounds, so that there is time for that. */
export function leanOverview({ calendar }: Beacon, base: string, { now, upcoming }: Overview): LeanBeacon {
  const coming = upcoming[2];
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
  const { round, ends, commit, seed, value, draw } = full;
  return {
    round,
    ...(seed === null ? { ends: toSecond(ends), commit } : { seed }),
    ...(value && { value: { hex: value.hex, float: value.float, coin: value.coin } }),
    ...(draw && { result: draw.result }),
    precommitted: full.proof.precommitted,
    ...unusual(calendar, { held: seed === null && now.held }),
    ...(proof && { proof: { ...full.proof, commit } }),
    formulas: formulasAt(base),
    caveat: caveat_lean,
  };
}

const how = (base: string, { round_seconds }: Calendar): string[] => [
  `Rounds are numbered by time: round = floor(unix_seconds / ${round_seconds}).`,
  "Agree on a round that has not begun, and on a label if you want more than one draw of it. Keep its commit.",
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
