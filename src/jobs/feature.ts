/** The declarations of jobs for the rest of the service. */

import type { Moment } from "../core/clock.ts";
import type { CommandDefinitions } from "../core/commands.ts";
import type { SearchDefinitions } from "../core/search.ts";
import type { Tx } from "../core/storage.ts";
import * as commands from "./commands.ts";
import { settleLeases } from "./lease_expiry.ts";
import { indexNextJobs, jobsBacklog, searchJobs } from "./search.ts";

export const jobCommands = (rules: commands.JobRules) =>
  ({
    "jobs.post": {
      run: (tx: Tx, input: commands.PostInput) => commands.postJob(tx, rules, input),
      counted_as: "write",
    },
    "jobs.claim": {
      run: (tx: Tx, input: commands.ClaimInput) => commands.claimJob(tx, rules, input),
      counted_as: "write",
    },
    "jobs.extend": {
      run: (tx: Tx, input: commands.JobInput) => commands.extendJob(tx, rules, input),
      counted_as: "write",
    },
    "jobs.release": {
      run: (tx: Tx, input: commands.JobInput) => commands.releaseJob(tx, rules, input),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "jobs.deliver": {
      run: (tx: Tx, input: commands.DeliverInput) => commands.deliverJob(tx, rules, input),
      counted_as: "write",
    },
    "jobs.withdraw": {
      run: (tx: Tx, input: commands.JobInput) => commands.withdrawJob(tx, rules, input),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "jobs.review": {
      run: (tx: Tx, input: commands.ReviewInput) => commands.reviewJob(tx, rules, input),
      counted_as: "write",
    },
    "jobs.settle": {
      run: (tx: Tx, input: Moment) => settleLeases(tx, rules.putNote, input),
      bounded_because: "runs when a lease ends",
    },
    "jobs.index": {
      run: async (tx: Tx, _input: null) => ({ more: await indexNextJobs(tx) }),
      bounded_because: "indexes what was written before, and nothing twice",
      waits_for_space: true,
    },
  }) satisfies CommandDefinitions;

export type JobCommands = ReturnType<typeof jobCommands>;

export const job_searches = {
  "jobs.search": { run: searchJobs, backlog: jobsBacklog, indexed_by: "jobs.index" },
} satisfies SearchDefinitions;

export type JobSearches = typeof job_searches;

export const job_chores = [indexNextJobs];
