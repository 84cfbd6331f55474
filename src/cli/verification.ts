/** What the commands that verify share: their exit codes, their lines, and how they read addresses. */

import { withReason } from "../core/log.ts";
import type { Check } from "../verifier/checks.ts";

/** The end of the help. As in all commands, 1 is an error and 2 a usage error. */
export const exit_codes =
  "\nExit codes: 0 all holds, 1 it could not be checked, 2 usage error, 3 something does not hold.";

export const statusOf = ({ holds }: { holds: boolean }): number => (holds ? 0 : 3);

/** A line for each check. */
export const checkLines = (checks: Check[]): string[] =>
  checks.map(({ what, holds, found }) => (holds ? `ok    ${what}` : `WRONG ${what}: ${found}`));

/** The text at a URL; null if it does not exist. A `file:` URL is that of a copy, whose name ends in `.json`. */
export async function textAt(url: string, options: RequestInit = {}): Promise<string | null> {
  if (url.startsWith("file:")) {
    const file = Bun.file(new URL(`${url}.json`));
    return (await file.exists()) ? file.text() : null;
  }
  const init = { ...options, headers: { accept: "application/json" } };
  const response = await fetch(url, init).catch((error: unknown) => {
    throw withReason(`${url} cannot be reached`, error);
  });
  if (response.ok) return response.text();
  if (response.status === 404) return null;
  throw new Error(`${url} answered ${response.status}: ${(await detailOf(response)) ?? response.statusText}`);
}

/** The detail of a problem in one line; undefined if the response is no problem. */
export async function detailOf(response: Response): Promise<string | undefined> {
  const problem = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  return typeof problem?.detail === "string" ? problem.detail.replace(/\s+/g, " ") : undefined;
}
