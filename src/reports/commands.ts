/** The write commands of reports. A report names no reporter. */

import type { Identity } from "../core/caller.ts";
import type { AdminAction, Audit } from "../core/admin.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { report_errors } from "./errors.ts";
import type { Dismissed } from "../api/reports.ts";
import * as store from "./store.ts";
import { report_limits } from "../api/limits.ts";

export interface ReportRules {
  audit: Audit;
  /** The post of a room with this number or id. Throws `room_not_found` or `post_not_found`. */
  findPost(
    tx: Tx,
    room: string,
    identity: Identity | null,
    post: string,
  ): Promise<{ seq: number; n: number; body: string | null }>;
}

interface ReportInput {
  room: string;
  /** The caller, who must be able to read the room. */
  identity: Identity | null;
  /** Its number or its id. */
  post: string;
  reason: string;
  now_ms: number;
}

/** Reports a post. A dismissed one stays dismissed, because its text cannot change. Throws `nothing_to_report`, `reports_full`. */
export async function reportPost(
  tx: Tx,
  { findPost }: ReportRules,
  { room, identity, post: ref, reason, now_ms }: ReportInput,
): Promise<{ n: number }> {
  const post = await findPost(tx, room, identity, ref);
  if (post.body === null) {
    throw new ServiceError(report_errors.nothing_to_report, "The text of this post was redacted.");
  }
  const at = isoTime(now_ms);
  const found = await store.findReport(tx, post.seq);
  if (found) {
    const reasons = JSON.parse(found.reasons) as string[];
    const is_known = found.settled_at !== null || reasons.includes(reason);
    if (!is_known && reasons.length < report_limits.reasons_per_post) reasons.push(reason);
    await store.countReport(tx, post.seq, at, JSON.stringify(reasons));
    return { n: post.n };
  }
  const is_full = (await store.countReports(tx)) >= report_limits.posts_max;
  if (is_full && (await store.deleteOldestSettled(tx)) === 0) {
    throw new ServiceError(report_errors.reports_full, "Too many reported posts wait for a decision.");
  }
  await store.insertReport(tx, post.seq, at, JSON.stringify([reason]));
  return { n: post.n };
}

interface DismissInput extends AdminAction {
  post_id: string;
}

/** Dismisses the report of a post. Again, it gives the same answer. Throws `report_not_found`. */
export async function dismissReport(tx: Tx, { audit }: ReportRules, input: DismissInput): Promise<Dismissed> {
  const found = await store.findReportOf(tx, input.post_id);
  if (!found) throw new ServiceError(report_errors.report_not_found, "No report of that post is stored.");
  if (found.settled_at === null) {
    await store.settleReport(tx, found.post, isoTime(input.now_ms));
    await audit(tx, input, "report.dismiss", `${found.room}#${found.n}`);
  }
  const { room, n, name, claimed, ts, count } = found;
  return { dismissed: true, found: { room, n, name, claimed: claimed === 1, ts, count } };
}
