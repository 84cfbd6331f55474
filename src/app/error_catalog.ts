/** All expected errors of the service, by code: for the problem pages and for tests. */

import { scope_errors } from "../core/admin.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors, service_errors } from "../core/general_errors.ts";
import { web_errors } from "../web/errors.ts";
import { declared } from "./commands.ts";

/** The errors of no feature. */
export const general_errors = {
  ...call_errors,
  ...caller_errors,
  ...scope_errors,
  ...service_errors,
  ...web_errors,
};

export const error_catalog = { ...general_errors, ...declared.errors };

export type ErrorCode = keyof typeof error_catalog;
