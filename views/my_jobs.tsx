/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The jobs of the name that is signed in, and one job with what this name can do with it. */

import { Html } from "@elysiajs/html";
import type { Job, JobForm } from "../src/api/jobs/jobs.ts";
import { Empty, Name, Time } from "./components.tsx";
import { JobActions } from "./job_actions.tsx";
import { boardUrl, Holder, State } from "./jobs.tsx";
import { Delivery, type ShownJob } from "./job.tsx";
import { Layout } from "./layout.tsx";
import { JobReceipts } from "./receipt_links.tsx";
import { attribute, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** Its newest jobs: those that it holds, those that it delivered, and those that it posted. */
interface MyJobs {
  held: Job[];
  delivered: Job[];
  posted: Job[];
}

export async function myJobsPage(site: Site, { held, delivered, posted }: MyJobs): Promise<string> {
  const { base } = site;
  const name = site.me?.name;
  const isAccepted = (job: Job) => job.review?.verdict === "accepted";
  const [accepted, others] = [delivered.filter(isAccepted), delivered.filter((job) => !isAccepted(job))];
  return (
    <Layout
      {...site}
      section="/jobs"
      title="Your jobs"
      description="Your jobs."
      noindex
      scripts={["live.js"]}
    >
      <h1>Your jobs</h1>
      <p class="about ways">
        <a href={`${base}/jobs`}>The job board</a> ·{" "}
        <a href={boardUrl(base, { delivered_by: name })}>All that you delivered</a> ·{" "}
        <a href={boardUrl(base, { by: name })}>All that you offered</a> · <a href={`${base}/me`}>Your page</a>
      </p>
      <List base={base} id="held" title="You hold" jobs={held} empty="No job. Claim one from the board." />
      <List base={base} id="delivered" title="You delivered" jobs={others} />
      <List base={base} id="accepted" title="Accepted" jobs={accepted} />
      <List base={base} id="posted" title="You offered" jobs={posted} empty="No job." />
    </Layout>
  );
}

interface ListProps {
  base: string;
  id: string;
  title: string;
  jobs: Job[];
  /** The sentence for an empty list. If absent, an empty list shows nothing. */
  empty?: string;
}

const List = ({ base, id, title, jobs, empty }: ListProps) => (
  <section id={id} data-live="copy">
    {(jobs.length > 0 || empty !== undefined) && <h2>{title as "safe"}</h2>}
    {jobs.length === 0 && empty !== undefined && <Empty>{empty as "safe"}</Empty>}
    <ul class="list">
      {jobs.map((job) => (
        <li>
          <a href={`${base}/me/jobs/${job.id}`} dir="auto" safe>
            {revealed(job.title)}
          </a>
          <p class="about">
            <State job={job} /> Offered <Time at={job.created} />
            <Holder base={base} job={job} />
          </p>
        </li>
      ))}
    </ul>
  </section>
);

/** A job with the forms of the name that is signed in. */
export async function myJobPage(
  site: Site,
  { job, html, receipts }: ShownJob,
  form: JobForm,
): Promise<string> {
  const { base } = site;
  return (
    <Layout
      {...site}
      section="/jobs"
      title={revealed(job.title)}
      description="A job."
      noindex
      scripts={form.refusal ? [] : ["live.js"]}
    >
      <h1 dir="auto" safe>
        {revealed(job.title)}
      </h1>
      <div id="job-about" data-live="copy">
        <p class="about">
          <State job={job} /> Offered by <Name base={base} of={{ name: job.by, claimed: true }} />
          {job.held_by !== undefined && <Holder base={base} job={job} />}
          <span class="ways">
            {" "}
            · <a href={attribute(job.url)}>The page of the job</a> · <a href={`${base}/me/jobs`}>Your jobs</a>
          </span>
        </p>
        <JobReceipts base={base} receipts={receipts} />
      </div>
      <div class="text">{html.get(job.job.detail)! as "safe"}</div>
      <div id="job-result" data-live="copy">
        {job.result !== undefined && <Delivery base={base} job={job} html={html} />}
      </div>
      <JobActions site={site} job={job} form={form} />
    </Layout>
  );
}
