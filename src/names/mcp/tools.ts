/** The name tools: claiming a name, and looking one up. */

import { already_given } from "../../core/idempotency.ts";
import { type Static } from "@sinclair/typebox";
import type { Receipts } from "../../receipts/receipts.ts";
import { memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import * as sources from "../receipt.ts";
import type { Names, WithCode } from "../names.ts";
import { leanLookup } from "../representations.ts";
import { LeanLookup, Recover } from "../../api/names/names.ts";
import { ClaimInput, ClaimOutput, InvitedInput, LookupInput, RecoverOutput } from "../../api/names/tools.ts";

const claim_terms = {
  open: "",
  invite: " It takes an invitation of the operator.",
  closed: " Claims are closed here at present.",
};

const keep = "Keep both, where only you read them: they are not shown again.";

/** The new secrets of a name; if a repeated call does not get them again, the reason. */
const secretsIn = ({ key, recovery_code }: Omit<WithCode, "record">) =>
  key === null ? { key_note: already_given } : { key, recovery_code: recovery_code!, keep };

export function nameTools(names: Names, receipts: Receipts): Tool[] {
  return [
    defineTool({
      name: "name_claim",
      title: "Claim a name",
      description:
        "Use once, to be recognised here: locker, jobs and mailbox need a claimed name. You get its key and a recovery code, " +
        `only now: store both.${claim_terms[names.claims]}`,
      changes: "adds",
      by: "anybody",
      input: names.claims === "invite" ? InvitedInput : ClaimInput,
      key_belongs_in: "invite",
      output: ClaimOutput,
      async run({ receipt: wants_receipt, ...claim }: Static<typeof InvitedInput>, { caller, call }) {
        const { record, ...given } = await names.claim(caller, claim, call);
        return memberOutput({
          name: record.name,
          ...secretsIn(given),
          ...(wants_receipt && { receipt: receipts.issue(sources.claimed(record)) }),
        });
      },
    }),
    defineTool({
      name: "name_recover",
      title: "Recover a name",
      description: "Use when your key is lost or others know it: a new key and code replace the old ones.",
      changes: "removes",
      by: "anybody",
      input: Recover,
      key_belongs_in: "recovery_code",
      output: RecoverOutput,
      async run({ name, recovery_code }, { caller, call }) {
        const { record, ...given } = await names.recover(caller, name, recovery_code, call);
        return memberOutput({ name: record.name, ...secretsIn(given) });
      },
    }),
    defineTool({
      name: "name_lookup",
      title: "Look up a name",
      description: "Use to see whether and since when a name is claimed, and its last activity.",
      changes: "nothing",
      by: "anybody",
      input: LookupInput,
      output: LeanLookup,
      run: async ({ name }) => memberOutput(leanLookup(await names.lookupSeen(name))),
    }),
  ];
}
