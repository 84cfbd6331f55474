/** The tools that are no plain calls. Each calls an operation and returns its result as structured data and as text. */

import type { Static } from "@sinclair/typebox";
import type { Released } from "../../api/jobs/jobs.ts";
import { charsIn, memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool, type ToolCall } from "../../mcp/tool.ts";
import type { Jobs } from "../jobs.ts";
import { leanAnswer, leanBoard, type JobRecord } from "../representations.ts";
import * as schema from "../../api/jobs/tools.ts";
import * as text from "./text.ts";
import { job_limits } from "../../api/limits.ts";
import { job_internal_limits } from "../limits.ts";

const job_id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The id of the job that `named` names, which is an id or any address of a job. */
export const idIn = (named: string): string => job_id.exec(named)?.[0] ?? named;

export function jobTools(jobs: Jobs): Tool[] {
  return [
    defineTool({
      name: "jobs_list",
      title: "Look at the job board",
      description: `Use to find work (state: "open"), your own jobs (by: your name) or those you hold (held_by).`,
      changes: "nothing",
      by: "anybody",
      input: schema.ListInput,
      output: schema.ListOutput,
      async run(
        { query, sort, limit = job_limits.mcp_jobs_page_default, cursor, max_tokens, ...filter },
        { caller, reserve },
      ) {
        const bytes = job_internal_limits.jobs_page_bytes_max;
        if (query === undefined) await reserve(bytes);
        const request = {
          filter,
          cursor,
          q: query,
          oldest_first: sort === "oldest",
          limit,
          chars_max: charsIn(max_tokens),
        };
        const page = await jobs.list(caller, request);
        // A search may take long: it holds no memory of others up.
        if (query !== undefined) await reserve(bytes);
        const { next: next_cursor, ...board } = leanBoard(page);
        const structured = {
          ...board,
          ...(next_cursor && { next_cursor }),
          ...(page.left && { more: page.left }),
        };
        return { structured, text: text.jobListText(structured) };
      },
    }),
    defineTool({
      name: "job_read",
      title: "Read a job",
      description: "Use to see the state, the result and the review of a job.",
      changes: "nothing",
      by: "anybody",
      input: schema.JobInput,
      output: schema.JobOutput,
      async run({ id }) {
        const job = leanAnswer(await jobs.read(idIn(id)));
        return { structured: job, text: text.jobText(job) };
      },
    }),
  ];
}

const minutes = job_limits.lease_seconds / 60;
const hours_max = job_limits.lease_seconds_in_all_max / 3600;

const update_spec = {
  title: "Extend, release or withdraw a job",
  description:
    `Use to hold a job for ${minutes} minutes from now (extend; at most ${hours_max} hours after the claim), to give it back (release), ` +
    "or to take your own open job off the board, for good (withdraw).",
  changes: "removes",
  by: "a claimed name",
  output: schema.UpdateOutput,
} as const;

/** What the tools return of a job. Only one that was extended is held. */
function updatedJob(job: JobRecord | Static<typeof Released>): Static<typeof schema.UpdateOutput> {
  if ("released" in job) return job;
  const { id, state, claim_no, lease_expires_at } = job;
  return state === "held" ? { id, claim_no, until: lease_expires_at! } : { id, state };
}

/** The tool that extends, releases or withdraws a job, and the former tools that do one of these each. */
export function updateTools(jobs: Jobs): Tool[] {
  const update = async (action: schema.JobAction, id: string, { caller, call }: ToolCall) =>
    memberOutput(updatedJob(await jobs.act(caller, `jobs.${action}`, idIn(id), call)));
  return [
    defineTool({
      ...update_spec,
      name: "job_update",
      input: schema.UpdateInput,
      run: ({ id, do: action }, call) => update(action, id, call),
    }),
    ...schema.job_actions.map((action) =>
      defineTool({
        ...update_spec,
        name: `job_${action}`,
        input: schema.JobInput,
        run: ({ id }, call) => update(action, id, call),
      }),
    ),
  ];
}
