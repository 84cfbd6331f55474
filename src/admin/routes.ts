/** The routes of the admin API that belong to no other feature: the audit log and the tokens. */

import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { countOf } from "../core/fields.ts";
import { retention_names, type Retention } from "../core/retention.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { fromFile } from "../web/body_sources.ts";
import { sendFrom, sendJson } from "../web/responses.ts";
import type { Admins } from "./admin.ts";
import type { Backups } from "./backups.ts";
import { docs } from "./openapi.ts";
import type { Retentions } from "./retention.ts";
import { AuditQuery, BackupQuery, CreateToken, ExportQuery, Reasoned, RetentionQuery } from "../api/admin.ts";
import { admin_limits } from "../api/limits.ts";

const TokenParams = Type.Object({ id: Type.String({ description: "The id of the token." }) });

/** The rules that a call gives. */
const rulesIn = (query: Static<typeof RetentionQuery>): Partial<Retention> =>
  Object.fromEntries(
    retention_names.flatMap((name) => {
      const value = countOf(query[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export function adminHttp(
  admins: Admins,
  backups: Backups,
  retention: Retentions,
  { access, idle, network }: Http,
) {
  return new Elysia({ name: "admin" })
    .use(access)
    .get(
      "/api/admin/audit",
      async ({ query }) => {
        const limit = countOf(query.limit) ?? admin_limits.audit_page_default;
        return sendJson(await admins.auditLog(limit, countOf(query.before)), 200);
      },
      { needs_scope: "moderate", query: AuditQuery, ...docs.audit },
    )
    .get(
      "/api/admin/export",
      async ({ admin, query, request }) => {
        // The copy that is made first may take long.
        idle.lift(request);
        const with_secrets = query.secrets === "1";
        const lines = await admins.export(admin, with_secrets);
        return sendFrom(lines, {
          headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
        });
      },
      { needs_scope: "operate", query: ExportQuery, ...docs.export },
    )
    .get(
      "/api/admin/backup",
      async ({ admin, request, query }) => {
        const is_compressed = query.compress === "zstd";
        idle.lift(request);
        await admins.noteBackup(admin);
        const file = await backups.make(is_compressed);
        const headers = { "content-type": is_compressed ? "application/zstd" : "application/vnd.sqlite3" };
        return sendFrom(fromFile(file), { headers: { ...headers, "cache-control": "no-store" } });
      },
      { needs_scope: "operate", query: BackupQuery, ...docs.backup },
    )
    .get("/api/admin/retention", async ({ query }) => sendJson(await retention.plan(rulesIn(query)), 200), {
      needs_scope: "operate",
      query: RetentionQuery,
      ...docs.retentionPlan,
    })
    .post(
      "/api/admin/retention",
      async ({ query, request }) => {
        idle.lift(request);
        return sendJson(await retention.run(rulesIn(query)), 200);
      },
      { needs_scope: "operate", query: RetentionQuery, parse: "none", ...docs.retentionRun },
    )
    .get("/api/admin/network", () => sendJson(network(), 200), {
      needs_scope: "operate",
      ...docs.network,
    })
    .get("/api/admin/tokens", async () => sendJson({ tokens: await admins.tokens() }, 200), {
      needs_scope: "operate",
      ...docs.tokens,
    })
    .post(
      "/api/admin/tokens",
      async ({ admin, body }) => sendJson(await admins.createToken(admin, body.label, body.scope), 201),
      { needs_scope: "operate", ...bodyOf(CreateToken), ...docs.createToken },
    )
    .post(
      "/api/admin/tokens/:id/revoke",
      async ({ admin, params, body }) =>
        sendJson(await admins.revokeToken(admin, params.id, body.reason), 200),
      { needs_scope: "operate", params: TokenParams, ...bodyOf(Reasoned), ...docs.revokeToken },
    );
}
