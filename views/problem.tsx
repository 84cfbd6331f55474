/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The error page. */

import { Html } from "@elysiajs/html";
import { Layout } from "./layout.tsx";

export interface ProblemPage {
  base: string;
  code: string;
  title: string;
  explanation: string;
  /** What happened in this request. */
  detail: string;
  /** What to do about it. */
  hint: string | undefined;
}

export async function problemPage({
  base,
  code,
  title,
  explanation,
  ...this_time
}: ProblemPage): Promise<string> {
  return (
    <Layout frame={{ title, description: explanation, base, noindex: true }}>
      <h1 safe>{title}</h1>
      <p safe>{this_time.detail}</p>
      {this_time.hint !== undefined && <p safe>{this_time.hint}</p>}
      <p safe>{explanation}</p>
      <p>
        <a href={`${base}/problems/${code}`}>
          What <code safe>{code}</code> means
        </a>
      </p>
    </Layout>
  );
}
