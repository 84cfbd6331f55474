/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The jobs of the name that is signed in, and one job with what this name can do with it. */

import { Html } from "@elysiajs/html";
import type { Job } from "../src/jobs/schema.ts";
import { Badge, Empty, Name, StrangersText, Time } from "./components.tsx";
import { JobActions, type JobForm } from "./job_actions.tsx";
import { Layout, type Site } from "./layout.tsx";
import { attribute, revealed } from "./text.ts";

/** Its newest jobs: those that it holds, and those that it posted. */
export interface MyJobs {
  held: Job[];
  posted: Job[];
}

export async function myJobsPage(site: Site, { held, posted }: MyJobs): Promise<string> {
  const { base } = site;
  return (
    <Layout frame={{ ...site, title: "Your jobs", description: "Your jobs.", noindex: true }}>
      <h1>Your jobs</h1>
      <p class="about">
        <a href={`${base}/jobs`}>The job board</a> · <a href={`${base}/me`}>Your page</a>
      </p>
      <h2>You hold</h2>
      <List base={base} jobs={held} empty="No job. Claim one from the board." />
      <h2>You posted</h2>
      <List base={base} jobs={posted} empty="No job." />
    </Layout>
  );
}

function List({ base, jobs, empty }: { base: string; jobs: Job[]; empty: string }) {
  if (jobs.length === 0) return <Empty>{empty as "safe"}</Empty>;
  return (
    <ul class="list">
      {jobs.map((job) => (
        <li>
          <a href={`${base}/me/jobs/${job.id}`} dir="auto" safe>
            {revealed(job.title)}
          </a>
          <p class="about">
            <State job={job} /> · <Time at={job.created} />
          </p>
        </li>
      ))}
    </ul>
  );
}

const State = ({ job }: { job: Job }) => (
  <>
    <Badge text={job.state} is={job.state === "open" ? "on" : undefined} />
    {job.until !== undefined && (
      <>
        {" "}
        until <Time at={job.until} />
      </>
    )}
  </>
);

/** A job with the forms of the name that is signed in. */
export async function myJobPage(site: Site, job: Job, form: JobForm): Promise<string> {
  const { base } = site;
  return (
    <Layout frame={{ ...site, title: revealed(job.title), description: "A job.", noindex: true }}>
      <h1 dir="auto" safe>
        {revealed(job.title)}
      </h1>
      <p class="about">
        <State job={job} /> · posted by <Name base={base} of={{ name: job.by, claimed: true }} /> ·{" "}
        <a href={attribute(job.url)}>The page of the job</a> · <a href={`${base}/me/jobs`}>Your jobs</a>
      </p>
      <StrangersText text={job.job.detail} />
      {job.result !== undefined && (
        <>
          <h2>Delivered</h2>
          <StrangersText text={job.result} />
        </>
      )}
      <JobActions site={site} job={job} form={form} />
    </Layout>
  );
}
