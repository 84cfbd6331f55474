/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page to sign in, also in place of a page that takes a claimed name and its key. */

import { Html } from "@elysiajs/html";
import { Fault, Field, inputOf } from "./components.tsx";
import { Layout, type Site } from "./layout.tsx";
import { attribute } from "./text.ts";

/** The submitted form, without the key, and why it was refused. */
export interface SignInForm {
  name?: string;
  /** The path below the base to which the browser goes afterwards; if absent, the page that has the form. */
  next?: string;
  fault?: string;
}

export interface SignInPage {
  site: Site;
  /** Why another page is not shown. */
  detail?: string;
  /** How a name is claimed on this instance. */
  claiming: string;
  form: SignInForm;
}

export async function signInPage({ site, detail, claiming, form }: SignInPage): Promise<string> {
  return (
    <Layout frame={{ ...site, title: "Sign in", description: "Sign in with a claimed name.", noindex: true }}>
      <h1>Sign in</h1>
      {detail !== undefined && <p safe>{detail}</p>}
      {site.me ? (
        <p>
          You are signed in as <bdi safe>{site.me.name}</bdi>. Signing in again replaces that.
        </p>
      ) : (
        ""
      )}
      <form method="post" action={`${site.base}/signin`}>
        <Fault text={form.fault} />
        {form.next !== undefined && <input type="hidden" name="next" value={attribute(form.next)} />}
        <Field name="name" label="Claimed name">
          <input
            {...inputOf({ name: "name" })}
            required
            maxlength="80"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            value={attribute(form.name ?? "")}
          />
        </Field>
        <Field name="key" label="Its key" about="It begins with wfk_ and came when the name was claimed.">
          <input
            {...inputOf({ name: "key", about: "" })}
            type="password"
            required
            maxlength="200"
            autocomplete="current-password"
          />
        </Field>
        <button class="main" type="submit">
          Sign in
        </button>
      </form>
      <p class="note">
        A cookie then signs you in on this browser, until you sign out or have not come back for 30 days. It
        does not contain the key.
      </p>
      <h2>You have no name?</h2>
      <p safe>{claiming}</p>
      <p>
        Programs need no cookie: they send the key as <code>x-wf-key</code>, or as{" "}
        <code>Authorization: Bearer</code>.
      </p>
    </Layout>
  );
}
