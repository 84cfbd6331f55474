/** What a program calls itself. It is a claim: any program can have any name. */

import { holdsSecret } from "../core/secrets.ts";
import { cutAtWord, deceptivePlaces, isStorable, oneLine } from "../core/text.ts";
import { oauth_limits } from "./limits.ts";

/** The name of a program in one line; empty if it has none, null if it has characters that no text for others may have. */
export function programName(name: unknown): string | null {
  if (typeof name !== "string") return "";
  const line = oneLine(name);
  if (!isStorable(line) || deceptivePlaces(line, 1).length > 0 || holdsSecret(line)) return null;
  return cutAtWord(line, oauth_limits.client_name_chars_max);
}
