/** A program that makes one guarded request and prints how it ended, for tests of what the environment of a process changes. */

import { createGuardedFetch, type FetchFailure } from "../../src/core/guarded_fetch.ts";

/** What the program gets as its argument, in JSON. */
interface Task {
  url: string;
  allow: string[];
  /** What every name resolves to. */
  addresses: string[];
}

/** What it prints, in JSON: the status and the body of an answer, or the fault. */
export type Outcome = { status: number; body: string } | { fault: string };

/** Runs the program `command` for a task. */
export async function outcomeOf(command: string[], task: Task, env: Record<string, string>) {
  const child = Bun.spawn([...command, JSON.stringify(task)], { env: { ...Bun.env, ...env } });
  return JSON.parse(await new Response(child.stdout).text()) as Outcome;
}

if (import.meta.main) {
  const { url, allow, addresses } = JSON.parse(Bun.argv[2]!) as Task;
  const guardedFetch = createGuardedFetch({ allow, lookup: () => Promise.resolve(addresses) });
  const outcome: Outcome = await guardedFetch(url, { answer_bytes_max: 8192, timeout_seconds: 60 }).then(
    ({ status, body }) => ({ status, body: new TextDecoder().decode(body) }),
    ({ fault }: FetchFailure) => ({ fault }),
  );
  console.log(JSON.stringify(outcome));
}
