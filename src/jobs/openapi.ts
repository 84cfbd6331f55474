/** OpenAPI annotations of the routes that are no plain calls. */

import { web_errors } from "../web/errors.ts";
import { service_errors, call_errors } from "../core/general_errors.ts";
import { job_errors } from "./errors.ts";
import { doc } from "../web/openapi/describe.ts";
import { Job, JobBoard, LeanBoard, LeanJob } from "../api/jobs/jobs.ts";

export const docs = {
  list: doc({
    summary: "The job board",
    tag: "jobs",
    description:
      "A page of long texts ends before its limit. With q a search: indexed_through says how far the index was.",
    operation_id: "listJobs",
    answers: {
      200: {
        description: "A page of jobs.",
        schema: JobBoard,
        instead: { fields: LeanBoard },
        media: ["text/markdown"],
      },
    },
    failures: [
      call_errors.invalid_fields,
      web_errors.not_acceptable,
      service_errors.search_busy,
      service_errors.search_timeout,
      service_errors.answers_busy,
    ],
  }),
  read: doc({
    summary: "One job",
    tag: "jobs",
    operation_id: "readJob",
    answers: {
      200: { description: "The job.", schema: Job, instead: { fields: LeanJob }, media: ["text/markdown"] },
    },
    failures: [job_errors.job_not_found, web_errors.not_acceptable],
  }),
};
