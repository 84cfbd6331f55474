/** The page of the webhook of the name that is signed in: what it is, and the forms that set, test and delete it. */

import { kind_words, webhook_labels, webhookPage, type ShownOutcome } from "../../views/webhook.tsx";
import type { Refusal } from "../api/pages.ts";
import {
  SetWebhook,
  type CausingKind,
  type GivenSecret,
  type WebhookForm,
  type WebhookTested,
} from "../api/webhooks.ts";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { invalidFields, isFailure } from "../core/errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import { refusedPage, withoutSecrets, type FormWords } from "../web/refused_form.ts";
import type { RequestContext } from "../web/request_context.ts";
import { seeOtherWith } from "../web/responses.ts";
import { sessionCookieOf } from "../web/session_cookie.ts";
import { webhook_errors } from "./errors.ts";
import { failureText } from "./words.ts";
import type { Webhooks } from "./webhooks.ts";

const path = "/me/webhook";
const checkSet = checkBy(SetWebhook, "body");
const page_kinds = Object.keys(kind_words) as CausingKind[];

/** A form as it was sent. `do`: which one it is; if absent, the one that sets the webhook, with a field for each kind of notes. */
type SentForm = { [Field in "do" | "url" | "authorization" | CausingKind]?: string };

type Reader = Pick<RequestContext, "request" | "caller" | "base">;

/** What the page shows beside the webhook. */
interface Shown {
  /** Of the webhook that was set just now. */
  given?: GivenSecret;
  tested?: ShownOutcome;
  form?: WebhookForm;
}

export function webhookPages(webhooks: Webhooks, { access, idle, origins, siteOf, shown_once }: Http) {
  /** The webhook of the caller; null if there is none. */
  const find = (caller: Caller) =>
    webhooks.read(caller).catch((error: unknown) => {
      if (isFailure(error, webhook_errors.webhook_not_found)) return null;
      throw error;
    });

  async function page({ request, caller, base }: Reader, { given, ...shown }: Shown = {}): Promise<string> {
    const webhook = await find(caller);
    const secret = given ?? (shown_once.secretsFor(request, base, base + path) as GivenSecret | null);
    const failed = webhook?.call?.failed;
    return webhookPage(await siteOf({ caller, base }), {
      ...shown,
      webhook,
      // It may have been set anew elsewhere since.
      given: secret?.created === webhook?.created ? secret : null,
      failed: failed ? failureText(failed) : null,
    });
  }

  async function set(reader: Reader, form: SentForm): Promise<Response> {
    const { request, caller, base } = reader;
    refuseSecretsIn(form);
    const { url = "", authorization } = form;
    const kinds = kindsIn(form);
    if (kinds.length === 0) throw invalidFields([{ path: "/kinds", message: "needs at least one choice" }]);
    const { secret, created, previous_secret_until } = await webhooks.set(
      caller,
      checkSet({
        url: url.trim(),
        ...(kinds.length < page_kinds.length && { kinds }),
        ...(authorization?.trim() && { authorization: authorization.trim() }),
      }),
    );
    const given: GivenSecret = { secret, created, previous_secret_until };
    const session = sessionCookieOf(request, () => base);
    // A browser that sends the key itself gets no cookie.
    if (session === null) return sendPage(await page(reader, { given }));
    const location = base + path;
    return seeOtherWith(location, [shown_once.cookie(location, session, given)]);
  }

  async function remove({ caller, base }: Reader): Promise<Response> {
    // A form that is sent twice succeeds twice.
    if (await find(caller)) await webhooks.remove(caller);
    return seeOtherWith(base + path, [shown_once.ended(base + path)]);
  }

  async function test(reader: Reader): Promise<Response> {
    const tested = outcomeOf(await webhooks.test(reader.caller));
    return sendPage(await page(reader, { tested }));
  }

  /** The page after a form was refused. */
  const refused = (reader: Reader, sent: SentForm, error: unknown) =>
    sent.do === undefined
      ? refusedPage(error, words, (refusal) => page(reader, { form: shownForm(sent, refusal) }))
      : refusedPage(error, { labels: {} }, ({ text = "" }) =>
          page(reader, { tested: { is_accepted: false, text } }),
        );

  return access
    .get(path, async ({ request, caller, base }) => sendPage(await page({ request, caller, base })), {
      needs: "named",
      ...pageDoc({
        summary: "The webhook of the name that is signed in",
        operation_id: "readWebhookPage",
        media: ["text/html"],
        failures: [caller_errors.credential_required],
      }),
    })
    .post(
      path,
      async ({ request, caller, base }) => {
        const reader = { request, caller, base };
        const sent: SentForm = await readForm(request, origins);
        // The receiver may take longer than a connection may be idle.
        idle.lift(request);
        try {
          if (sent.do === "delete") return await remove(reader);
          return await (sent.do === "test" ? test(reader) : set(reader, sent));
        } catch (error) {
          return refused(reader, sent, error);
        }
      },
      { needs: "named", parse: "none", ...undocumented },
    );
}

const kindsIn = (sent: SentForm): CausingKind[] => page_kinds.filter((kind) => sent[kind] !== undefined);

/** What was sent, without the Authorization header. */
const shownForm = (sent: SentForm, refusal: Refusal): WebhookForm => ({
  url: withoutSecrets({ url: sent.url ?? "" }).url,
  kinds: kindsIn(sent),
  refusal,
});

const words: FormWords = {
  labels: webhook_labels,
  by_code: {
    [webhook_errors.webhook_refused.code]: { field: "url" },
    [call_errors.rate_limited.code]: { field: "url" },
  },
};

const outcomeOf = ({ delivered, because, status }: WebhookTested): ShownOutcome =>
  because === undefined
    ? { is_accepted: delivered, text: `The receiver has accepted the test, with status ${status}.` }
    : { is_accepted: false, text: `The test has failed. ${failureText({ because, status })}` };
