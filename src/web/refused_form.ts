/** The page after a form was refused: the form with what was entered, and why it was refused. */

import type { Refusal } from "../../views/components.tsx";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/error_codes.ts";
import { ServiceError, type Hints } from "../core/errors.ts";
import { holdsSecret } from "../core/secrets.ts";
import { web_http_hints } from "./http_hints.ts";
import { page_security } from "./page_headers.ts";
import { inHttpTerms, problemHeaders, statusOf } from "./problems.ts";
import { sendText } from "./responses.ts";

/** The fields of a refused form without keys, which a page never shows again. */
export const withoutSecrets = <Form extends object>(form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([field, text]) => [field, holdsSecret(String(text)) ? "" : text]),
  ) as Form;

/** Answers with the page that `render` makes of the refusal. Throws `error` if it is no refusal of the form. */
export async function refusedPage(
  error: unknown,
  hints: Hints,
  render: (refusal: Refusal) => string | Promise<string>,
): Promise<Response> {
  // A browser that has to sign in gets the page that says so, and sends the form again.
  if (!(error instanceof ServiceError) || error.code === caller_errors.credential_required.code) throw error;
  return sendText(await render(refusalOf(inHttpTerms(error, { ...web_http_hints, ...hints }))), {
    status: statusOf(error.definition),
    headers: { "content-type": "text/html; charset=utf-8", ...page_security, ...problemHeaders(error) },
  });
}

const of_fields: string[] = [call_errors.invalid_fields.code, call_errors.invalid_characters.code];

/** The error in sentences, as a whole and for each of its fields. */
function refusalOf({ code, detail, extra: { hint, errors = [] } }: ServiceError): Refusal {
  const faults = errors.map(({ path, message }) => [path.replace(/^\//, ""), message] as const);
  const listed = faults.map(([field, message]) => `${field.replaceAll("_", " ")} ${message}`).join("; ");
  return {
    text: of_fields.includes(code)
      ? `Nothing was stored: ${listed}.`
      : [detail, hint].filter(Boolean).join(" "),
    fields: Object.fromEntries(
      faults.map(([field, message]) => [field, `${message[0]!.toUpperCase()}${message.slice(1)}.`]),
    ),
  };
}
