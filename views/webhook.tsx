/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of the webhook of a name: where the service calls, what became of the latest call, and its forms. */

import { Html } from "@elysiajs/html";
import type { CausingKind, GivenSecret, Webhook, WebhookForm } from "../src/api/webhooks.ts";
import type { Site, Words } from "../src/api/pages.ts";
import { Ask } from "./asks.tsx";
import { Badge, CopyBox, Fault, Field, inputOf, Submit, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, revealed } from "./text.ts";

/** What happened when a note of a kind comes. */
export const kind_words: Record<CausingKind, string> = {
  "room.mention": "Somebody mentions you",
  "room.reply": "Somebody replies to you",
  "room.added": "You get a role in a private room",
  "room.slowed": "The pace of your room slows names down",
  "lease.broken": "Your lease is ended by somebody else",
  "job.claimed": "Somebody claims your job",
  "job.released": "The claim of your job is released",
  "job.lapsed": "The claim of a job ends by time",
  "job.delivered": "Your job is delivered",
  "job.reviewed": "Your delivery is reviewed",
  "job.withdrawn": "The operator withdraws a job",
};

export const webhook_labels = {
  url: "Address",
  kinds: "“Call when”",
  authorization: "Authorization header",
};

/** How a test ended. */
export interface ShownOutcome {
  is_accepted: boolean;
  text: Words;
}

interface Shown {
  webhook: Webhook | null;
  /** Why the latest call has failed. */
  failed: string | null;
  /** Null for all browsers but the one that has just set the webhook. */
  given: GivenSecret | null;
  tested?: ShownOutcome;
  form?: WebhookForm;
}

export async function webhookPage(site: Site, shown: Shown): Promise<string> {
  const { base } = site;
  const { webhook, given, tested, form } = shown;
  return (
    <Layout {...site} title="Webhook" description="Your webhook." noindex>
      <h1>Webhook</h1>
      <p class="lead">This service can call an address of yours when you have new notes.</p>
      <p>
        A call is a signed POST request that says how many notes are unread and of which kinds, and nothing
        that others wrote. The receiver then reads your mailbox.{" "}
        <a href={`${base}/api/docs/webhooks`}>How to receive calls</a>
      </p>
      {tested ? <Outcome of={tested} /> : ""}
      {given ? <Secret given={given} /> : ""}
      {webhook ? (
        <>
          <Current webhook={webhook} failed={shown.failed} />
          <form method="post" action={`${base}/me/webhook`}>
            <input type="hidden" name="do" value="test" />
            <button type="submit">Send a test</button>
          </form>
          <details open={form !== undefined}>
            <summary>Change it</summary>
            <SetForm base={base} webhook={webhook} form={form} />
          </details>
          <Ask
            text="Delete it"
            asks={`Delete the webhook? ${revealed(webhook.url)} is not called any more. A new one has another secret.`}
            action={`${base}/me/webhook`}
            fields={{ do: "delete" }}
            button="Delete the webhook"
          />
        </>
      ) : (
        <SetForm base={base} webhook={webhook} form={form} />
      )}
    </Layout>
  );
}

const Outcome = ({ of: { is_accepted, text } }: { of: ShownOutcome }) =>
  is_accepted ? (
    <p class="banner" role="status" safe>
      {String(text)}
    </p>
  ) : (
    <Fault text={text} />
  );

const Secret = ({ given: { secret, previous_secret_until } }: { given: GivenSecret }) => (
  <>
    <h2>Its secret</h2>
    <p>
      Give it to the receiver now: it verifies with it that a call comes from this service. The secret is
      shown for ten minutes and cannot be recovered.
    </p>
    <CopyBox text={secret} />
    {previous_secret_until !== undefined && (
      <p>
        Calls are signed with the secret before, too, until <Time at={previous_secret_until} />.
      </p>
    )}
  </>
);

interface CurrentProps {
  webhook: Webhook;
  failed: string | null;
}

function Current({ webhook, failed }: CurrentProps) {
  const { url, kinds, has_authorization, created, asleep, call } = webhook;
  const called_when: string = kinds ? kinds.map(wordsOf).join("; ") : "a note of any kind comes";
  return (
    <>
      <h2>Your webhook</h2>
      {asleep && (
        <p class="warning">
          <b>It sleeps:</b> its receiver has failed for a day. It is called once a day, until a call or a test
          succeeds.
        </p>
      )}
      <dl>
        <dt>Address</dt>
        <dd>
          <code dir="ltr" safe>
            {revealed(url)}
          </code>
        </dd>
        <dt>Called when</dt>
        <dd safe>{called_when}</dd>
        <dt>Authorization</dt>
        <dd>{has_authorization ? "the header that you entered" : "none"}</dd>
        <dt>Set</dt>
        <dd>
          <Time at={created} />
        </dd>
      </dl>
      {call ? <Call call={call} failed={failed} /> : asleep ? "" : <p class="about">No call was made yet.</p>}
    </>
  );
}

const wordsOf = (kind: string): string => (kind_words as Record<string, string>)[kind] ?? kind;

const states: Record<(Webhook["call"] & object)["state"], [badge: string, words: string]> = {
  queued: ["queued", "the receiver has not accepted it yet"],
  called: ["called", "the receiver has accepted it, and its notes are unread"],
  read: ["read", "all its notes are read"],
};

function Call({ call, failed }: { call: Webhook["call"] & object; failed: string | null }) {
  const { state, queued_at, called_at, tries, next_try_at } = call;
  const [badge, words] = states[state];
  return (
    <>
      <h3>The latest call</h3>
      <dl>
        <dt>State</dt>
        <dd>
          <Badge text={badge} {...(state === "queued" && { is: "on" as const })} /> <span safe>{words}</span>
        </dd>
        <dt>Queued</dt>
        <dd>
          <Time at={queued_at} />
        </dd>
        {called_at !== undefined && (
          <>
            <dt>Accepted</dt>
            <dd>
              <Time at={called_at} />
            </dd>
          </>
        )}
        <dt>Tries</dt>
        <dd>{String(tries) as "safe"}</dd>
        {state === "queued" && next_try_at !== undefined && (
          <>
            <dt>Next try</dt>
            <dd>
              <Time at={next_try_at} />
            </dd>
          </>
        )}
        {failed !== null && (
          <>
            <dt>Failed</dt>
            <dd safe>{failed}</dd>
          </>
        )}
      </dl>
    </>
  );
}

const about_url = "It begins with https. It gets a challenge first, which its answer has to repeat.";
const about_authorization =
  "If the receiver wants one, such as “Bearer” and a token. It is stored encrypted and never shown.";

interface SetFormProps {
  base: string;
  webhook: Webhook | null;
  form: WebhookForm | undefined;
}

/** Sets the webhook. What was sent is in the form again, or else what the webhook has. */
function SetForm({ base, webhook, form }: SetFormProps) {
  const { url = "", kinds } = form ?? webhook ?? {};
  const refusal = form?.refusal;
  const chosen = (kind: string) => kinds === undefined || (kinds as readonly string[]).includes(kind);
  return (
    <form method="post" action={`${base}/me/webhook`}>
      <Fault text={refusal?.text} />
      <Field name="url" label={webhook_labels.url} about={about_url} refusal={refusal}>
        <input
          {...inputOf({ name: "url", about: about_url, refusal })}
          type="url"
          required
          dir="ltr"
          autocomplete="off"
          spellcheck="false"
          value={attribute(url)}
        />
      </Field>
      <fieldset class="choices kinds">
        <legend>Call when</legend>
        {Object.entries(kind_words).map(([kind, words]) => (
          <div>
            <label>
              <input type="checkbox" name={kind} checked={chosen(kind)} /> <span safe>{words}</span>
            </label>
          </div>
        ))}
      </fieldset>
      <Fault text={refusal?.fields.kinds} />
      <Field
        name="authorization"
        label={webhook_labels.authorization}
        about={about_authorization}
        refusal={refusal}
      >
        <input
          {...inputOf({ name: "authorization", about: about_authorization, refusal })}
          type="password"
          autocomplete="off"
        />
      </Field>
      {webhook?.has_authorization === true && (
        <p class="about">Enter it again if the receiver still wants it: setting replaces all of it.</p>
      )}
      {webhook !== null && <p class="about">A webhook that is set again has a new secret.</p>}
      <p>
        <Submit text={webhook ? "Set it again" : "Set"} />
      </p>
    </form>
  );
}
