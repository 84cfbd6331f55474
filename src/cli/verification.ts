/** What the commands that verify share: their exit codes, their lines, and how they read addresses. */

import { fetchWithin, type Fetch } from "../client/redirects.ts";
import { withReason } from "../core/log.ts";
import type { Check } from "../verifier/checks.ts";
import { readKeys, type Keys } from "../verifier/jws.ts";

/** The end of the help. As in all commands, 1 is an error and 2 a usage error. */
export const exit_codes =
  "\nExit codes: 0 all holds, 1 it could not be checked, 2 usage error, 3 something does not hold.";

/** How long an address may take to send its keys. */
export const fetch_ms = 10_000;

export const statusOf = ({ holds }: { holds: boolean }): number => (holds ? 0 : 3);

/** A line for each check. */
export const checkLines = (checks: Check[]): string[] =>
  checks.map(({ what, holds, found }) => (holds ? `ok    ${what}` : `WRONG ${what}: ${found}`));

/**
 * The text at a URL; null if it does not exist. Follows no redirect to another origin, which nobody named. A `file:` URL names a copy,
 * whose name ends in `.json`.
 */
export async function textAt(url: string, signal?: AbortSignal): Promise<string | null> {
  if (url.startsWith("file:")) {
    const file = Bun.file(new URL(`${url}.json`));
    return (await file.exists()) ? file.text() : null;
  }
  const headers = new Headers({ accept: "application/json" });
  const response = await fetchWithin(reached, new URL(url).origin, url, {
    method: "GET",
    headers,
    ...(signal && { signal }),
  });
  if (response.ok) return response.text();
  if (response.status === 404) return null;
  const seconds = response.headers.get("retry-after");
  const again = seconds !== null && /^\d{1,15}$/.test(seconds) ? ` Try again in ${seconds} s.` : "";
  throw new Error(
    `${url} answered ${response.status}: ${(await detailOf(response)) ?? response.statusText}${again}`,
  );
}

const reached: Fetch = (url, init) =>
  fetch(url, init).catch((error: unknown) => {
    throw withReason(`${url} cannot be reached`, error);
  });

/** The keys in a text that was read at `place`. Throws a user-facing error. */
export async function keysIn(text: string, place: string): Promise<Keys> {
  try {
    return await readKeys(text);
  } catch (error) {
    throw new Error(`${place} is no JWK set of Ed25519 keys and no such key in PEM.`, { cause: error });
  }
}

/** The detail of a problem in one line; undefined if the response is no problem. */
export async function detailOf(response: Response): Promise<string | undefined> {
  const problem = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  return typeof problem?.detail === "string" ? problem.detail.replace(/\s+/g, " ") : undefined;
}
