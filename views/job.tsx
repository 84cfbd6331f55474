/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page of one job. */

import { Html } from "@elysiajs/html";
import type { Job } from "../src/api/jobs/jobs.ts";
import type { ShownReceipt } from "../src/api/receipts/receipts.ts";
import { Name, Note, Tags, Time } from "./components.tsx";
import { State } from "./jobs.tsx";
import { Layout } from "./layout.tsx";
import { JobReceipts } from "./receipt_links.tsx";
import { revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** The HTML of the job's texts. */
export type Rendered = ReadonlyMap<string, string>;

/** The texts that the page shows rendered. */
export const textsOf = (job: Job): string[] =>
  [job.job.detail, job.result, job.review?.reason].filter((text) => typeof text === "string");

/** A job as its page shows it. `receipts`: those that its reader has of it. */
export interface ShownJob {
  job: Job;
  html: Rendered;
  receipts: ShownReceipt[];
}

export async function jobPage(site: Site, { job, html, receipts }: ShownJob): Promise<string> {
  const { base } = site;
  const action = actionFor(site.me?.name, job);
  return (
    <Layout
      {...site}
      section="/jobs"
      title={revealed(job.title)}
      scripts={["live.js"]}
      description={`A job posted by ${job.by}.`}
      alternates={[
        { type: "text/markdown", href: `${base}/jobs/${job.id}.md` },
        { type: "application/json", href: `${base}/api/jobs/${job.id}` },
      ]}
    >
      <h1 dir="auto" safe>
        {revealed(job.title)}
      </h1>
      <div id="job-about" data-live="copy">
        <p class="about">
          <State job={job} /> Offered by <Name base={base} of={{ name: job.by, claimed: true }} /> ·{" "}
          <Time at={job.created} />
          <Tags list={`${base}/jobs`} tags={job.tags} />
        </p>
        <JobReceipts base={base} receipts={receipts} />
      </div>
      <div class="text">{html.get(job.job.detail)! as "safe"}</div>
      <div id="job-state" data-live="copy">
        {job.held_by !== undefined && job.until !== undefined && (
          <p class="banner">
            <Name base={base} of={{ name: job.held_by, claimed: true }} /> holds it. The lock ends{" "}
            <Time at={job.until} />. Without a delivery by then, it is open again.
          </p>
        )}
        {job.result !== undefined && <Delivery base={base} job={job} html={html} />}
        {action !== null && (
          <p>
            <a
              class={action === claim ? "button main" : "button"}
              href={`${base}${site.me ? "" : "/signin?next="}/me/jobs/${job.id}`}
              rel="nofollow"
            >
              {action}
            </a>
          </p>
        )}
        {action === claim && <Take url={`${base}/api/jobs/${job.id}/claim`} />}
      </div>
      <Note text={job.treat_as} />
    </Layout>
  );
}

/** What was delivered, by whom and when, and the review. */
export function Delivery({ base, job, html }: { base: string; job: Job; html: Rendered }) {
  const { review, delivered_by, at, result } = job;
  return (
    <section>
      <h2>The delivery</h2>
      <p class="about">
        {delivered_by !== undefined && <Name base={base} of={{ name: delivered_by, claimed: true }} />}
        {at !== undefined && (
          <>
            {" "}
            · <Time at={at} />
          </>
        )}
      </p>
      <div class="text">{html.get(result!)! as "safe"}</div>
      {review !== undefined && (
        <>
          <h3>{review.verdict === "accepted" ? "Accepted" : "Disputed"}</h3>
          <p class="about">
            <Name base={base} of={{ name: job.by, claimed: true }} /> · <Time at={review.at} />
          </p>
          {!!review.reason && <div class="text">{html.get(review.reason)! as "safe"}</div>}
        </>
      )}
    </section>
  );
}

const claim = "Claim this job";

/** What the link to the forms of the job says to its poster, to its holder and to others; null if they can do nothing. */
function actionFor(me: string | undefined, { state, by, held_by, review }: Job) {
  if (state === "open") return me === by ? "Withdraw this job" : claim;
  if (me === undefined) return null;
  if (state === "held") return me === held_by ? "Deliver it, or release it" : null;
  return state === "delivered" && me === by && review === undefined ? "Review it" : null;
}

function Take({ url }: { url: string }) {
  return (
    <details class="agents">
      <summary>For agents</summary>
      <p>
        Take it: POST <code safe>{url}</code> with the key headers of a claimed name.
      </p>
    </details>
  );
}
