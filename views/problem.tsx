/** The page behind a problem's `type`: what the code means and what to do. */

import { Layout } from "./layout.tsx";

export interface ProblemPage {
  base: string;
  code: string;
  status: number;
  title: string;
  explanation: string;
  retryable: boolean;
}

export async function problemPage(problem: ProblemPage): Promise<string> {
  return (
    <Layout frame={{ title: problem.title, description: problem.explanation, base: problem.base }}>
      <h1 safe>{problem.title}</h1>
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
