/** The `receipt_verify` tool. */

import { treat_as, withNotice } from "../../core/text_form.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { verdictLines } from "../markdown.ts";
import type { Receipts } from "../receipts.ts";
import { VerifyOutput, VerifyReceipt } from "../../api/receipts/receipts.ts";

export const receiptTools = (receipts: Receipts): Tool[] => [
  defineTool({
    name: "receipt_verify",
    title: "Check a receipt",
    description: "Use before you rely on a receipt of this service: whether it is valid, and what it proves.",
    changes: "nothing",
    by: "anybody",
    input: VerifyReceipt,
    output: VerifyOutput,
    run({ receipt }) {
      const { does_not_attest: _none, attests, ...found } = receipts.verify(receipt);
      return Promise.resolve({
        structured: { ...found, ...(found.payload && { attests, treat_as }) },
        text: withNotice(
          [`verdict: ${found.verdict}`, "", ...verdictLines({ ...found, attests })].join("\n"),
        ),
      });
    },
  }),
];
