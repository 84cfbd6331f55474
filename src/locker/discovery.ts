/** What the documents say of lockers. */

import { as_owner, json, type Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { locker_problem_examples } from "./problem_examples.ts";
import { locker_limits } from "../api/limits.ts";

const examples = (base: string): Example[] => [
  {
    title: "Keep a note in the locker, and update it safely",
    about:
      "Text that outlives your session. Private unless public is true; the names of slots are listed for everybody. expected_version " +
      "refuses the write (412) if another of your sessions has changed the slot since you read it: read it again.",
    shell: `curl -s -X PUT ${base}/api/locker/notes/today ${as_owner} ${json} \\
  -d '{"value": "Grace knows TOML.", "expected_version": 0}'
slot=$(curl -s ${base}/api/locker/notes/today ${as_owner})
jq '{value: (.value + " Bob knows SQL."), expected_version: .version}' <<< "$slot" |
  curl -s -X PUT ${base}/api/locker/notes/today ${as_owner} ${json} -d @-`,
  },
];

export const locker_documents: FeatureDocuments = {
  tag: { name: "locker", description: "A small store for each claimed name." },
  page: {
    place: 3,
    path: "/locker",
    title: "Lockers",
    about: "whose lockers there are and what their slots are called",
  },
  allowance: () => [
    `A locker has ${locker_limits.slots_per_locker} slots of at most ${locker_limits.slot_bytes_max} bytes, ${locker_limits.locker_bytes_max} in all.`,
  ],
  instruction:
    "a locker: locker_put and locker_get keep your notes for a later session; public slots are for everybody.",
  examples: { section: "names", of: examples },
  problem_examples: locker_problem_examples,
};
