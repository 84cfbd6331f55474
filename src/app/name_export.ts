/** What the export of a name is made of. Loaded at the first export, so that the service does not start later because of it. */

import { createJobsExport } from "../jobs/export.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createLockerExport } from "../locker/export.ts";
import type { Lockers } from "../locker/locker.ts";
import { createMailboxExport } from "../mailbox/export.ts";
import type { Mailboxes } from "../mailbox/mailbox.ts";
import { claimedSince } from "../names/commands.ts";
import { createNameExport, type NameExport } from "../names/export.ts";
import { createGrantsExport } from "../oauth/export.ts";
import type { Grants } from "../oauth/grants.ts";
import type { ReceiptLineOf, Receipts } from "../receipts/receipts.ts";
import { createAuthoredExport } from "../rooms/authored/export.ts";
import { createLeasesExport } from "../rooms/leases/export.ts";
import type { Leases } from "../rooms/leases/leases.ts";
import { createWebhookExport } from "../webhooks/export.ts";
import type { Clock } from "../core/clock.ts";
import { checkReader } from "./commands.ts";
import type { AppStorage } from "./storage.ts";

interface ExportDeps {
  storage: AppStorage;
  clock: Clock;
  lockers: Lockers;
  jobs: Jobs;
  leases: Leases;
  mailboxes: Mailboxes;
  grants: Grants;
  receipts: Receipts;
  has_webhooks: boolean;
}

export function nameExport({
  lockers,
  jobs,
  leases,
  mailboxes,
  grants,
  receipts,
  has_webhooks,
  ...deps
}: ExportDeps): NameExport {
  const receiptLine: ReceiptLineOf = (source) => ({
    kind: "receipt",
    act: source.act,
    ref: source.ref,
    receipt: receipts.issue(source),
  });
  const parts = [
    createAuthoredExport({ ...deps, receiptLine, claimedSince }),
    createLeasesExport(leases),
    createLockerExport(lockers),
    createJobsExport(jobs, receiptLine),
    createMailboxExport(mailboxes),
    createGrantsExport(grants),
    ...(has_webhooks ? [createWebhookExport(deps.storage)] : []),
  ];
  return createNameExport({ ...deps, checkReader, receiptLine, parts });
}
