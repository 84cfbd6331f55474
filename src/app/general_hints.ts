/** What a caller does next after an error of no feature. An error that is raised with a hint keeps it. */

import { account_path } from "../api/account.ts";
import { name_calls } from "../api/calls.ts";
import type { About } from "../core/about.ts";
import type { scope_errors } from "../core/admin.ts";
import type { caller_errors } from "../core/caller_errors.ts";
import type { call_errors } from "../core/general_errors.ts";
import { merged } from "../core/feature.ts";
import { hint, hintsFor, words, type Hints, type HintsOf, type HintTable } from "../core/hints.ts";
import type { Policy } from "../core/policy.ts";
import type { web_errors } from "../web/errors.ts";
import { declared } from "./commands.ts";

const { claim, recover } = name_calls;

const document = words({ http: "GET /openapi.json" });
const key_words = {
  http: "Send the headers x-wf-name and x-wf-key.",
  tool: "Make the same call with your name's key.",
  command: "Say who calls: --as NAME, whose key 'wharf login' saves.",
};
const send_key = words(key_words);
/** Where clients can sign in by OAuth: a key among the arguments stays in the transcript of the agent. */
const send_key_or_sign_in = words({
  ...key_words,
  tool: `Make the same call with your name's key, or at ${account_path}, where your client signs in.`,
});
const other_name = words({
  http: "Or speak under another name.",
  tool: "Or make it under another name.",
  command: "Or speak under another name: --as NAME",
});

function claimFirst(key: ReturnType<typeof words>) {
  return hint`${key} A name is claimed first: ${claim.with({ name: "…" })}`;
}

const general_hints = {
  malformed_request: "Correct what the detail names, and send the request again.",
  malformed_json: "Send one JSON object, encoded as UTF-8.",
  malformed_form: hint`Send the form as UTF-8. Programs send JSON: ${document} has every call.`,
  invalid_fields: words({
    http: "Correct what errors names. GET /openapi.json has the rules of every field.",
    command: "Correct it, and run the command again.",
  }),
  invalid_characters: words({
    http: "Leave out the characters at the places that errors names.",
    command: "Leave these characters out.",
  }),
  unknown_field: hint`Leave the field out. ${document} has the fields of every call.`,
  idempotency_in_progress: "Send the same call again in a second: it gets the answer of the first.",
  idempotency_key_reused: words({
    http: "Send the first call again as it was, or this one with a new key.",
    tool: "Send a new once, or the arguments of the first call.",
  }),
  rate_limited: words({
    http: "Send the same call again after as many seconds as Retry-After says.",
    command: "Run the command again later.",
  }),
  too_many_open: "Close one, or wait until one is answered.",
  unknown_credential: "Check the name and its key, or leave both out where none is needed.",
  "unknown_credential.access_token": "Get another one with the refresh token, or sign in again.",
  "unknown_credential.access_token_as_key": words({
    http: "Send it as Authorization: Bearer.",
    tool: "Leave key out: a client that has signed in sends its token with every request.",
  }),
  "unknown_credential.host_key": words({
    http: "Send it as the header x-meet-key.",
    tool: "Send it to meet_close as host_key.",
    command: "It closes its room: 'wharf close ROOM'",
  }),
  "unknown_credential.no_key": words({
    tool: "Send your name's key, or leave key out. A slot is named by slot, a room by room.",
  }),
  "unknown_credential.recovery_code": hint`It gets a new key: ${recover.with({ name: "…", recovery_code: "…" })}`,
  "unknown_credential.two_keys": words({
    http: "Send the key once: as x-wf-key, or as Authorization: Bearer.",
    tool: "Send one key: with the call, or with every request of the client.",
  }),
  credential_required: claimFirst(send_key),
  name_suspended: "Speak under another name, or ask the operator.",
  name_reserved: "Take another name.",
  name_is_claimed: hint`${send_key} ${other_name}`,
  name_mismatch: words({
    http: "Send the key's own name in the body, or leave the credential out.",
    tool: "Leave name out: the key tells it.",
    command: "Leave --as out: the key tells the name.",
  }),
  address_banned: "Ask the operator.",
  scope_missing: "The owner makes a token with more rights: wharf admin token --scope operate",
  contains_key: words({
    http: "Send keys as headers: x-wf-key, or x-meet-key for a host_key. If others may have seen the key: POST /api/name/revoke",
    tool: "Take the key out, then make the same call. If others may have seen it, revoke it: no tool does that, /api.md says how.",
    command: "Take the key out, and run the command again. If others may have seen it: 'wharf name revoke -'",
  }),
  origin_refused:
    "Call from a program, which sends no Origin. The operator can allow a page with --allowed-origin.",
  path_not_found: hint`${document} names every path.`,
  method_not_allowed: "Use a method that the Allow header names.",
  unknown_method: hint`${document} says which path takes which method.`,
  not_acceptable: "Leave the Accept header out.",
  body_too_large: "Send less: the detail names the limit.",
  unsupported_media_type: "Send the header content-type: application/json",
  host_not_served: "Call the service by a name that its operator serves.",
} satisfies HintsOf<typeof call_errors & typeof caller_errors & typeof scope_errors & typeof web_errors>;

/** The hints of this file and of the features. Throws if a hint is in both. */
function withGeneral(of_features: HintTable): HintTable {
  return merged([general_hints, of_features]) as HintTable;
}

/** The hints of an instance where everybody may claim a name. */
export const service_hints = withGeneral(declared.hints);

/** The hints for each setting of `claims`. `contact`: the setting of that name. */
export const hintsForEachPolicy = (contact: string | null): HintTable[] =>
  (["open", "invite", "closed"] as const).map((claims) => ({
    ...service_hints,
    ...policyHints({ claims, contact, oauth: false }),
  }));

/** The hints of an instance by kind of caller. `of_features`: the hints of its features. */
export function hintsOfInstance(
  of_features: HintTable,
  policy: Policy & Pick<About, "contact">,
): Record<"http" | "tool", Hints> {
  const table = { ...withGeneral(of_features), ...policyHints(policy) };
  return { http: hintsFor("http", table), tool: hintsFor("tool", table) };
}

/**
 * What a caller without a claimed name does next where the operator has set who may claim one, or lets clients sign in; empty if
 * neither.
 */
function policyHints({
  claims,
  contact,
  oauth,
}: Pick<Policy, "claims" | "oauth"> & Pick<About, "contact">): HintTable {
  const key = oauth ? send_key_or_sign_in : send_key;
  if (claims === "open") return oauth ? { credential_required: claimFirst(key) } : {};
  const whom = contact === null ? "" : ` Contact: ${contact}`;
  if (claims === "closed") {
    return {
      credential_required: hint`${key} No new names are claimed here.${whom}`,
      name_not_claimed: "Claims are closed here.",
    };
  }
  const invited = claim.with({ name: "…", invite: "wfi_…" }, "--invite CODE");
  return {
    credential_required: hint`${key} A name is claimed with an invitation of the operator: ${invited}${whom}`,
    invite_required: hint`${invited} claims it. The operator gives out invitations.${whom}`,
    name_not_claimed: hint`It is claimed with an invitation of the operator: ${invited}${whom}`,
  };
}
