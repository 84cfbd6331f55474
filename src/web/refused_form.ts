/** The page after a form was refused: the form with what was entered, and why it was refused, in plain words. */

import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { holdsSecret } from "../core/secrets.ts";
import { sendPage } from "./page_headers.ts";
import { problemHeaders, statusOf } from "./problems.ts";
import type { Refusal, Words } from "../api/pages.ts";

/** The words of a form. */
export interface FormWords {
  /** The labels of its visible fields, by name and in their order. */
  labels: Record<string, string>;
  /** For the code of an error: the field that it is about, and what to say in place of its detail. */
  by_code?: Record<string, { field?: string; say?: Words }>;
}

/** The fields of a refused form without keys, which a page never shows again. */
export const withoutSecrets = <Form extends object>(form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([field, text]) => [field, holdsSecret(String(text)) ? "" : text]),
  ) as Form;

/** Answers with the page that `render` makes of the refusal. Throws `error` if it is no refusal of the form. */
export async function refusedPage(
  error: unknown,
  words: FormWords,
  render: (refusal: Refusal) => string | Promise<string>,
): Promise<Response> {
  // A browser that has to sign in gets the page that says so, and sends the form again.
  if (!(error instanceof ServiceError) || error.code === caller_errors.credential_required.code) throw error;
  return sendPage(await render(refusalOf(error, words)), statusOf(error.definition), problemHeaders(error));
}

/** The message of an error, shown once: at its field, or above the form. */
export function refusalOf(error: ServiceError, { labels, by_code = {} }: FormWords): Refusal {
  const said = by_code[error.code];
  const faults = (error.extra.errors ?? []).map(({ path, message }) => ({
    field: path.split("/")[1] ?? path,
    message,
  }));
  const is_at_fields = faults.length > 0 && faults.every(({ field }) => Object.hasOwn(labels, field));
  const fields: Refusal["fields"] = is_at_fields
    ? Object.fromEntries(faults.map(({ field, message }) => [field, sentenceOf(labels, field, message)]))
    : said?.field !== undefined && labels[said.field] !== undefined
      ? { [said.field]: said.say ?? generalWords(error) }
      : {};
  const first = Object.keys(labels).find((field) => fields[field] !== undefined);
  return first === undefined ? { text: said?.say ?? generalWords(error), fields } : { fields, first };
}

/** `Your post must not be empty.` Names of other fields in the message become their labels. */
function sentenceOf(labels: Record<string, string>, field: string, message: string): string {
  const named = Object.entries(labels).reduce(
    (text, [name, label]) => (name.includes("_") ? text.replaceAll(name, `“${label}”`) : text),
    message,
  );
  return `${labels[field]} ${named.replace(/(?<![+\w])\d{4,}\b/g, grouped)}.`;
}

/** A number with commas, as in the hints of fields. */
const grouped = (digits: string): string => Number(digits).toLocaleString("en");

/** The error in plain words. The hints are for programs. */
function generalWords({ code, detail, extra }: ServiceError): string {
  if (code === call_errors.contains_key.code)
    return `${detail} Everybody who reads a key can use it, so it is left out here.`;
  if (code === call_errors.rate_limited.code)
    return `That was too often. Send it again in ${waitText(extra.retry_after_seconds ?? 60)}.`;
  return detail;
}

/** `40 seconds`, `3 minutes`, `2 hours`: rounded up. */
export function waitText(seconds: number): string {
  const [count, unit] =
    seconds < 90
      ? [seconds, "second"]
      : seconds < 90 * 60
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
