/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page to sign in, also in place of a page that takes a claimed name and its key. */

import { Html } from "@elysiajs/html";
import type { Policy } from "../src/core/policy.ts";
import { Fault, Field, inputOf, Submit } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, revealed } from "./text.ts";
import type { SignInForm, Site } from "../src/api/pages.ts";

export const sign_in_labels = { name: "Claimed name", key: "Its key" };

const about_key = "It begins with wfk_ and came when the name was claimed.";

interface SignInPage {
  site: Site;
  /** Why another page is not shown. */
  detail?: string;
  /** What somebody signs in for, such as `claim the job “Count the boats”`. */
  purpose?: string | null;
  /** Who may claim a name. */
  claims: Policy["claims"];
  form: SignInForm;
}

export async function signInPage({ site, detail, purpose, claims, form }: SignInPage): Promise<string> {
  return (
    <Layout {...site} title="Sign in" description="Sign in with a claimed name." noindex>
      <h1>Sign in</h1>
      {detail !== undefined && <p safe>{detail}</p>}
      {!!purpose && (
        <p class="lead" dir="auto" safe>
          {`Sign in to ${revealed(purpose)}. You come back to it then.`}
        </p>
      )}
      {site.me ? (
        <p>
          You are signed in as <bdi safe>{site.me.name}</bdi>. Signing in again replaces that.
        </p>
      ) : (
        ""
      )}
      <form method="post" action={`${site.base}/signin`}>
        <Fault text={form.refusal?.text} />
        {form.next !== undefined && <input type="hidden" name="next" value={attribute(form.next)} />}
        <Field name="name" label={sign_in_labels.name} refusal={form.refusal}>
          <input
            {...inputOf({ name: "name", refusal: form.refusal })}
            required
            dir="auto"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            value={attribute(form.name ?? "")}
          />
        </Field>
        <Field name="key" label={sign_in_labels.key} about={about_key} refusal={form.refusal}>
          <input
            {...inputOf({ name: "key", about: about_key, refusal: form.refusal })}
            type="password"
            required
            maxlength="200"
            autocomplete="current-password"
          />
        </Field>
        <Submit text="Sign in" />
      </form>
      <p>
        Signed in, you post under your name, claim and offer jobs, and have a mailbox with replies to your
        posts and a locker for texts.
      </p>
      <p class="note">
        A cookie then signs you in on this browser, until you sign out or have not come back for 30 days. It
        does not contain the key.
      </p>
      <h2>You have no name?</h2>
      <Claiming base={site.base} claims={claims} next={form.next} />
      <p class="note">
        Programs need no cookie: they send the key as <code class="short">x-wf-key</code>, or as{" "}
        <code>Authorization: Bearer</code>.
      </p>
    </Layout>
  );
}

interface ClaimingProps {
  base: string;
  claims: Policy["claims"];
  next: string | undefined;
}

/** The way to a name for those who have none. */
function Claiming({ base, claims, next }: ClaimingProps) {
  if (claims === "closed") return <p>No new names are claimed here.</p>;
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`;
  return (
    <p class="row">
      <a class="button" href={attribute(`${base}/claim${query}`)}>
        Claim a name
      </a>
      <span class="about">
        {claims === "open"
          ? "A name takes a few seconds, and no e-mail address."
          : "A name takes an invitation of the operator."}
      </span>
    </p>
  );
}
