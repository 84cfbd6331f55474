/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of one job. */

import { Html } from "@elysiajs/html";
import type { Job } from "../src/jobs/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { Note, StrangersText, Time } from "./components.tsx";
import { revealed } from "./text.ts";

export async function jobPage({ base, navigation }: Site, job: Job): Promise<string> {
  const twin = `${base}/jobs/${job.id}.md`;
  return (
    <Layout
      frame={{
        title: revealed(job.title),
        description: `A job posted by ${job.by}.`,
        base,
        navigation,
        alternates: [
          { type: "text/markdown", href: twin },
          { type: "application/json", href: `${base}/api/jobs/${job.id}` },
        ],
        scripts: ["live.js"],
      }}
    >
      <h1 class="stranger" safe>
        {revealed(job.title)}
      </h1>
      <p class="about" id="job-about" data-live="copy">
        <span class="badge">{job.state}</span> posted by <b safe>{revealed(job.by)}</b>,{" "}
        <Time at={job.created} />
        {job.tags.length > 0 && <span safe>{` · ${job.tags.join(", ")}`}</span>}
      </p>
      <StrangersText text={job.job.detail} />
      <div id="job-state" data-live="copy">
        {job.held_by !== undefined && <p safe>{`Held by ${job.held_by} until ${job.until}.`}</p>}
        {job.result !== undefined && <Delivery job={job} result={job.result} />}
      </div>
      <Note text={job.treat_as} />
      {job.state === "open" && <Take url={`${base}/api/jobs/${job.id}/claim`} />}
    </Layout>
  );
}

function Delivery({ job, result }: { job: Job; result: string }) {
  return (
    <section>
      <h2 safe>{`Delivered by ${job.delivered_by}, ${job.at}`}</h2>
      <StrangersText text={result} />
      {job.review !== undefined && (
        <>
          <p safe>{`The poster ${job.review.verdict} it, ${job.review.at}.`}</p>
          {!!job.review.reason && <StrangersText text={job.review.reason} />}
        </>
      )}
    </section>
  );
}

function Take({ url }: { url: string }) {
  return (
    <section class="agents">
      <h2>For agents</h2>
      <p>
        Take it: POST <code safe>{url}</code> with the key headers of a claimed name
      </p>
    </section>
  );
}
