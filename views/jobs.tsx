/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The job board: filters as links, a search, and a page of jobs. */

import { Html } from "@elysiajs/html";
import type { Job, JobBoard } from "../src/api/jobs/jobs.ts";
import { Badge, Empty, Name, NextPage, Note, Searched, Tags, Time } from "./components.tsx";
import { Offer, type OfferForm } from "./job_offer.tsx";
import { Layout } from "./layout.tsx";
import { ListControls, type Filter } from "./list_controls.tsx";
import { attribute, counted, markedBy, revealed } from "./text.ts";
import type { PartsOf, Site } from "../src/api/pages.ts";

/** The submitted search form. */
interface BoardForm {
  state?: string | undefined;
  q?: string | undefined;
  by?: string | undefined;
  held_by?: string | undefined;
  delivered_by?: string | undefined;
  tag?: string | undefined;
  sort?: string | undefined;
}

const filters = ["state", "q", "by", "held_by", "delivered_by", "tag", "sort"] as const;
const states = ["open", "held", "delivered", "withdrawn"];

const paramsOf = (form: BoardForm): [string, string][] =>
  filters.flatMap((name) => (form[name] ? [[name, form[name]]] : []));

/** The address of the board with these filters. */
export function boardUrl(base: string, form: BoardForm, cursor?: string | null): string {
  const query = new URLSearchParams(paramsOf(form));
  if (cursor) query.set("cursor", cursor);
  return attribute(`${base}/jobs${query.size > 0 ? "?" : ""}${query.toString()}`);
}

/** `partsOf`: splits texts into the words of a search and what is between them. */
export async function jobsPage(
  site: Site,
  board: JobBoard,
  form: BoardForm,
  offer: OfferForm,
  partsOf?: PartsOf,
): Promise<string> {
  const { base } = site;
  const marked = markedBy(partsOf);
  const offering = <Offer site={site} form={offer} once={`${board.total} ${board.jobs[0]?.id}`} />;
  return (
    <Layout
      {...site}
      section="/jobs"
      title="Jobs"
      scripts={["live.js"]}
      description="Work handed to strangers under a timed lock."
      alternates={[
        { type: "text/markdown", href: `${base}/jobs.md` },
        { type: "application/json", href: `${base}/api/jobs` },
      ]}
    >
      <h1>Jobs</h1>
      <p class="lead">
        Offer work, or claim a job and deliver it within an hour. The payment is not money: it is a signed
        receipt that anyone can check.
      </p>
      {offer.refusal !== undefined && offering}
      <ListControls
        search={{
          action: `${base}/jobs`,
          label: "Search jobs",
          q: form.q,
          also: paramsOf({ ...form, q: undefined }),
        }}
        filters={filtersOf(base, form)}
        make={{ text: "Offer a job", href: "#offer" }}
        count={countOf(board, form)}
        order={{
          text: form.sort === "oldest" ? "Newest first" : "Oldest first",
          href: boardUrl(base, { ...form, sort: form.sort === "oldest" ? undefined : "oldest" }),
        }}
      />
      <Searched through={board.indexed_through} />
      {board.jobs.length === 0 && (
        <Empty>
          No job is here. <a href={`${base}/jobs`}>All jobs</a>, or <a href="#offer">offer one</a>.
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
          <JobItem base={base} job={job} marked={marked} />
        ))}
      </ul>
      <NextPage href={board.next && boardUrl(base, form, board.next)} text="More jobs" />
      {offer.refusal === undefined && offering}
      <Note text={board.pay} />
      <Note text={board.treat_as} />
    </Layout>
  );
}

/** How many jobs the board has, and which of them are listed if not all are. */
function countOf(board: JobBoard, form: BoardForm): string {
  const all = `${counted(board.open, "job")} open, ${board.total} in all`;
  const only = filters.flatMap((name) => (form[name] && name !== "sort" ? [form[name]] : []));
  return only.length === 0 ? all : `Listed: ${revealed(only.join(", "))}. The whole board: ${all}`;
}

const removable = ["by", "held_by", "delivered_by", "tag"] as const;

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

function filtersOf(base: string, form: BoardForm): Filter[] {
  const link = (text: string, change: BoardForm, is_current: boolean): Filter => ({
    text,
    href: boardUrl(base, { ...form, ...change }),
    is_current,
  });
  const removes = (name: keyof BoardForm, label: string): Filter[] =>
    form[name]
      ? [
          {
            text: label,
            removes: form[name],
            href: boardUrl(base, { ...form, [name]: undefined }),
          },
        ]
      : [];
  return [
    link("All", { state: undefined }, !form.state),
    ...states.map((state) => link(capital(state), { state }, form.state === state)),
    ...removable.flatMap((name) => removes(name, capital(name.replace("_", " ")))),
    ...removes("q", "Search"),
  ];
}

/** What a state means for readers: work can be taken, is under way, or is over. */
export const State = ({ job: { state, review } }: { job: Job }) => (
  <Badge
    text={review?.verdict ?? state}
    {...(state === "open" && { is: "on" as const })}
    {...(state === "withdrawn" && { is: "off" as const })}
    {...(review?.verdict === "disputed" && { is: "bad" as const })}
  />
);

/** Who holds a job and until when, or who has delivered it. */
export function Holder({ base, job: { held_by, until, delivered_by } }: { base: string; job: Job }) {
  const name = held_by ?? delivered_by;
  if (name === undefined) return "";
  return (
    <>
      {" "}
      · {held_by === undefined ? "delivered by" : "held by"} <Name base={base} of={{ name, claimed: true }} />
      {until !== undefined && <LockEnds at={until} />}
    </>
  );
}

/** Until when a job is held. */
const LockEnds = ({ at }: { at: string }) => (
  <>
    , the lock ends <Time at={at} />
  </>
);

interface ItemProps {
  base: string;
  job: Job;
  marked(text: string): string;
}

function JobItem({ base, job, marked }: ItemProps) {
  return (
    <li>
      <a href={job.url} dir="auto">
        {marked(job.title) as "safe"}
      </a>
      <p class="about">
        <State job={job} /> Offered by <Name base={base} of={{ name: job.by, claimed: true }} /> ·{" "}
        <Time at={job.created} />
        <Holder base={base} job={job} />
        <Tags list={`${base}/jobs`} tags={job.tags} />
      </p>
    </li>
  );
}
