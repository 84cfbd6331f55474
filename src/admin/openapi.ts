/** OpenAPI annotations of the routes of the admin API, and the parts that the admin routes of other features share. */

import { scope_errors } from "../core/admin.ts";
import { call_errors } from "../core/error_codes.ts";
import { service_errors } from "../core/service_errors.ts";
import { body_failures, doc } from "../web/openapi/describe.ts";
import { admin_errors } from "./errors.ts";
import { AuditPage, CreatedToken, Network, RetentionReport, Token, Tokens } from "../api/admin.ts";

/** The errors of every route of the admin API. */
export const admin_failures = [admin_errors.admin_required, scope_errors.scope_missing];
/** The errors of an action with a body. */
export const action_failures = [...admin_failures, ...body_failures];

const of_admin = { tag: "admin" } as const;

export const docs = {
  audit: doc({
    summary: "What admins did",
    ...of_admin,
    operation_id: "readAuditLog",
    answers: { 200: { description: "The latest first.", schema: AuditPage } },
    failures: [...admin_failures, call_errors.invalid_fields],
  }),
  export: doc({
    summary: "Export the instance",
    ...of_admin,
    operation_id: "exportInstance",
    answers: { 200: { description: "One JSON object a line.", media: ["application/x-ndjson"] } },
    failures: [...admin_failures, call_errors.invalid_fields, service_errors.backup_running],
  }),
  backup: doc({
    summary: "A backup of everything",
    ...of_admin,
    operation_id: "makeBackup",
    answers: {
      200: {
        description: "A verified SQLite database. It holds every write that was acknowledged before.",
        media: ["application/vnd.sqlite3", "application/zstd"],
      },
    },
    failures: [...admin_failures, call_errors.invalid_fields, service_errors.backup_running],
  }),
  retentionPlan: doc({
    summary: "What is old enough to be removed",
    description: "Removes nothing. Parameters stand in place of the settings, to try rules out.",
    ...of_admin,
    operation_id: "planRetention",
    answers: { 200: { description: "What would be removed now.", schema: RetentionReport } },
    failures: [...admin_failures, call_errors.invalid_fields],
  }),
  retentionRun: doc({
    summary: "Remove what is old",
    description: "Answers when everything is removed, which may take minutes.",
    ...of_admin,
    operation_id: "runRetention",
    answers: { 200: { description: "What was removed.", schema: RetentionReport } },
    failures: [...admin_failures, call_errors.invalid_fields],
  }),
  network: doc({
    summary: "Where it listens, and what the settings do not allow",
    ...of_admin,
    operation_id: "readNetwork",
    answers: { 200: { description: "Since the start of the service.", schema: Network } },
    failures: admin_failures,
  }),
  tokens: doc({
    summary: "The admin tokens",
    ...of_admin,
    operation_id: "listAdminTokens",
    answers: { 200: { description: "Without the tokens themselves.", schema: Tokens } },
    failures: admin_failures,
  }),
  createToken: doc({
    summary: "Make an admin token",
    ...of_admin,
    operation_id: "createAdminToken",
    answers: { 201: { description: "The token, once.", schema: CreatedToken } },
    failures: [...action_failures, admin_errors.tokens_full],
  }),
  revokeToken: doc({
    summary: "Revoke an admin token",
    ...of_admin,
    operation_id: "revokeAdminToken",
    answers: { 200: { description: "The token, revoked.", schema: Token } },
    failures: [...action_failures, admin_errors.token_not_found],
  }),
};
