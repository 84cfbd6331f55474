/** Settles expired leases. The job is open from the moment of expiry; settling stores that and notifies both sides once. */

import { shownTime, steadyTime, type Moment } from "../core/clock.ts";
import type { PutNote } from "../mailbox/commands.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import { countOpen } from "./open_jobs.ts";
import * as store from "./store.ts";
import { job_internal_limits } from "./limits.ts";

/** Settles one expired lease. A guarded update, so concurrent calls settle it once. */
export async function settleExpired(
  tx: Tx,
  putNote: PutNote,
  job: store.NamedJobRow,
  { ahead_ms }: Pick<Moment, "ahead_ms">,
): Promise<void> {
  if (!(await store.openAgain(tx, job))) return;
  await countOpen(tx, 1);
  const at = shownTime(job.lease_expires_at!, ahead_ms);
  const content = { job: job.id, title: job.title, held_by: job.holder_name, claim_no: job.claim_no };
  for (const [to, side] of [
    [job.poster, "poster"],
    [job.holder!, "holder"],
  ] as const) {
    await putNote(tx, to, {
      id: noteId(job, side),
      kind: "job.lapsed",
      at,
      content: { ...content, you_were: side },
    });
  }
}

// No caller supplies a random id for this note, so its id is derived from the job and the claim.
const noteId = (job: store.NamedJobRow, side: string): string =>
  sha256Hex(`lapsed ${job.id} ${job.claim_no} ${side}`).slice(0, 32);

/** Settles leases that have expired. Returns whether there are more, and the steady time when the next one expires. */
export async function settleLeases(
  tx: Tx,
  putNote: PutNote,
  at: Moment,
): Promise<{ more: boolean; next_end: string | null }> {
  const expired = await store.expiredJobs(tx, steadyTime(at), job_internal_limits.leases_settled_per_command);
  for (const job of expired) await settleExpired(tx, putNote, job, at);
  return {
    more: expired.length === job_internal_limits.leases_settled_per_command,
    next_end: await store.nextLeaseEnd(tx),
  };
}
