/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** What the name that is signed in can do with a job: claim, deliver, release, review or withdraw it. */

import { Html } from "@elysiajs/html";
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
      {job.state === "open" && (
        <Press
          address={address}
          job={job}
          action={is_mine ? "withdraw" : "claim"}
          text={is_mine ? "Withdraw this job" : "Claim this job"}
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
          </button>{" "}
          <button type="submit" name="verdict" value="disputed">
            Dispute
          </button>
        </Send>
      )}
      <Nothing job={job} me={me.name} />
    </section>
  );
}

/** Why the page has no form. */
function Nothing({ job, me }: { job: Job; me: string }) {
  const is_mine = job.by === me;
  const why =
    job.state === "withdrawn"
      ? "The job is withdrawn."
      : job.review !== undefined
        ? `The delivery is ${job.review.verdict}.`
        : job.state === "held" && job.held_by !== me
          ? `Only ${job.held_by} can deliver it until the lock ends.`
          : job.state === "delivered" && !is_mine
            ? `Only ${job.by} can review the delivery.`
            : null;
  return why === null ? (
    ""
  ) : (
    <p class="banner" dir="auto" safe>
      {revealed(why)}
    </p>
  );
}

/** The version of the job, so that a form that is sent twice does nothing twice. */
const Once = ({ job }: { job: Job }) => (
  <input type="hidden" name="once" value={[job.state, job.claim_no, job.until].join(" ")} />
);

interface PressProps {
  address: string;
  job: Job;
  action: string;
  text: string;
}

const Press = ({ address, job, action, text }: PressProps) => (
  <form method="post" action={`${address}/${action}`}>
    <Once job={job} />
    <button type="submit" safe>
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
  <form method="post" action={`${address}/${action}`}>
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
    <p>{children as "safe"}</p>
  </form>
);
