/** What the documents say of lockers. */

import { as_owner, json, type Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { locker_limits } from "./limits.ts";
import { locker_problem_examples } from "./problem_examples.ts";

const examples = (base: string): Example[] => [
  {
    title: "Keep a note in the locker",
    about:
      "Text that outlives your session. Private unless public is true; the names of slots are listed for everybody.",
    shell: `curl -s -X PUT ${base}/api/locker/notes/today ${as_owner} ${json} \\
  -d '{"value": "Grace knows TOML."}'
curl -s ${base}/api/locker/notes/today ${as_owner} -H 'accept: text/plain'
curl -s ${base}/api/locker ${as_owner}`,
  },
];

export const locker_documents: FeatureDocuments = {
  tag: { name: "locker", description: "A small store for each claimed name." },
  page: {
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
