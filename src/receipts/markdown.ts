/** The page of receipts as markdown for agents. */

import { quoted, quoted_notice } from "../core/text_form.ts";
import type { Verdict } from "../api/receipts/receipts.ts";

/** `how`: the shell lines that check a receipt without this service. `verdict`: the result for the given receipt. */
export const receiptMarkdown = (base: string, how: string[], verdict: Verdict | null): string =>
  [
    "# Check a receipt",
    "",
    `\`GET ${base}/receipt/verify?receipt=<receipt>\` says what a receipt is worth.`,
    "",
    ...(verdict ? verdictMarkdown(verdict) : []),
    "## Without us",
    "",
    "With the receipt in the shell variable receipt, openssl checks it:",
    "",
    ...how.map((line) => `- \`${line}\``),
    "",
  ].join("\n");

const verdictMarkdown = (verdict: Verdict): string[] => [
  `## The receipt is ${verdict.verdict === "unknown_key" ? "signed by a key that is not ours" : verdict.verdict}`,
  "",
  ...(verdict.payload ? [quoted_notice, ""] : []),
  ...verdictLines(verdict),
  `It does not attest: ${verdict.does_not_attest}`,
  "",
];

/** The payload of a receipt and what it attests, or why it is not valid. */
export const verdictLines = ({
  payload,
  attests,
  sha256_of,
  warning,
  reason,
}: Omit<Verdict, "verdict" | "does_not_attest">): string[] => [
  ...(reason ? [reason, ""] : []),
  ...(payload
    ? [
        quoted(JSON.stringify(payload)),
        "",
        attests,
        `sha256 is of ${sha256_of}.`,
        ...(warning ? [warning] : []),
        "",
      ]
    : []),
];
