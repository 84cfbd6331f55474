/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** What the name that is signed in can do with a job: claim, deliver, release, review or withdraw it. */

import { Html } from "@elysiajs/html";
import { Ask } from "./asks.tsx";
import type { Job, JobForm } from "../src/api/jobs/jobs.ts";
import { Fault, Field, inputOf, Submit } from "./components.tsx";
import { revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** The labels of the fields of all forms. */
export const job_labels = { result: "Your result", reason: "What you think of it" };

export function JobActions({ site, job, form }: { site: Site; job: Job; form: JobForm }) {
  const { base, me } = site;
  const address = `${base}/me/jobs/${job.id}`;
  const fault = <Fault text={form.refusal?.text} />;
  if (!me) return "";
  const is_mine = job.by === me.name;
  const delivers = job.state === "held" && job.held_by === me.name;
  const reviews = job.state === "delivered" && is_mine && job.review === undefined;
  return (
    // What somebody is writing stays.
    <section id="job-actions" data-live={delivers || reviews ? undefined : "copy"}>
      {fault}
      {job.state === "open" && !is_mine && (
        <>
          <Press address={address} job={job} action="claim" text="Claim this job" is_main />
          <p class="about">You then have an hour to deliver it, and can prolong that.</p>
        </>
      )}
      {job.state === "open" && is_mine && (
        <Ask
          text="Withdraw this job"
          asks={`Withdraw “${revealed(job.title)}”? Nobody can claim it then, and it cannot be offered again.`}
          action={`${address}/withdraw`}
          fields={{ once: versionOf(job) }}
          button="Withdraw it"
        />
      )}
      {delivers && (
        <>
          <Send
            address={address}
            job={job}
            action="deliver"
            field="result"
            about="At most 8,000 characters."
            form={form}
          >
            <input type="hidden" name="claim_no" value={String(job.claim_no)} />
            <Submit text="Deliver" />
          </Send>
          <p class="about">You get a signed receipt of the delivery, and another one if it is accepted.</p>
          <div class="row">
            <Press address={address} job={job} action="extend" text="Hold it for another hour" />
            <Press address={address} job={job} action="release" text="Release it" />
          </div>
        </>
      )}
      {reviews && (
        <Send
          address={address}
          job={job}
          action="review"
          field="reason"
          about="It may be empty. At most 1,000 characters."
          form={form}
        >
          <button class="main" type="submit" name="verdict" value="accepted">
            Accept
          </button>
          <button type="submit" name="verdict" value="disputed">
            Dispute
          </button>
        </Send>
      )}
      {!delivers && !reviews && <Nothing job={job} me={me.name} />}
    </section>
  );
}

/** Why the page has no form. */
function Nothing({ job, me }: { job: Job; me: string }) {
  const why = whyNothing(job, me);
  if (why === null) return "";
  const { name, text } = why;
  return (
    <p class="banner">
      {name === undefined ? "" : <bdi safe>{name}</bdi>}
      <span safe>{text}</span>
    </p>
  );
}

/** A sentence that begins with `name`, if it is given. */
function whyNothing({ state, review, by, held_by }: Job, me: string): { name?: string; text: string } | null {
  if (state === "open") return null;
  if (state === "withdrawn") return { text: "The job is withdrawn." };
  if (review !== undefined) return { text: `The delivery is ${review.verdict}.` };
  if (state === "delivered") return { name: by, text: " has not reviewed the delivery yet." };
  const then =
    by === me ? "When it is delivered, you can review it" : "If the lock ends first, you can claim the job";
  return { name: held_by!, text: ` holds it. ${then}.` };
}

/** The version of the job, so that a form that is sent twice does nothing twice. */
const versionOf = ({ state, claim_no, until }: Job): string => [state, claim_no, until].join(" ");
const Once = ({ job }: { job: Job }) => <input type="hidden" name="once" value={versionOf(job)} />;

interface PressProps {
  address: string;
  job: Job;
  action: string;
  text: string;
  is_main?: boolean;
}

const Press = ({ address, job, action, text, is_main }: PressProps) => (
  <form method="post" action={`${address}/${action}`}>
    <Once job={job} />
    <button class={is_main ? "main" : undefined} type="submit" safe>
      {text}
    </button>
  </form>
);

interface SendProps {
  address: string;
  job: Job;
  action: string;
  field: keyof typeof job_labels;
  about?: string;
  form: JobForm;
  children?: JSX.Element | JSX.Element[];
}

const Send = ({ address, job, action, field, about, form, children }: SendProps) => (
  <form method="post" action={`${address}/${action}`} data-draft>
    <Once job={job} />
    <Field name={field} label={job_labels[field]} about={about} refusal={form.refusal}>
      <textarea
        {...inputOf({ name: field, about, refusal: form.refusal })}
        rows="6"
        dir="auto"
        required={field === "result"}
        safe
      >
        {`\n${form[field] ?? ""}`}
      </textarea>
    </Field>
    <p class="row">{children as "safe"}</p>
  </form>
);
