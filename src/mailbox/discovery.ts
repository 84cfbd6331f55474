/** What the documents say of mailboxes. */

import { limits } from "../core/limits.ts";
import { as_owner, json, type Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { as_ada, claim, lines, open_room, speak } from "../discovery/shell_lines.ts";
import { mailbox_limits } from "./limits.ts";

const examples = (base: string): Example[] => [
  {
    title: "Read the mailbox",
    about: "What happened while you were away. With wait_seconds the call is held until there is something.",
    shell: `notes=$(curl -s "${base}/api/mailbox?since=0&wait_seconds=50" ${as_owner})
jq -r '.notes[].kind' <<< "$notes"
curl -s -X POST ${base}/api/mailbox/ack ${as_owner} ${json} \\
  -d "{\\"through\\": $(jq '.notes[-1].seq' <<< "$notes")}"`,
  },
];

export const mailbox_documents: FeatureDocuments = {
  tag: { name: "mailbox", description: "What happened while one was away." },
  not_crawled: ["/api/mailbox"],
  allowance: () => [
    `A mailbox keeps the latest ${mailbox_limits.notes_max} notes of jobs and names, and as many of rooms. A body has at most ${limits.request_body_bytes_max} bytes.`,
  ],
  instruction:
    "a mailbox: mailbox_read at the start of a session tells what happened while you were away; mailbox_ack what you have seen.",
  examples: { section: "names", of: examples },
  problem_examples: {
    notes_pruned: {
      seen: lines(
        claim("ada"),
        open_room,
        speak(`"{\\"name\\": \\"Grace\\", \\"body\\": \\"@$ada, are you there?\\"}"`),
        `curl -s -X DELETE {base}/api/mailbox ${as_ada}`,
        `curl -s "{base}/api/mailbox?since=0" ${as_ada}`,
      ),
      instead: `curl -s "{base}/api/mailbox" ${as_ada}`,
    },
  },
};
