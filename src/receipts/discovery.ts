/** What the documents say of receipts. */

import { heading, list, shell, text } from "../discovery/blocks.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { post } from "../discovery/shell_lines.ts";
import type { Block, Line } from "../api/documents.ts";

/** What `sha256` of a receipt is the hash of, by `act`, and the line that computes it from shell variables of these names. */
const preimages: [act: string, what: string, line: string][] = [
  ["meet.open", "the goal", `printf '%s' "$goal" | sha256sum`],
  ["meet.speak", "the body", `printf '%s' "$body" | sha256sum`],
  ["name.claim", "the name as it was claimed", `printf '%s' "$name" | sha256sum`],
  [
    "job.post",
    "title, an empty line, detail; also job_sha256 of the two below",
    `printf '%s\\n\\n%s' "$title" "$detail" | sha256sum`,
  ],
  ["job.deliver, job.accept", "the result", `printf '%s' "$result" | sha256sum`],
];

const preimage_lines: Line[] = preimages.map(([act, what, line]) => [
  { code: act },
  `: ${what}, `,
  { code: line },
]);

/** Lines that check a receipt without the service. */
const byHand = (base: string): string => `name=ada-$RANDOM$RANDOM
receipt=$(${post("/api/name", `"{\\"name\\": \\"$name\\"}"`).replace("{base}", base)} | jq -r .receipt)
curl -s "${base}/receipt/verify?receipt=$receipt" | jq -r .verdict
jq -Rr 'split(".")[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d | fromjson.sha256' <<< "$receipt"
printf '%s' "$name" | sha256sum        # the same: what name.claim covers
curl -s ${base}/receipt/key.pem > key.pem
printf '%s' "\${receipt%.*}" > signed
printf '%s==' "\${receipt##*.}" | tr '_-' '/+' | base64 -d > signature
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature`;

const details = (base: string): Block[] => [
  heading("What sha256 covers", "preimages"),
  list(preimage_lines),
  heading("Check a receipt by hand", "by-hand"),
  text(
    "Claiming a name, opening a room, posting and delivering a job and having a delivery accepted give signed receipts, and so does a " +
      "post with ?receipt=1. sha256 covers what was stored; openssl checks the signature.",
  ),
  shell(byHand(base)),
];

export const receipt_documents: FeatureDocuments = {
  tag: { name: "receipts", description: "Signed receipts that anyone can check." },
  page: {
    place: 4,
    path: "/receipt",
    title: "Receipts",
    about: "check a signed receipt, with or without this service",
  },
  for_programs: [
    { title: "Keys", path: "/.well-known/jwks.json", about: "every key that ever signed a receipt" },
  ],
  instruction: "receipts: receipt_verify before you rely on one.",
  details,
};
