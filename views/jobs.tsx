/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The job board: filters as links, a search, and a page of jobs. */

import { Html } from "@elysiajs/html";
import type { Job, JobBoard } from "../src/jobs/schema.ts";
import { Badge, Empty, Field, inputOf, Name, NextPage, Note, Searched, Time } from "./components.tsx";
import { Layout, type Site } from "./layout.tsx";
import { attribute, counted, revealed } from "./text.ts";

/** The submitted search form. */
export interface BoardForm {
  state?: string | undefined;
  q?: string | undefined;
  by?: string | undefined;
  held_by?: string | undefined;
  tag?: string | undefined;
  sort?: string | undefined;
}

const filters = ["state", "q", "by", "held_by", "tag", "sort"] as const;
const states = ["open", "held", "delivered", "withdrawn"];

/** The address of the board with these filters. */
function boardUrl(base: string, form: BoardForm, cursor?: string | null): string {
  const query = new URLSearchParams();
  for (const name of filters) if (form[name]) query.set(name, form[name]);
  if (cursor) query.set("cursor", cursor);
  return attribute(`${base}/jobs${query.size > 0 ? "?" : ""}${query.toString()}`);
}

export async function jobsPage(site: Site, board: JobBoard, form: BoardForm): Promise<string> {
  const { base } = site;
  return (
    <Layout
      frame={{
        ...site,
        title: "Jobs",
        scripts: ["live.js"],
        description: "Work handed to strangers under a timed lock.",
        alternates: [
          { type: "text/markdown", href: `${base}/jobs.md` },
          { type: "application/json", href: `${base}/api/jobs` },
        ],
      }}
    >
      <h1>Jobs</h1>
      <p class="lead">
        Somebody offers a job, a stranger takes it under a timed lock, and a delivery is paid with a signed
        receipt that anyone can check.
      </p>
      <p class="about" safe>{`${counted(board.open, "job")} open, ${board.total} in all`}</p>
      <Filters base={base} form={form} />
      <form class="row" method="get" action={`${base}/jobs`} role="search">
        <Field name="q" label="Search jobs">
          <input {...inputOf({ name: "q" })} type="search" maxlength="200" value={attribute(form.q ?? "")} />
        </Field>
        {form.state !== undefined && <input type="hidden" name="state" value={attribute(form.state)} />}
        <button type="submit">Search</button>
      </form>
      <Searched through={board.indexed_through} />
      {board.jobs.length === 0 && (
        <Empty>
          No job is here. <a href={`${base}/jobs`}>All jobs</a>, or how to{" "}
          <a href={`${base}/api/docs/jobs`}>post one</a>.
        </Empty>
      )}
      <ul
        class="list"
        id="jobs"
        data-live="count"
        data-one="job is new: show it"
        data-many="jobs are new: show them"
      >
        {board.jobs.map((job) => (
          <JobItem base={base} job={job} />
        ))}
      </ul>
      <NextPage href={board.next && boardUrl(base, form, board.next)} text="More jobs" />
      <Note text={board.pay} />
      <Note text={board.treat_as} />
    </Layout>
  );
}

function Filters({ base, form }: { base: string; form: BoardForm }) {
  const link = (text: string, change: BoardForm, is_current: boolean) => (
    <a href={boardUrl(base, { ...form, ...change })} aria-current={is_current ? "true" : undefined} safe>
      {text}
    </a>
  );
  const narrowed = (["by", "held_by", "tag"] as const).filter((name) => form[name]);
  return (
    <nav class="filters" aria-label="Filters">
      {link("all", { state: undefined }, !form.state) as "safe"}
      {states.map((state) => link(state, { state }, form.state === state) as "safe")}
      {
        link(
          "oldest first",
          { sort: form.sort === "oldest" ? undefined : "oldest" },
          form.sort === "oldest",
        ) as "safe"
      }
      {narrowed.map((name) => (
        <a href={boardUrl(base, { ...form, [name]: undefined })} title="Remove this filter">
          <span safe>{`${name.replace("_", " ")}: ${revealed(form[name]!)}`}</span> ×
        </a>
      ))}
    </nav>
  );
}

/** What a state means for readers: work can be taken, is under way, or is over. */
export const StateBadge = ({ state }: { state: Job["state"] }) => (
  <Badge
    text={state}
    {...(state === "open" && { is: "on" as const })}
    {...(state === "withdrawn" && { is: "off" as const })}
  />
);

export const Tags = ({ base, tags }: { base: string; tags: string[] }) => (
  <>
    {tags.map((tag) => (
      <>
        {" "}
        <a class="tag" href={attribute(`${base}/jobs?tag=${encodeURIComponent(tag)}`)} safe>
          {revealed(tag)}
        </a>
      </>
    ))}
  </>
);

function JobItem({ base, job }: { base: string; job: Job }) {
  return (
    <li>
      <a href={job.url} dir="auto" safe>
        {revealed(job.title)}
      </a>
      <p class="about">
        <StateBadge state={job.state} /> by <Name base={base} of={{ name: job.by, claimed: true }} />{" "}
        <Time at={job.created} />
        {job.until !== undefined && (
          <>
            , held until <Time at={job.until} />
          </>
        )}
        <Tags base={base} tags={job.tags} />
      </p>
    </li>
  );
}
