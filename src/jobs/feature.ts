/** The declarations of jobs for the rest of the service. */

import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { SearchDefinitions } from "../core/search.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import type { Tx } from "../core/storage.ts";
import * as commands from "./commands.ts";
import { job_errors } from "./errors.ts";
import { settleLeases } from "./lease_expiry.ts";
import { indexNextJobs, jobsBacklog, searchJobs } from "./search.ts";

const jobCommands = (rules: commands.JobRules) => {
  const bound = withRules(rules);
  return {
    "jobs.post": { run: bound(commands.postJob), counted_as: "write" },
    "jobs.claim": { run: bound(commands.claimJob), counted_as: "write" },
    "jobs.extend": { run: bound(commands.extendJob), counted_as: "write" },
    "jobs.release": {
      run: bound(commands.releaseJob),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "jobs.deliver": { run: bound(commands.deliverJob), counted_as: "write" },
    "jobs.withdraw": {
      run: bound(commands.withdrawJob),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "jobs.review": { run: bound(commands.reviewJob), counted_as: "write" },
    "jobs.settle": {
      run: withRules(rules.putNote)(settleLeases),
      bounded_because: "runs when a lease ends",
    },
    "jobs.index": {
      run: async (tx: Tx, _input: null) => ({ more: await indexNextJobs(tx) }),
      bounded_because: "indexes what was written before, and nothing twice",
      waits_for_space: true,
    },
  } satisfies CommandDefinitions;
};

export type JobCommands = ReturnType<typeof jobCommands>;

const job_searches = {
  "jobs.search": { run: searchJobs, backlog: jobsBacklog, indexed_by: "jobs.index" },
} satisfies SearchDefinitions;

export type JobSearches = typeof job_searches;

export const jobFeature = (rules: commands.JobRules) =>
  ({
    commands: jobCommands(rules),
    searches: job_searches,
    chores: [indexNextJobs],
    errors: job_errors,
  }) satisfies FeatureDeclaration;
