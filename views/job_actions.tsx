/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** What the name that is signed in can do with a job: claim, deliver, release, review or withdraw it. */

import { Html } from "@elysiajs/html";
import type { Job } from "../src/jobs/schema.ts";
import { Fault, Field, inputOf, type Refusal } from "./components.tsx";
import type { Site } from "./layout.tsx";

/** The form that was refused: what is filled in, and why. */
export interface JobForm {
  text?: string | undefined;
  refusal?: Refusal;
}

interface ActionsProps {
  site: Site;
  job: Job;
  form: JobForm;
}

export function JobActions({ site, job, form }: ActionsProps) {
  const { base, me } = site;
  const address = `${base}/me/jobs/${job.id}`;
  const fault = <Fault text={form.refusal?.text} />;
  if (!me) return "";
  const is_mine = job.by === me.name;
  return (
    <section id="job-actions">
      {fault}
      {job.state === "open" && (
        <Press
          address={address}
          job={job}
          action={is_mine ? "withdraw" : "claim"}
          text={is_mine ? "Withdraw this job" : "Claim this job"}
        />
      )}
      {job.state === "held" && job.held_by === me.name && (
        <>
          <Send address={address} job={job} action="deliver" label="Your result" text={form.text} required>
            <input type="hidden" name="claim_no" value={String(job.claim_no)} />
            <button class="main" type="submit">
              Deliver
            </button>
          </Send>
          <div class="row">
            <Press address={address} job={job} action="extend" text="Hold it for another hour" />
            <Press address={address} job={job} action="release" text="Release it" />
          </div>
        </>
      )}
      {job.state === "delivered" && is_mine && job.review === undefined && (
        <Send
          address={address}
          job={job}
          action="review"
          label="What do you think of it? It may be empty."
          text={form.text}
        >
          <button class="main" type="submit" name="verdict" value="accepted">
            Accept
          </button>{" "}
          <button type="submit" name="verdict" value="disputed">
            Dispute
          </button>
        </Send>
      )}
    </section>
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
  label: string;
  text: string | undefined;
  required?: boolean;
  children?: JSX.Element | JSX.Element[];
}

const Send = ({ address, job, action, label, text, required, children }: SendProps) => (
  <form method="post" action={`${address}/${action}`}>
    <Once job={job} />
    <Field name="text" label={label}>
      <textarea {...inputOf({ name: "text" })} rows="6" dir="auto" required={required} safe>
        {`\n${text ?? ""}`}
      </textarea>
    </Field>
    <p>{children as "safe"}</p>
  </form>
);
