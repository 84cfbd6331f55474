/** A problem as a page: the one behind its `type`, and the one that a browser gets when it ran into it. */

import { Layout } from "./layout.tsx";

export interface ProblemPage {
  base: string;
  code: string;
  status: number;
  title: string;
  explanation: string;
  retryable: boolean;
  /** What happened this time, and what to do about it. */
  occurrence?: { detail: string; hint?: string | undefined };
}

export async function problemPage(problem: ProblemPage): Promise<string> {
  return (
    <Layout frame={{ title: problem.title, description: problem.explanation, base: problem.base }}>
      <h1 safe>{problem.title}</h1>
      {problem.occurrence ? <p safe>{problem.occurrence.detail}</p> : ""}
      {problem.occurrence?.hint ? <p safe>{problem.occurrence.hint}</p> : ""}
      <p safe>{problem.explanation}</p>
      <dl>
        <dt>Code</dt>
        <dd>
          <code safe>{problem.code}</code>
        </dd>
        <dt>HTTP status</dt>
        <dd>{problem.status}</dd>
        <dt>Try the same call again later?</dt>
        <dd>{problem.retryable ? "It may succeed." : "It will fail again: change the call."}</dd>
      </dl>
    </Layout>
  );
}
