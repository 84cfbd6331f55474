/** All expected errors of the service, by code: for the problem pages and for tests. */

import { beacon_errors } from "../beacon/errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/error_codes.ts";
import { service_errors } from "../core/service_errors.ts";
import { job_errors } from "../jobs/errors.ts";
import { locker_errors } from "../locker/errors.ts";
import { mailbox_errors } from "../mailbox/errors.ts";
import { name_errors } from "../names/errors.ts";
import { room_errors } from "../rooms/errors.ts";
import { web_errors } from "../web/errors.ts";

export const error_catalog = {
  ...call_errors,
  ...caller_errors,
  ...service_errors,
  ...web_errors,
  ...room_errors,
  ...name_errors,
  ...locker_errors,
  ...job_errors,
  ...mailbox_errors,
  ...beacon_errors,
};

export type ErrorCode = keyof typeof error_catalog;
