/** All write commands, searches, chores and errors of the features. */

import { audit } from "../admin/commands.ts";
import { admin_feature } from "../admin/feature.ts";
import { banFeature } from "../bans/feature.ts";
import { beacon_feature } from "../beacon/feature.ts";
import type { CheckReader, NameRules } from "../core/caller.ts";
import { functionsOf, type CommandDefinitions } from "../core/commands.ts";
import { joined } from "../core/feature.ts";
import { releaseHeldJobs } from "../jobs/admin_commands.ts";
import { moveJobs } from "../jobs/store.ts";
import { endLeasesOf } from "../rooms/leases/ending.ts";
import { leaseFeature } from "../rooms/leases/feature.ts";
import { jobFeature } from "../jobs/feature.ts";
import { eraseLocker } from "../locker/admin_commands.ts";
import { lockerFeature } from "../locker/feature.ts";
import { eraseMailbox, forgetJob, hasFolded, putNote } from "../mailbox/commands.ts";
import { mailboxFeature } from "../mailbox/feature.ts";
import { findMailbox } from "../mailbox/store.ts";
import { session_commands } from "../mcp/sessions/feature.ts";
import { canonicalName } from "../names/canonical.ts";
import { checkKey, countCommand, claimedSince, findSpeakers } from "../names/commands.ts";
import { unknownCredential } from "../names/authentication.ts";
import { nameFeature } from "../names/feature.ts";
import { endGrantsOf } from "../oauth/commands.ts";
import { oauthFeature } from "../oauth/feature.ts";
import { findGrant } from "../oauth/store.ts";
import { receipt_feature } from "../receipts/feature.ts";
import { lastPostBy } from "../rooms/admin_commands.ts";
import { limitActivity } from "../rooms/commands.ts";
import { hostedRoom } from "../rooms/lookup.ts";
import { deleteMembershipsOf } from "../rooms/members/store.ts";
import { settleReport } from "../reports/store.ts";
import { reportFeature } from "../reports/feature.ts";
import { findPostIn } from "../rooms/queries.ts";
import { roomFeature } from "../rooms/feature.ts";
import { sessionFeature } from "../sessions/feature.ts";
import { deleteSessionsOf, nameOf } from "../sessions/store.ts";
import { removeExpired } from "./expired.ts";
import { separate } from "./separation.ts";
import type { Tx } from "../core/storage.ts";
import { storeServerSecret } from "../storage/server_secret.ts";
import { clockCommands } from "../timekeeping/feature.ts";
import { endWebhookOf } from "../webhooks/commands.ts";
import { webhookFeature } from "../webhooks/feature.ts";
import { wait_hints } from "../wait/hints.ts";

const name_rules: NameRules = { checkKey, countCommand };

/** Looks up the session and the grant of a reader, too, which end without its key. */
export const checkReader: CheckReader = async (tx, { session, grant, ...holder }, now_ms) => {
  await checkKey(tx, holder, now_ms);
  if (session !== null && !(await nameOf(tx, session))) throw unknownCredential();
  if (grant !== null && !(await findGrant(tx, grant))) throw unknownCredential();
};

const server_commands = {
  "server.separate": {
    run: separate,
    runs_alone: true,
    bounded_because: "runs at the first start of a copy",
  },
  "server.remove_expired": {
    run: removeExpired,
    bounded_because: "removes what has expired, and none twice",
  },
  "server.give_back": {
    run: (tx: Tx, _input: null) => tx.giveBack(),
    bounded_because: "gives back what was freed before",
  },
  "server.keep_secret": { run: storeServerSecret, bounded_because: "runs at the first start" },
} satisfies CommandDefinitions;

/** The declarations of the features, and commands that no feature owns. */
export const declarations = [
  roomFeature({
    ...name_rules,
    findSpeakers,
    canonicalName,
    claimedSince,
    putNote,
    settleReport,
    audit,
  }),
  nameFeature(putNote, {
    audit,
    releaseHeldJobs: (tx, ...held) => releaseHeldJobs(tx, putNote, ...held),
    moveJobs,
    endLeases: endLeasesOf,
    endMemberships: deleteMembershipsOf,
    eraseLocker,
    eraseMailbox,
    async endSessions(tx, canonical) {
      await deleteSessionsOf(tx, canonical);
      await endGrantsOf(tx, canonical);
      await endWebhookOf(tx, canonical);
    },
    lastPostBy: (tx, canonical) => lastPostBy(tx, canonicalName, canonical),
  }),
  lockerFeature(name_rules, audit),
  jobFeature({ ...name_rules, putNote, audit, forgetJob }),
  leaseFeature({ ...name_rules, canonicalName, claimedSince, putNote, audit }),
  mailboxFeature(name_rules),
  webhookFeature(name_rules, { putNote, mailboxOf: findMailbox, hasFolded }),
  banFeature(audit),
  sessionFeature({ checkKey, hostedRoom }),
  oauthFeature({ checkKey }, audit),
  reportFeature({ audit, findPost: (tx, ...wanted) => findPostIn(tx, { claimedSince }, ...wanted) }),
  beacon_feature,
  receipt_feature,
  admin_feature,
  { commands: {}, hints: wait_hints },
  { commands: session_commands },
  { commands: clockCommands(limitActivity) },
  { commands: server_commands },
] as const;

export const declared = joined(declarations);
export const { commands: command_definitions, chores } = declared;

export const commands = functionsOf(command_definitions);
export type AppCommands = typeof commands;

export const searches = functionsOf(declared.searches);
export type AppSearches = typeof searches;
