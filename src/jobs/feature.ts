/** The declarations of jobs for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { underName, withRules, type CommandDefinitions } from "../core/commands.ts";
import type { SearchDefinitions } from "../core/search.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import type { Tx } from "../core/storage.ts";
import { withdrawAsAdmin, type JobAdminRules } from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { job_errors } from "./errors.ts";
import { job_hints } from "./hints.ts";
import { settleLeases } from "./lease_expiry.ts";
import { indexNextJobs, jobsBacklog, searchJobs } from "./search.ts";

/** The functions of other features that the commands of jobs need. */
interface JobRules extends NameRules, JobAdminRules {}

const jobCommands = (rules: JobRules) => {
  const named = underName(rules);
  const noting = withRules(rules.putNote);
  const changing = { counted_as: "write", over_budget_because: "changes a row" } as const;
  return {
    "jobs.post": { run: named(commands.postJob), counted_as: "write", numbers: "jobs" },
    "jobs.claim": { run: named(noting(commands.claimJob)), counted_as: "write" },
    "jobs.extend": { run: named(noting(commands.extendJob)), counted_as: "write" },
    "jobs.release": { run: named(noting(commands.releaseJob)), ...changing },
    "jobs.deliver": { run: named(noting(commands.deliverJob)), counted_as: "write" },
    "jobs.withdraw": { run: named(noting(commands.withdrawJob)), ...changing },
    "jobs.review": { run: named(noting(commands.reviewJob)), counted_as: "write" },
    "jobs.settle": {
      run: noting(settleLeases),
      bounded_because: "runs when a lease ends",
    },
    "jobs.withdraw_as_admin": {
      run: withRules<JobAdminRules>(rules)(withdrawAsAdmin),
      bounded_because: "an admin causes it",
    },
    "jobs.index": {
      run: async (tx: Tx, _input: null) => ({ more: await indexNextJobs(tx) }),
      bounded_because: "indexes what was written before, and nothing twice",
      runs_alone: true,
      waits_for_space: true,
    },
  } satisfies CommandDefinitions;
};

export type JobCommands = ReturnType<typeof jobCommands>;

const job_searches = {
  "jobs.search": { run: searchJobs, backlog: jobsBacklog, indexed_by: "jobs.index" },
} satisfies SearchDefinitions;

export type JobSearches = typeof job_searches;

export const jobFeature = (rules: JobRules) =>
  ({
    commands: jobCommands(rules),
    searches: job_searches,
    chores: [indexNextJobs],
    errors: job_errors,
    hints: job_hints,
  }) satisfies FeatureDeclaration;
