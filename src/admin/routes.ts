/** The routes of the admin API that belong to no other feature: the audit log and the tokens. */

import { Type, type Static } from "@sinclair/typebox";
import { service_errors } from "../core/general_errors.ts";
import { countOf } from "../core/fields.ts";
import { retention_names, retentionText, type Retention } from "../core/retention.ts";
import type { Http } from "../web/context.ts";
import { fromFile } from "../web/body_sources.ts";
import { sendFrom } from "../web/responses.ts";
import type { Admins } from "./admin.ts";
import { adminCall, adminRoutes } from "./admin_call.ts";
import type { Backups } from "./backups.ts";
import { admin_errors } from "./errors.ts";
import type { Retentions } from "./retention.ts";
import * as schema from "../api/admin.ts";
import { admin_limits } from "../api/limits.ts";

const TokenParams = Type.Object({ id: Type.String({ description: "The id of the token." }) });

/** The rules that a call gives. */
const rulesIn = (query: Static<typeof schema.RetentionQuery>): Partial<Retention> =>
  Object.fromEntries(
    retention_names.flatMap((name) => {
      const value = countOf(query[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const adminHttp = (admins: Admins, backups: Backups, retention: Retentions, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "GET /api/admin/audit",
      scope: "moderate",
      query: schema.AuditQuery,
      summary: "What admins did",
      tag: "admin",
      operation_id: "readAuditLog",
      answers: { 200: { description: "The latest first.", schema: schema.AuditPage } },
      run: ({ query }) =>
        admins.auditLog(countOf(query.limit) ?? admin_limits.audit_page_default, countOf(query.before)),
    }),
    adminCall({
      at: "GET /api/admin/export",
      scope: "operate",
      query: schema.ExportQuery,
      summary: "Export the instance",
      operation_id: "exportInstance",
      answers: { 200: { description: "One JSON object a line.", media: ["application/x-ndjson"] } },
      failures: [service_errors.backup_running],
      async run({ admin, query, request }) {
        // The copy that is made first may take long.
        http.idle.lift(request);
        const lines = await admins.export(admin, query.secrets === "1");
        return sendFrom(lines, {
          headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
        });
      },
    }),
    adminCall({
      at: "GET /api/admin/backup",
      scope: "operate",
      query: schema.BackupQuery,
      summary: "A backup of everything",
      operation_id: "makeBackup",
      answers: {
        200: {
          description: "A verified SQLite database. It holds every write that was acknowledged before.",
          media: ["application/vnd.sqlite3", "application/zstd"],
        },
      },
      failures: [service_errors.backup_running],
      async run({ admin, request, query }) {
        const is_compressed = query.compress === "zstd";
        http.idle.lift(request);
        await admins.noteBackup(admin);
        const file = await backups.make(is_compressed);
        const type = is_compressed ? "application/zstd" : "application/vnd.sqlite3";
        return sendFrom(fromFile(file), { headers: { "content-type": type, "cache-control": "no-store" } });
      },
    }),
    adminCall({
      at: "GET /api/admin/retention",
      scope: "operate",
      query: schema.RetentionQuery,
      summary: "What is old enough to be removed",
      description: "Removes nothing. Parameters stand in place of the settings, to try rules out.",
      operation_id: "planRetention",
      answers: { 200: { description: "What would be removed now.", schema: schema.RetentionReport } },
      run({ query, request }) {
        // It looks at every room.
        http.idle.lift(request);
        return retention.plan(retention.rulesWith(rulesIn(query)));
      },
    }),
    adminCall({
      at: "POST /api/admin/retention",
      scope: "operate",
      query: schema.RetentionQuery,
      summary: "Remove what is old",
      description: "Answers when everything is removed, which may take minutes.",
      operation_id: "runRetention",
      answers: { 200: { description: "What was removed.", schema: schema.RetentionReport } },
      async run({ admin, query, request }) {
        http.idle.lift(request);
        const rules = retention.rulesWith(rulesIn(query));
        await admins.noteRetention(admin, retentionText(rules) || "no rules");
        return retention.run(rules);
      },
    }),
    adminCall({
      at: "GET /api/admin/network",
      scope: "operate",
      summary: "Where it listens, and what the settings do not allow",
      operation_id: "readNetwork",
      answers: { 200: { description: "Since the start of the service.", schema: schema.Network } },
      run: () => http.network(),
    }),
    adminCall({
      at: "GET /api/admin/tokens",
      scope: "operate",
      summary: "The admin tokens",
      operation_id: "listAdminTokens",
      answers: { 200: { description: "Without the tokens themselves.", schema: schema.Tokens } },
      run: async () => ({ tokens: await admins.tokens() }),
    }),
    adminCall({
      at: "POST /api/admin/tokens",
      scope: "operate",
      body: schema.CreateToken,
      summary: "Make an admin token",
      operation_id: "createAdminToken",
      answers: { 201: { description: "The token, once.", schema: schema.CreatedToken } },
      failures: [admin_errors.tokens_full],
      run: ({ admin, body }) => admins.createToken(admin, body.label, body.scope),
    }),
    adminCall({
      at: "POST /api/admin/tokens/:id/revoke",
      scope: "operate",
      params: TokenParams,
      body: schema.Reasoned,
      summary: "Revoke an admin token",
      operation_id: "revokeAdminToken",
      answers: { 200: { description: "The token, revoked.", schema: schema.RevokedToken } },
      failures: [admin_errors.token_not_found],
      run: ({ admin, params, body }) => admins.revokeToken(admin, params.id, body.reason),
    }),
  ]);
