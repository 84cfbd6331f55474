/** The operations of reports: anybody reports a post; admins read the open reports and dismiss them. */

import type { Dismissed } from "../api/reports.ts";
import { actionBy, type Admin } from "../core/admin.ts";
import type { Caller } from "../core/caller.ts";
import type { OperationDeps } from "../core/commands.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import type { ReportCommands } from "./feature.ts";
import * as store from "./store.ts";

/** An open report, with its post. */
export interface Report extends Omit<store.ReportedPostRow, "post" | "reasons"> {
  reasons: string[];
}

const isCursor = (value: unknown): value is store.ReportCursor => {
  const { last_at, post } = (value ?? {}) as Partial<store.ReportCursor>;
  return typeof last_at === "string" && Number.isSafeInteger(post);
};

export type Reports = ReturnType<typeof createReports>;

export const createReports = ({ storage, commands, clock }: OperationDeps<ReportCommands>) => ({
  /** Reports a post by its number or id. Throws `nothing_to_report` or `reports_full`. */
  async report(caller: Caller, room: string, post: string, reason: string): Promise<{ n: number }> {
    const { identity } = caller;
    const input = { room, identity, post, reason, now_ms: clock.now() };
    return (await commands.run(caller, "reports.report", null, input)).result;
  },

  /** A page of the open reports, the latest first. */
  async list(limit: number, cursor?: string): Promise<{ reports: Report[]; next: string | null }> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, isCursor);
    const rows = await storage.read((tx) => store.openReports(tx, limit + 1, after));
    const page = rows.slice(0, limit);
    const { last_at, post } = page.at(-1) ?? {};
    return {
      reports: page.map(({ post: _seq, reasons, ...row }) => ({
        ...row,
        reasons: JSON.parse(reasons) as string[],
      })),
      next: rows.length > limit ? encodeCursor({ last_at, post }) : null,
    };
  },

  /** Dismisses the report of a post. Throws `report_not_found`. */
  async dismiss(admin: Admin, post_id: string, reason: string): Promise<Dismissed> {
    const input = { ...actionBy(admin, reason, clock), post_id: post_id.toLowerCase() };
    return (await storage.write("reports.dismiss", input)).result;
  },
});
