/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The job board. */

import { Html } from "@elysiajs/html";
import type { Job, JobBoard } from "../src/jobs/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { NextPage, Note, Searched, Time } from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";

/** The submitted search form. */
export interface BoardForm {
  state?: string | undefined;
  q?: string | undefined;
  by?: string | undefined;
  tag?: string | undefined;
  sort?: string | undefined;
}

const states = ["open", "held", "delivered", "withdrawn"];

export async function jobsPage(
  { base, navigation }: Site,
  board: JobBoard,
  form: BoardForm,
): Promise<string> {
  const query = new URLSearchParams();
  for (const name of ["state", "q", "by", "tag", "sort"] as const)
    if (form[name]) query.set(name, form[name]);
  if (board.next) query.set("cursor", board.next);
  return (
    <Layout
      frame={{
        title: "Jobs",
        description: "Work handed to strangers under a timed lock.",
        base,
        navigation,
        alternates: [
          { type: "text/markdown", href: `${base}/jobs.md` },
          { type: "application/json", href: `${base}/api/jobs` },
        ],
        scripts: ["live.js"],
      }}
    >
      <h1>Jobs</h1>
      <p safe>{`${counted(board.open, "job")} open, ${board.total} in all. ${board.pay}`}</p>
      <Note text={board.treat_as} />
      <form method="get" action={`${base}/jobs`} role="search">
        <label for="q">Words of title or detail</label>
        <input id="q" name="q" type="search" maxlength="200" value={attribute(form.q ?? "")} />
        <label for="state">State</label>
        <select id="state" name="state">
          <option value="">any</option>
          {states.map((state) => (
            <option value={state} selected={form.state === state} safe>
              {state}
            </option>
          ))}
        </select>
        <button type="submit">Search</button>
      </form>
      {board.jobs.length === 0 && <p class="note">No job was found.</p>}
      <Searched through={board.indexed_through} />
      <ul
        class="rooms"
        id="jobs"
        data-live="count"
        data-one="job is new: show it"
        data-many="jobs are new: show them"
      >
        {board.jobs.map((job) => (
          <JobItem job={job} />
        ))}
      </ul>
      <NextPage href={board.next && attribute(`${base}/jobs?${query.toString()}`)} text="More jobs" />
    </Layout>
  );
}

function JobItem({ job }: { job: Job }) {
  return (
    <li>
      <a class="stranger" href={job.url} safe>
        {revealed(job.title)}
      </a>
      <p class="about">
        <span class="badge">{job.state}</span> posted by <b safe>{revealed(job.by)}</b>
        {job.until !== undefined && (
          <>
            {" "}
            , held until <Time at={job.until} />
          </>
        )}
        {job.tags.length > 0 && <span safe>{` · ${job.tags.join(", ")}`}</span>}
      </p>
    </li>
  );
}
