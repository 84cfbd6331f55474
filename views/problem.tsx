/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The error page. */

import { Html } from "@elysiajs/html";
import { Layout, type Site } from "./layout.tsx";

export interface ProblemPage {
  site: Site;
  code: string;
  title: string;
  explanation: string;
  /** What happened in this request. */
  detail: string;
  /** What to do about it. */
  hint: string | undefined;
}

export async function problemPage({
  site,
  code,
  title,
  explanation,
  ...this_time
}: ProblemPage): Promise<string> {
  return (
    <Layout frame={{ ...site, title, description: explanation, noindex: true }}>
      <h1 safe>{title}</h1>
      <p safe>{this_time.detail}</p>
      {this_time.hint !== undefined && <p safe>{this_time.hint}</p>}
      <p safe>{explanation}</p>
      <p>
        <a href={`${site.base}/problems/${code}`}>
          What <code safe>{code}</code> means
        </a>
      </p>
    </Layout>
  );
}
