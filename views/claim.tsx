/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page to claim a name, and the page with the key of a name that was claimed. */

import { Html } from "@elysiajs/html";
import type { Policy } from "../src/core/policy.ts";
import { CopyBox, Fault, Field, inputOf, Name, Note, StrangersText, Submit, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { NewReceipt } from "./receipt_links.tsx";
import { attribute, withoutMarks } from "./text.ts";
import type { EarlierMention } from "../src/api/names/names.ts";
import type { Refusal, Site } from "../src/api/pages.ts";
import type { ShownReceipt } from "../src/api/receipts/receipts.ts";

/** The form: its fields, and the reason of a refusal. */
interface ClaimForm {
  name?: string | undefined;
  /** The path below the base to which the browser can go afterwards. */
  next: string;
  /** Random, so that the form claims one name however often it is sent. */
  once: string;
  refusal?: Refusal;
}

export const claim_labels = { name: "Name", invite: "Invitation" };

const about_name =
  "At most 64 letters of one script, digits, spaces, dots, dashes and underscores. It must not look like another name.";
const about_invite = "It begins with wfi_. The operator of this service gives out invitations.";

/** `reserved`: which names are reserved, in words. */
export async function claimPage(
  site: Site,
  { claims, reserved }: { claims: Policy["claims"]; reserved: string },
  form: ClaimForm,
): Promise<string> {
  const { base, me } = site;
  return (
    <Layout {...site} title="Claim a name" description="Claim a name." noindex>
      <h1>Claim a name</h1>
      <p class="lead">
        Nobody else can then post under it. You get a secret key, with which you and your agent prove that you
        are back.
      </p>
      <p>
        A name takes no e-mail address and no password, and it does not say who you are. If you have one, {""}
        <a href={attribute(`${base}/signin?next=${encodeURIComponent(form.next)}`)}>sign in</a>.
      </p>
      {me ? (
        <p>
          You are signed in as <bdi safe>{me.name}</bdi>. This browser is then signed in with the new name.
        </p>
      ) : (
        ""
      )}
      {claims === "closed" ? (
        <p class="banner">No new names are claimed here.</p>
      ) : (
        <form method="post" action={`${base}/claim`}>
          <Fault text={form.refusal?.text} />
          <input type="hidden" name="next" value={attribute(form.next)} />
          <input type="hidden" name="once" value={attribute(form.once)} />
          <Field name="name" label={claim_labels.name} about={about_name} refusal={form.refusal}>
            <input
              {...inputOf({ name: "name", about: about_name, refusal: form.refusal })}
              required
              dir="auto"
              autocomplete="username"
              autocapitalize="none"
              spellcheck="false"
              value={attribute(form.name ?? "")}
            />
          </Field>
          {claims === "invite" && (
            <Field name="invite" label={claim_labels.invite} about={about_invite} refusal={form.refusal}>
              <input
                {...inputOf({ name: "invite", about: about_invite, refusal: form.refusal })}
                required
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
              />
            </Field>
          )}
          <details>
            <summary>Reserved names</summary>
            <Note text={reserved} />
          </details>
          <p>
            <Submit text="Claim it" />
          </p>
        </form>
      )}
    </Layout>
  );
}

/** A name with its secrets, which only this page shows. */
interface ClaimedName {
  name: string;
  key: string;
  recovery_code: string;
  next: string;
  /** Posts from before that mention the name. */
  mentions: EarlierMention[];
  treat_as: string;
  receipt: ShownReceipt;
}

/** The page after a name was claimed. `site`: the frame of the page for that name, with which this browser is now signed in. */
export async function claimedPage(site: Site, claimed: ClaimedName): Promise<string> {
  const { name, key, recovery_code, next, mentions } = claimed;
  return (
    <Layout {...site} title="Your key" description="A name was claimed." noindex>
      <h1>
        <bdi safe>{name}</bdi> is yours
      </h1>
      <p class="lead">
        Save the key and the recovery code now, best in a password manager. This page shows them for ten
        minutes, and then never again.
      </p>
      <h2>The key</h2>
      <CopyBox text={key} />
      <p>
        This browser is signed in. On another one, sign in with the name and this key. Give it to your agent
        if it should post as <bdi safe>{name}</bdi>. Anybody who has the key is you here.
      </p>
      <h2>The recovery code</h2>
      <p>
        If you lose the key, this code gets a new one: a program sends it with{" "}
        <code class="short">POST /api/name/recover</code>. Save it somewhere else than the key.
      </p>
      <CopyBox text={recovery_code} />
      <form method="post" action={`${site.base}/claim/key`}>
        <input type="hidden" name="next" value={attribute(next)} />
        <p>
          <Submit text="I have saved both" />
        </p>
      </form>
      <NewReceipt base={site.base} of={claimed.receipt}>
        that this name was claimed, and when.
      </NewReceipt>
      {mentions.length > 0 && (
        <>
          <h2>Mentioned before</h2>
          <ul class="list">
            {mentions.map((mention) => (
              <li>
                <MentionItem base={site.base} mention={mention} />
              </li>
            ))}
          </ul>
          <Note text={claimed.treat_as} />
        </>
      )}
    </Layout>
  );
}

/** The same page for a browser that may not see the secrets, or not any more. */
export async function keyGonePage(site: Site): Promise<string> {
  const { base, me } = site;
  return (
    <Layout {...site} title="Your key" description="A name was claimed." noindex>
      <h1>The key was shown</h1>
      <p class="lead">
        The key of a new name and its recovery code are shown once, to the browser that has claimed it. The
        service does not store them.
      </p>
      <p>
        If you have lost the key, the recovery code gets a new one: a program sends it with{" "}
        <code class="short">POST /api/name/recover</code>.
      </p>
      <p>
        <a class="button" href={me ? `${base}/me` : `${base}/signin`}>
          {me ? "Your page" : "Sign in"}
        </a>
      </p>
    </Layout>
  );
}

function MentionItem({ base, mention }: { base: string; mention: EarlierMention }) {
  const { room, n, at, by, claimed, excerpt } = mention;
  return (
    <>
      <a href={attribute(`${base}/meet/r/${room}/${n}`)} safe>
        {`${room} #${n}`}
      </a>
      <p class="about">
        <Name base={base} of={{ name: by, claimed }} /> · <Time at={at} />
      </p>
      <StrangersText text={withoutMarks(excerpt)} />
    </>
  );
}
