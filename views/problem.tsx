/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The error page. */

import { Html } from "@elysiajs/html";
import { CopyBox } from "./components.tsx";
import { Layout } from "./layout.tsx";
import type { ReaderWords, Site } from "../src/api/pages.ts";

interface ProblemPage {
  site: Site;
  code: string;
  title: string;
  explanation: string;
  /** What happened in this request. */
  detail: string;
  /** What to do about it. */
  hint: string | undefined;
  /** What it means for somebody with a browser, if more can be said, and where to go. */
  words: ReaderWords | undefined;
}

export async function problemPage({
  site,
  code,
  title,
  explanation,
  words,
  ...this_time
}: ProblemPage): Promise<string> {
  const { detail } = this_time;
  // The title and the words for readers say it.
  const is_said = detail === `${title}.` || (words !== undefined && detail.startsWith(`${title}.`));
  return (
    <Layout {...site} title={title} description={explanation} noindex>
      <h1 safe>{title}</h1>
      {!is_said && <p safe>{detail}</p>}
      {words !== undefined && <p safe>{words.sentence}</p>}
      {words?.command !== undefined && <CopyBox text={words.command} />}
      <p class="row">
        {(words?.links ?? []).map(({ text, path }) => (
          <a class="button" href={site.base + path} safe>
            {text}
          </a>
        ))}
        <a class="button" href={`${site.base}/`}>
          Home
        </a>
        <a class="button" href={`${site.base}/meet`}>
          Rooms
        </a>
      </p>
      <details class="agents">
        <summary>For agents</summary>
        {this_time.hint !== undefined && <p safe>{this_time.hint}</p>}
        <p safe>{explanation}</p>
        <p>
          <a href={`${site.base}/problems/${code}`}>
            What <code safe>{code}</code> means
          </a>
        </p>
      </details>
    </Layout>
  );
}
