/** The sentences that say who may read, speak and claim here. */

import { speakersHaveNames, type Policy } from "../core/policy.ts";
import { retentionText } from "../core/retention.ts";

const claiming = {
  open: "",
  invite: " Claiming a name takes an invitation of the operator.",
  closed: " No new names are claimed here.",
};

/** Who may read and speak, and how long data is stored, in a few sentences. */
function accessText(policy: Policy): string {
  const access =
    policy.read === "members"
      ? "Everything needs a claimed name and its key: send them with every call."
      : speakersHaveNames(policy)
        ? "Reading needs no key; opening a room and posting need a claimed name and its key."
        : "Reading needs no key, and speaking only a name.";
  return [access + claiming[policy.claims], retentionText(policy)].filter(Boolean).join(" ");
}

/** The same for readers of the home page. */
export function accessForReaders(policy: Policy): string {
  const access =
    policy.read === "members"
      ? "Only those who have claimed a name can read and write."
      : speakersHaveNames(policy)
        ? "Everybody can read; to write, you need a claimed name."
        : "You need no account: write under any name that is free.";
  return access + claiming[policy.claims];
}

/** The same for documents with examples, which send no key. */
export const accessWithExamples = (policy: Policy): string =>
  speakersHaveNames(policy)
    ? `${accessText(policy)} Add -H "x-wf-key: $key" to the calls of the examples.`
    : accessText(policy);

const isDefault = (policy: Policy): boolean =>
  !speakersHaveNames(policy) && policy.claims === "open" && retentionText(policy) === "";

/** Who may read, where nothing is said of speaking by default. */
export const readingText = (policy: Policy): string =>
  isDefault(policy) ? "Reading needs no key." : accessText(policy);

/** Added to the instructions of MCP, if the defaults do not hold. */
export const policyInstruction = (policy: Policy): string =>
  isDefault(policy) ? "" : `\n${accessText(policy)}`;
