/** OpenAPI annotations of the beacon's routes. */

import { Type } from "@sinclair/typebox";
import { call_errors } from "../core/general_errors.ts";
import { QueryOf } from "../core/fields.ts";
import { beacon_errors } from "./errors.ts";
import { web_errors } from "../web/errors.ts";
import { doc, prefer_wait } from "../web/openapi/describe.ts";
import {
  BeaconDay,
  BeaconOverview,
  BeaconRound,
  LeanBeacon,
  LeanRound,
  RoundQuery,
  TossQuery,
} from "../api/beacon/beacon.ts";

const markdown = ["text/markdown"];

/** The number as clients send it. The routes also take it with .md at its end. */
export const RoundNumber = Type.Object({
  round: Type.Integer({ description: "The round's number.", minimum: 0, maximum: 999_999_999_999_999 }),
});

const { int, ...others } = RoundQuery.properties;
/** The query with a pattern. It is not in the schema, which tools share: their definitions are short. */
export const DescribedQuery = QueryOf({
  ...others,
  int: { ...int, pattern: "^-?[0-9]{1,15}\\.\\.-?[0-9]{1,15}$" },
});

const { round, int: toss_int, ...toss_others } = TossQuery.properties;
const DescribedToss = QueryOf({
  ...toss_others,
  round: { ...round, pattern: "^[0-9]{1,15}$" },
  int: { ...toss_int, pattern: DescribedQuery.properties.int.pattern },
});

/** The errors of a round, as JSON or as a page. */
export const round_failures = [
  call_errors.invalid_fields,
  call_errors.too_many_open,
  beacon_errors.round_not_found,
  beacon_errors.not_issued,
  beacon_errors.not_yet,
  beacon_errors.beacon_held,
  web_errors.not_acceptable,
];

export const docs = {
  overview: doc({
    summary: "The round that runs, the last one's seed, the next ones' commitments",
    tag: "beacon",
    operation_id: "readBeacon",
    answers: {
      200: {
        description: "The beacon now.",
        schema: BeaconOverview,
        instead: { fields: LeanBeacon },
        media: markdown,
      },
    },
    failures: [web_errors.not_acceptable, beacon_errors.beacon_held],
  }),
  round: doc({
    summary: "A round: its commitment, and its seed once it has passed",
    description:
      "With a label, or with one of int, pick and shuffle, a draw of the seed: 425 until there is one. What is out stays as it is.",
    tag: "beacon",
    operation_id: "readBeaconRound",
    params: RoundNumber,
    query: DescribedQuery,
    answers: {
      200: {
        description: "The round.",
        schema: BeaconRound,
        instead: { fields: LeanRound },
        media: markdown,
      },
    },
    headers: [prefer_wait],
    failures: round_failures,
  }),
  toss: doc({
    summary: "A toss: propose one, or read the one whose line you have",
    description:
      "Until its round has ended it says what is agreed, afterwards the result. The line that it answers with is the whole toss: " +
      "everybody who sends it as toss gets the same one. Words that differ in white space alone, or that say tails first, make the same line.",
    tag: "beacon",
    operation_id: "readBeaconToss",
    query: DescribedToss,
    answers: {
      200: {
        description: "The toss.",
        schema: BeaconRound,
        instead: { fields: LeanRound },
        media: markdown,
      },
    },
    headers: [prefer_wait],
    failures: round_failures,
  }),
  day: doc({
    summary: "A day's commitments and their signed root",
    tag: "beacon",
    operation_id: "readBeaconDay",
    params: Type.Object({ day: Type.String({ description: "A UTC day.", format: "date" }) }),
    answers: { 200: { description: "The day.", schema: BeaconDay } },
    failures: [
      call_errors.invalid_fields,
      beacon_errors.round_not_found,
      beacon_errors.not_issued,
      beacon_errors.not_yet,
    ],
  }),
};
