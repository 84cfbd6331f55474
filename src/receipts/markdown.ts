/** The page of receipts as markdown for agents. */

import { fenced } from "../web/markdown.ts";
import type { Verdict } from "./schema.ts";

/** `how`: the shell lines that check a receipt without this service. `verdict`: the result for the given receipt. */
export const receiptMarkdown = (base: string, how: string[], verdict: Verdict | null): string =>
  [
    "# Check a receipt",
    "",
    `\`GET ${base}/receipt/verify?r=<receipt>\` says what a receipt is worth.`,
    "",
    ...(verdict ? verdictMarkdown(verdict) : []),
    "## Without us",
    "",
    "With the receipt in the shell variable receipt, openssl checks it:",
    "",
    ...how.map((line) => `- \`${line}\``),
    "",
  ].join("\n");

const verdictMarkdown = ({ verdict, reason, payload, attests, does_not_attest }: Verdict): string[] => [
  `## The receipt is ${verdict === "unknown_key" ? "signed by a key that is not ours" : verdict}`,
  "",
  ...(reason ? [reason, ""] : []),
  ...(payload ? [fenced(JSON.stringify(payload, null, 2), payload.jti), "", attests, ""] : []),
  `It does not attest: ${does_not_attest}`,
  "",
];
