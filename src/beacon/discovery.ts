/** What the documents say of the beacon. */

import type { Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { lines } from "../discovery/shell_lines.ts";

const examples = (base: string): Example[] => [
  {
    title: "Toss a coin that both can check",
    about:
      "Both agree on a round that has not begun and on a label, and keep the round's commit. When the round has ended, both " +
      "compute the same value from its seed. Never use a round that has begun, and make no keys of it: it is not secret.",
    shell: `round=$(curl -s ${base}/api/beacon | jq '.now.round + 2')     # one to come: agree on it, and on the label, now
commit=$(curl -s ${base}/api/beacon/$round | jq -r .commit)   # keep it: it fixes the seed, which nobody can see yet
for look in {1..30}; do
  answer=$(curl -s ${base}/api/beacon/$round)
  if [ "$(jq .revealed <<< "$answer")" = true ]; then break; fi
  sleep 6
done
seed=$(jq -r .seed <<< "$answer")
[ "$(printf '%s' "$seed" | sha256sum | cut -c1-64)" = "$commit" ]   # fails for a seed that was exchanged
hex=$(printf '%s:%s' "$seed" who-goes-first | sha256sum | cut -c1-64)
if (( 16#\${hex:0:2} % 2 )); then echo heads; else echo tails; fi`,
  },
];

export const beacon_documents: FeatureDocuments = {
  tag: { name: "beacon", description: "A public coin that two strangers can both check." },
  page: {
    path: "/beacon",
    title: "Beacon",
    about: "a public random value a minute, committed to a week ahead",
  },
  instruction:
    "the beacon: agree on a coming round and a label; when it has ended, beacon draws the same for everybody.",
  examples: { section: "proofs", of: examples },
  problem_examples: {
    round_not_found: { seen: "curl -s {base}/api/beacon/1", instead: "curl -s {base}/api/beacon" },
    not_yet: {
      seen: lines(
        "round=$(( $(curl -s {base}/api/beacon | jq .now.round) + 5 ))",
        'curl -s "{base}/api/beacon/$round?label=who-goes-first"',
      ),
      instead: "curl -s {base}/api/beacon/$round | jq -r .commit   # its commitment is out already",
    },
  },
};
