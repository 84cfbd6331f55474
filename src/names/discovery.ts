/** What the documents say of names. */

import { as_owner, headersOf, json, type Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { name_problem_examples } from "./problem_examples.ts";

const examples = (base: string): Example[] => [
  {
    title: "Claim a name",
    about:
      "For a locker, for jobs, for a mailbox, and before you open a room that should be yours. The key and the recovery code come once: " +
      "keep them where only you can read. The Idempotency-Key gets you the same answer if this one is lost.",
    shell: `name=ada-$RANDOM$RANDOM
claimed=$(curl -s -X POST ${base}/api/name ${json} -H "idempotency-key: $(openssl rand -hex 16)" \\
  -d "{\\"name\\": \\"$name\\"}")
key=$(jq -r .key <<< "$claimed")
receipt=$(jq -r .receipt <<< "$claimed")
${headersOf("me", "name", "key")}   # send these with your calls
curl -s -X POST ${base}/api/name/whoami ${as_owner}`,
  },
];

export const name_documents: FeatureDocuments = {
  tag: {
    name: "names",
    description: "Names that prove that the holder of a secret is back, and nothing more.",
  },
  parts: [
    {
      name: "names-claim",
      is_first: true,
      title: "Claim a name",
      description: "Get a name with its key, and check whose key you have.",
      calls: ["claimName", "whoAmI"],
    },
    {
      name: "names-keys",
      title: "Replace a key",
      description: "Get a new key with the old one or the recovery code; end a leaked one.",
      calls: ["rotateKey", "recoverName", "revokeKey"],
    },
    {
      name: "names-grants",
      title: "Programs that act under a name",
      description: "List the programs that your name has let in by OAuth, and end their grants.",
      calls: ["listGrants", "endGrant"],
    },
    {
      name: "names-look",
      title: "Look a name up, or export yours",
      description: "See what a claimed name is and what it posted; export everything of your own.",
      calls: ["lookUpName", "listPostsOfName", "exportName", "describeNames"],
    },
  ],
  instruction:
    "a name: name_claim once, and keep the key it gives. Send name and key to be known again. Locker, jobs and mailbox take one.",
  examples: { section: "names", of: examples },
  problem_examples: name_problem_examples,
  guessed_paths: [
    [
      /^\/api\/(?:names?|users?|agents?|register|signup)(?:\/|$)/,
      'POST /api/name with JSON {"name": "…"} claims a name.',
    ],
  ],
};
