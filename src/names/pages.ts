/** The pages to claim a name with a browser, which is then signed in. */

import { claim_labels, claimedPage, claimPage, keyGonePage } from "../../views/claim.tsx";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { isNonce } from "../core/idempotency.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { readForm } from "../web/body.ts";
import { browserOf } from "../web/browser_text.ts";
import type { Http } from "../web/context.ts";
import { leadingTo, nextPath } from "../web/next_path.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import { refusedPage, withoutSecrets, type FormWords } from "../web/refused_form.ts";
import { seeOtherWith } from "../web/responses.ts";
import { setSessionCookie } from "../web/session_cookie.ts";
import { name_errors } from "./errors.ts";
import type { MentionsOf } from "./calls.ts";
import type { Names } from "./names.ts";
import { claimed as receiptOfClaim } from "./receipt.ts";
import { Claim, treat_as } from "../api/names/names.ts";
import { reserved_rules } from "../api/names/rules.ts";

/**
 * Begins a session under the name of the caller, who sent its key, and returns the cookie. `former`: the browser's session;
 * `browser`: which one it is, in words.
 */
export type SignIn = (caller: Caller, former: string | null, browser: string | null) => Promise<string>;

interface ClaimPagesDeps {
  names: Names;
  signIn: SignIn;
  mentionsOf: MentionsOf;
  receipts: Receipts;
}

interface SentClaim {
  name?: string;
  invite?: string;
  next?: string;
  once?: string;
}

/** What the page with the key of a name shows. */
interface GivenSecrets {
  canonical: string;
  name: string;
  created: string;
  key: string;
  recovery_code: string;
}

const key_page = "/claim/key";
const checkClaim = checkBy(Claim, "body");
const no_credential = { name: null, key: null };

export function claimPages({ names, signIn, mentionsOf, receipts }: ClaimPagesDeps, http: Http) {
  const { access, origins, idempotency, siteOf, shown_once } = http;
  const rules = { claims: names.claims, reserved: reserved_rules };

  return access
    .get(
      "/claim",
      async ({ request, caller, base, query }) => {
        const next = nextPath(base, query.next ?? request.headers.get("referer"));
        const form = { ...withoutSecrets({ name: query.name ?? "" }), next, once: names.newForm() };
        return sendPage(await claimPage(await siteOf({ caller, base }), rules, form));
      },
      {
        // Under `--read members`, nobody could become a member without it.
        needs: "public",
        ...pageDoc({
          summary: "The form to claim a name",
          operation_id: "readClaimPage",
          media: ["text/html"],
        }),
      },
    )
    .post(
      "/claim",
      async ({ request, caller, base }) => {
        const form: SentClaim = await readForm(request, origins);
        const next = nextPath(base, form.next);
        const once = isNonce(form.once) ? form.once : names.newForm();
        const at = () => caller.address;
        try {
          refuseSecretsIn({ name: form.name, next: form.next });
          const invite = form.invite?.trim();
          const sent = checkClaim({ name: form.name?.trim(), ...(invite && { invite }) });
          // A repetition comes with the cookie of the first answer, and is the same call.
          const anybody = await names.authenticate(at, no_credential);
          const claimed = await idempotency.runForm(request, anybody, { ...sent, once }, (call) =>
            names.claim(anybody, sent, call),
          );
          const { canonical, name, created } = claimed.record;
          // A nonce counts as a random key, so that a repetition has the secrets, too.
          const [key, recovery_code] = [claimed.key!, claimed.recovery_code!];
          const holder = await names.authenticate(at, { name, key });
          const cookie = await signIn(holder, caller.session, browserOf(request.headers));
          const given: GivenSecrets = { canonical, name, created, key, recovery_code };
          // `next` can be longer than a cookie.
          return seeOtherWith(leadingTo(base + key_page, next), [
            setSessionCookie(base, cookie)["set-cookie"],
            shown_once.cookie(base + key_page, cookie, given),
          ]);
        } catch (error) {
          const { name } = withoutSecrets({ name: form.name ?? "" });
          return refusedPage(error, claimWords(base, name, next), async (refusal) =>
            claimPage(await siteOf({ caller, base }), rules, { name, next, once, refusal }),
          );
        }
      },
      { needs: "public", parse: "none", ...undocumented },
    )
    .get(
      key_page,
      async ({ request, caller, base, query }) => {
        const site = await siteOf({ caller, base });
        const given = shown_once.secretsFor(request, base, base + key_page) as GivenSecrets | null;
        if (given === null) return sendPage(await keyGonePage(site));
        const { canonical, name, created, ...secrets } = given;
        const anybody = await names.authenticate(() => caller.address, no_credential);
        const shown = {
          ...secrets,
          name,
          next: nextPath(base, query.next),
          mentions: await mentionsOf(anybody, name, created),
          treat_as,
          receipt: receipts.shown(receiptOfClaim({ canonical, name, created })),
        };
        return sendPage(await claimedPage(site, shown));
      },
      { needs: "public", ...undocumented },
    )
    .post(
      key_page,
      async ({ request, base }) => {
        const { next } = await readForm(request, origins);
        return seeOtherWith(base + nextPath(base, next), [shown_once.ended(base + key_page)]);
      },
      { needs: "public", parse: "none", ...undocumented },
    );
}

const claimWords = (base: string, name: string, next: string): FormWords => ({
  labels: claim_labels,
  by_code: {
    [name_errors.name_taken.code]: {
      field: "name",
      say: [
        `${name}, or a name that looks like it, belongs to somebody. If it is you, `,
        { text: "sign in", href: `${base}/signin?next=${encodeURIComponent(next)}` },
        "; else choose another name.",
      ],
    },
    [caller_errors.name_reserved.code]: {
      field: "name",
      say: `Nobody can claim ${name}: it is reserved. Choose another name.`,
    },
    [caller_errors.name_suspended.code]: { field: "name" },
    [call_errors.rate_limited.code]: { field: "name" },
    [name_errors.invite_required.code]: {
      field: "invite",
      say: "Enter the invitation that the operator gave you.",
    },
    [name_errors.invite_refused.code]: { field: "invite" },
  },
});
