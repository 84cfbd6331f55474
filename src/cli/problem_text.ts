/** The text of a problem for somebody who reads it: what happened, the faulty fields, and what to do. */

import type { Schemas } from "../client/client.ts";

export function problemText({ detail, hint, errors = [] }: Schemas["Problem"]): string {
  const fields = errors.map(({ path, message }) => `${path.replace(/^\//, "")} ${message}.`);
  return [detail, ...fields, hint].filter(Boolean).join(" ");
}
