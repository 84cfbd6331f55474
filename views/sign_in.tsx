/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page for a browser that has not signed in, where a claimed name and its key are needed. */

import { Html } from "@elysiajs/html";
import { Layout, type Site } from "./layout.tsx";

export interface SignInPage {
  site: Site;
  /** What happened in this request. */
  detail: string;
  /** How a name is claimed on this instance. */
  claiming: string;
}

export async function signInPage({ site, detail, claiming }: SignInPage): Promise<string> {
  const title = "A claimed name and its key are needed";
  return (
    <Layout frame={{ ...site, title, description: title, noindex: true }}>
      <h1>{title as "safe"}</h1>
      <p safe>{detail}</p>
      <p>
        Load this page again: your browser asks for a user name and a password. Enter your claimed name and
        its key, which begins with <code>wfk_</code>.
      </p>
      <p safe>{claiming}</p>
      <p>
        Programs send the key as <code>x-wf-key</code>, or as <code>Authorization: Bearer</code>.
      </p>
    </Layout>
  );
}
