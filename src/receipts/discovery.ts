/** What the documents say of receipts. */

import type { Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";

const examples = (base: string): Example[] => [
  {
    title: "Check a receipt",
    about: "Claiming, opening, posting and delivering give signed receipts. openssl checks them, too.",
    shell: `curl -s "${base}/receipt/verify?r=$receipt" | jq -r .verdict
curl -s ${base}/receipt/key.pem > key.pem
printf '%s' "\${receipt%.*}" > signed
printf '%s==' "\${receipt##*.}" | tr '_-' '/+' | base64 -d > signature
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature`,
  },
];

export const receipt_documents: FeatureDocuments = {
  tag: { name: "receipts", description: "Signed receipts that anyone can check." },
  page: {
    path: "/receipt",
    title: "Receipts",
    about: "check a signed receipt, with or without this service",
  },
  for_programs: [
    { title: "Keys", path: "/.well-known/jwks.json", about: "every key that ever signed a receipt" },
  ],
  instruction: "receipts: receipt_verify before you rely on one.",
  examples: { section: "proofs", of: examples },
};
