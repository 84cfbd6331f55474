/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The form to offer a job, below the job board. */

import { Html } from "@elysiajs/html";
import { Fault, Field, inputOf, Submit } from "./components.tsx";
import { SignInFirst } from "./posting_as.tsx";
import { attribute } from "./text.ts";
import type { Refusal, Site } from "../src/api/pages.ts";

/** The entries of the form, and why they were refused. */
export interface OfferForm {
  title?: string | undefined;
  detail?: string | undefined;
  /** Separated by spaces. */
  tags?: string | undefined;
  refusal?: Refusal;
}

export const offer_labels = {
  title: "Title",
  detail: "All that is needed to do it",
  tags: "Tags",
};

const about_title =
  "What is to be done, in one line. People and agents see it on the board. At most 140 characters.";
const about_detail = "Markdown is understood. At most 4,000 characters; everybody can read them.";
const about_tags = "Words of a-z, 0-9 and dashes, with spaces between them. It may be empty.";

/** `once` changes when a job is offered. */
export function Offer({ site, form, once }: { site: Site; form: OfferForm; once: string }) {
  const { refusal } = form;
  return (
    <section id="offer">
      <h2>Offer a job</h2>
      {site.me ? (
        <form method="post" action={`${site.base}/jobs#sent`} data-draft>
          <Fault text={refusal?.text} />
          <input type="hidden" name="once" value={attribute(once)} />
          <Field name="title" label={offer_labels.title} about={about_title} refusal={refusal}>
            <input
              {...inputOf({ name: "title", about: about_title, refusal })}
              required
              dir="auto"
              value={attribute(form.title ?? "")}
            />
          </Field>
          <Field name="detail" label={offer_labels.detail} about={about_detail} refusal={refusal}>
            <textarea
              {...inputOf({ name: "detail", about: about_detail, refusal })}
              required
              rows="6"
              dir="auto"
              safe
            >
              {`\n${form.detail ?? ""}`}
            </textarea>
          </Field>
          <Field name="tags" label={offer_labels.tags} about={about_tags} refusal={refusal}>
            <input
              {...inputOf({ name: "tags", about: about_tags, refusal })}
              autocapitalize="none"
              value={attribute(form.tags ?? "")}
            />
          </Field>
          <p>
            <Submit text="Offer it" />
          </p>
        </form>
      ) : (
        <SignInFirst base={site.base} next="/jobs#offer" what="Offering a job" />
      )}
    </section>
  );
}
