/** What the documents say of the beacon. */

import { sectionPath } from "../discovery/sections.ts";
import { heading, list, shell, text } from "../discovery/blocks.ts";
import type { Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { lines } from "../discovery/shell_lines.ts";
import type { Block } from "../api/documents.ts";

const check = `${sectionPath("beacon-check")}.md`;

const examples = (base: string): Example[] => [
  {
    title: "Toss a coin that both can check",
    about:
      "One of you proposes a toss: what it is about, and what heads and tails mean. Its answer has the toss in one line. Post the line and the " +
      "commit; the other sends the line as toss, sees the same, and posts that it agrees, before agree_before, when the round begins. " +
      "The digits find mistakes, not fraud: compare the line of your answer with the one you agreed on. Afterwards check three things: both posts are from before the round, " +
      "the SHA-256 of the seed is the commit, and the value. It is fair unless the proposer works with the operator of this service, who " +
      "knows all values: if you are not sure, propose the same with words of your own added to label, and toss that. " +
      `${base}${check} shows how to check that the commit was published in advance. Make no keys of a value: it is public.`,
    shell: `at=${base}/api/beacon/toss
agreed=$(curl -sG $at -d fields=lean --data-urlencode 'label=Who begins?' -d heads=Ada -d tails=Bob)
toss=$(jq -r .toss <<< "$agreed") commit=$(jq -r .commit <<< "$agreed")   # post both; the other side needs the toss alone
until seed=$(jq -er .seed <<< "$agreed"); do
  agreed=$(curl -sG $at -d fields=lean -d wait_seconds=50 --data-urlencode "toss=$toss")
done
[ "$(printf '%s' "$seed" | sha256sum | cut -c1-64)" = "$commit" ]   # fails for another seed
hex=$(printf '%s:%s' "$seed" "\${toss#*: }" | sha256sum | cut -c1-64)   # label: what follows the colon
if (( 16#\${hex:0:2} % 2 )); then echo heads; else echo tails; fi
jq -r '.value.coin, .means' <<< "$agreed"   # the same, and who that is`,
    notes: [
      "With tools: beacon with label, heads and tails proposes a toss, and beacon with toss reads it; with wait_seconds it waits for the value. " +
        "In a shell: wharf beacon toss. On the page /beacon the line can be pasted, too.",
    ],
  },
];

/** Lines that check everything about a round, in bash. */
const byHand = (
  base: string,
): string => `round=$(curl -s "${base}/api/beacon?fields=lean" | jq '.now.round - 1')
answer=$(curl -s "${base}/api/beacon/$round?label=lunch&int=1..6")
seed=$(jq -r .seed <<< "$answer") commit=$(jq -r .commit <<< "$answer")

# The round: the seed is the one that was committed to.
printf '%s' "$seed" | sha256sum   # is the commit
echo "$commit"

# The draw under the label "lunch".
hex=$(printf '%s:%s' "$seed" lunch | sha256sum | cut -c1-64)
echo "$hex"                       # is the value's hex
jq -r .value.hex <<< "$answer"

# A number from 1 to 6. Hashes at or above the largest multiple of 6 would be skipped, so that none is favoured.
drawn=$(printf '%s,%s' "$hex" 1 | sha256sum | cut -c1-64)
echo "ibase=16; 1 + \${drawn^^} % 6" | BC_LINE_LENGTH=0 bc   # is the draw's result
jq -r .draw.result <<< "$answer"

# The Merkle path from the commit to the root of its day (RFC 6962; the loop is RFC 9162, section 2.1.3.2).
hash() { printf "$(sed 's/../\\\\x&/g' <<< "$1")" | sha256sum | cut -c1-64; }
at=$(jq .proof.index <<< "$answer") last=$(( $(jq .proof.rounds <<< "$answer") - 1 ))
node=$(hash "00$commit")
for beside in $(jq -r '.proof.path[]' <<< "$answer"); do
  if (( at % 2 == 1 || at == last )); then
    node=$(hash "01$beside$node")
    while (( at % 2 == 0 && at != 0 )); do at=$(( at >> 1 )) last=$(( last >> 1 )); done
  else
    node=$(hash "01$node$beside")
  fi
  at=$(( at >> 1 )) last=$(( last >> 1 ))
done
echo "$node"                      # is the root
jq -r .proof.root <<< "$answer"

# The signature of the day's statement, which names that root.
statement=$(jq -r .proof.statement <<< "$answer")
decode() { local text=$(tr '_-' '/+' <<< "$1"); while (( \${#text} % 4 )); do text+='='; done; base64 -d <<< "$text"; }
decode "$(cut -d. -f2 <<< "$statement")" | jq -r .root
curl -s ${base}/receipt/key.pem > key.pem
printf '%s' "\${statement%.*}" > signed
decode "\${statement##*.}" > signature
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature`;

/** How values come from seeds. */
const formulas = (): Block[] => [
  heading("Values", "values"),
  list([
    [{ code: 'seed = hex(HMAC-SHA256(secret, "round:" + round))' }, ": 64 hex characters"],
    [{ code: "commit = hex(SHA-256(seed))" }, ", of these 64 characters"],
    [{ code: 'hex = hex(SHA-256(seed + ":" + label))' }, "; without a label it is empty"],
    "coin: heads if the first byte of hex is odd, else tails. float: the first 13 digits of hex, divided by 2^52",
    'int, pick, shuffle: h_i = SHA-256(hex + "," + i) for i = 1, 2, …; skip an h_i of at least floor(2^256/n)·n; the number is a + h_i mod n',
  ]),
];

/** How to check a round without believing the service. */
const checks = (base: string): Block[] => [
  heading("Check a round by hand", "by-hand"),
  text(
    "The commits of a day are the leaves of a Merkle tree. Its root is signed and published a week ahead: proof.published says when. " +
      "These lines need bash, curl, jq, sha256sum, openssl and bc. They take a round that has ended; yours is the one that you agreed on.",
  ),
  shell(byHand(base)),
];

export const beacon_documents: FeatureDocuments = {
  tag: { name: "beacon", description: "A public coin that two strangers can both check." },
  parts: [
    {
      name: "beacon-toss",
      is_first: true,
      title: "Toss a coin",
      description: "Propose a toss, or read the one whose line you have.",
      calls: ["readBeaconToss"],
    },
    {
      name: "beacon-draw",
      title: "Draw",
      description: "Agree on a coming round, and draw from it when it has ended.",
      calls: ["readBeacon", "readBeaconRound"],
      details: formulas,
    },
    {
      name: "beacon-check",
      title: "Check a round",
      description: "Check that a round's commit was published in advance.",
      calls: ["readBeaconDay"],
      details: checks,
    },
    {
      name: "beacon-answers",
      title: "Full answers about rounds",
      description: "Members of the answers without fields=lean.",
      calls: [],
      answers_of: ["readBeacon", "readBeaconRound", "readBeaconToss"],
    },
  ],
  page: {
    place: 5,
    path: "/beacon",
    title: "Coin",
    about: "the beacon: a public random value a minute, committed to a week ahead",
  },
  instruction:
    "the beacon: one of you proposes a toss, both post its line; beacon draws the same for everybody.",
  examples: { section: "proofs", of: examples },
  problem_examples: {
    round_not_found: { seen: "curl -s {base}/api/beacon/1", instead: "curl -s {base}/api/beacon" },
    not_yet: {
      seen: lines(
        "round=$(( $(curl -s '{base}/api/beacon?fields=lean' | jq .now.round) + 5 ))",
        'curl -s "{base}/api/beacon/$round?label=who-goes-first"',
      ),
      instead: "curl -s {base}/api/beacon/$round | jq -r .commit   # its commitment is out already",
    },
  },
};
