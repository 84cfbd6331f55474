/** The features of the service: creates each with what it needs of the others. */

import { createMembers } from "../rooms/members/members.ts";
import { createAdmission } from "../rooms/members/admission.ts";
import { createAdmins, type Admins } from "../admin/admin.ts";
import { createBackups } from "../admin/backups.ts";
import { createRetention } from "../admin/retention.ts";
import { adminTransports } from "../admin/transports.ts";
import { createBans, type Bans } from "../bans/bans.ts";
import { createBeacon } from "../beacon/beacon.ts";
import { beacon_errors } from "../beacon/errors.ts";
import { beaconTransports } from "../beacon/transports.ts";
import type { Clock, ServiceClock } from "../core/clock.ts";
import type { CommandRunner } from "../core/commands.ts";
import type { Meter } from "../core/meter.ts";
import type { GuardOptions } from "../core/guarded_fetch.ts";
import type { Log } from "../core/log.ts";
import type { OpenCalls } from "../core/open_calls.ts";
import type { Presence } from "../core/presence.ts";
import type { Random } from "../core/random.ts";
import type { SearchRunner } from "../core/search.ts";
import { instancePace } from "../core/pace_setting.ts";
import { loopback } from "../core/setting_values.ts";
import type { Config } from "../core/settings.ts";
import type { Waits } from "../core/waits.ts";
import type { Feature } from "../discovery/feature.ts";
import { createJobs } from "../jobs/jobs.ts";
import { purposeOfJob } from "../jobs/my_pages.ts";
import { jobTransports } from "../jobs/transports.ts";
import { createLeases, type Leases } from "../rooms/leases/leases.ts";
import { leanLease, leasesText } from "../rooms/leases/representations.ts";
import { leaseTransports } from "../rooms/leases/transports.ts";
import { createLockers } from "../locker/locker.ts";
import { lockerTransports } from "../locker/transports.ts";
import { createMailboxRetention } from "../mailbox/retention.ts";
import { createNotesOfPosts, FetchedNotes } from "../mailbox/delivery.ts";
import { mailboxTopic } from "../mailbox/commands.ts";
import { findMailbox } from "../mailbox/store.ts";
import { createMailboxes, type Mailboxes } from "../mailbox/mailbox.ts";
import { reachOf } from "../mailbox/reach.ts";
import { mailboxTransports } from "../mailbox/transports.ts";
import { canonicalName } from "../names/canonical.ts";
import { claimedSince } from "../names/commands.ts";
import { name_errors } from "../names/errors.ts";
import { createInvites } from "../names/invites/invites.ts";
import { createNameAdministration } from "../names/administration.ts";
import { createNames, identityOf, type Names } from "../names/names.ts";
import { nameTransports } from "../names/transports.ts";
import { identityWithKey } from "../names/authentication.ts";
import type { Tokens } from "../oauth/tokens.ts";
import { clientsAdminHttp } from "../oauth/admin_routes.ts";
import { createClientsAdmin } from "../oauth/clients_admin.ts";
import { grantPages, grantsHttp } from "../oauth/grant_routes.ts";
import { createGrants } from "../oauth/grants.ts";
import { createReceipts, type Receipts } from "../receipts/receipts.ts";
import { receiptTransports } from "../receipts/transports.ts";
import { createReports } from "../reports/reports.ts";
import { createAuthoredPosts } from "../rooms/authored/posts.ts";
import { room_errors } from "../rooms/errors.ts";
import { createModeration } from "../rooms/moderation.ts";
import { createRoomRetention } from "../rooms/retention.ts";
import { createRooms, type Rooms } from "../rooms/rooms.ts";
import { roomTransports } from "../rooms/transports.ts";
import { createSessions, type Sessions } from "../sessions/sessions.ts";
import { plainSlug, slugFromAddress } from "../rooms/slug.ts";
import { leanPost } from "../rooms/lean_posts.ts";
import { postTexts } from "../rooms/markdown.ts";
import { leanNote } from "../mailbox/representations.ts";
import { noteText } from "../mailbox/mcp/text.ts";
import { createWait } from "../wait/wait.ts";
import { waitTransports } from "../wait/transports.ts";
import { checkReader, declared } from "./commands.ts";
import { moderationTransports, withSignIn } from "./shared_sections.ts";
import { createExpiredSweep } from "./expired.ts";
import type { AppStorage } from "./storage.ts";

interface FeatureDeps {
  storage: AppStorage;
  commands: CommandRunner<typeof declared.commands>;
  search: SearchRunner<typeof declared.searches>;
  waits: Waits;
  open_calls: OpenCalls;
  presence: Presence;
  clock: ServiceClock;
  /** The clocks of the machine. */
  machine_clock: Clock;
  random: Random;
  log: Log;
  meter: Meter;
  config: Config;
  /** The `iss` of everything that is signed. */
  issuer(): string;
  /** The base URL of the service, without a slash at the end. */
  base(): string;
  /** 32 bytes in hex, stored in the database and never returned. */
  server_secret: string;
  /** The IP addresses of a host name; those of the system if absent. */
  lookup?: (host: string) => Promise<readonly string[]>;
}

/** Features, and the operations that the service itself calls. */
export interface Created<F extends Feature = Feature> {
  features: F[];
  names: Names;
  rooms: Rooms;
  leases: Leases;
  receipts: Receipts;
  admins: Admins;
  bans: Bans;
  sessions: Sessions;
  unreadOf: Mailboxes["unreadOf"];
  /** Absent without `--oauth`. */
  tokens?: Tokens | undefined;
}

/** Creates the features, and brings up to date what fell due while the service was stopped. */
async function createFeatures(deps: FeatureDeps) {
  const { storage, clock, machine_clock, config, issuer } = deps;
  const of_names = { identityOf, canonicalName, claimedSince };
  const names = createNames({ ...deps, claims: config.claims, reachOf });
  const never_banned = [...loopback, ...config.trusted_proxies];
  const sessions = createSessions({ ...deps, identityOf });
  const administration = createNameAdministration(deps);
  const reports = createReports(deps);
  const bans = await createBans({ ...deps, never_banned, contact: config.contact });
  const admins = createAdmins(deps);
  const admission = createAdmission({ ...deps, ...of_names, checkReader });
  const leases = createLeases({ ...deps, ...of_names, admission });
  const { suspendedAmong } = administration;
  const fetched = new FetchedNotes();
  const notesOfPosts = createNotesOfPosts(fetched, deps.presence);
  const instance_pace = instancePace(config);
  const beside = { admission, leases, suspendedAmong, notesOfPosts, instance_pace };
  const rooms = createRooms({ ...deps, ...of_names, ...beside });
  const lockers = createLockers({ ...deps, ...of_names });
  const receipts = await createReceipts(deps, issuer);
  const jobs = createJobs({ ...deps, ...of_names, receipts, held_jobs_max: config.held_jobs_by_name });
  const mailboxes = createMailboxes({
    ...deps,
    identityOf,
    settle: jobs.settle,
    excerpts: { posts: rooms.excerptsFor, mentions: rooms.mentionsFor, jobs: jobs.excerpts },
    fetched,
  });
  await jobs.settle();
  await leases.settle();
  const { round_seconds, trust_clock } = config;
  // The beacon trusts the clocks of the machine less than the service clock does.
  const beacon = await createBeacon({
    ...deps,
    clock: machine_clock,
    round_seconds,
    trust_clock,
    sign: receipts.sign,
  });
  const retention = createRetention({
    ...deps,
    sweeps: [
      createRoomRetention(deps),
      createMailboxRetention(deps),
      createExpiredSweep({
        read: storage.read,
        remove: async (limits) => (await storage.write("server.remove_expired", limits)).result,
        clock,
      }),
    ],
    giveBack: async () => (await storage.write("server.give_back", null)).result,
  });
  const { lookup } = deps;
  const guard: GuardOptions = { allow: config.fetch_allow, ...(lookup && { lookup }) };
  const oauth = config.oauth
    ? (await import("../oauth/transports.ts")).oauthTransports({
        ...deps,
        identityWithKey,
        base_path: config.base_url === null ? "/" : new URL(config.base_url).pathname,
        guard,
      })
    : undefined;
  const webhooks = config.webhooks
    ? (await import("../webhooks/transports.ts")).webhookTransports({
        ...deps,
        identityOf,
        mailboxOf: findMailbox,
        mailbox_topic: mailboxTopic(""),
        has_nodes: storage.fresh !== undefined,
        unchecked_hosts: config.webhook_unchecked_hosts,
        guard,
      })
    : undefined;
  const news_waits = createWait({ ...deps, rooms, leases, mailboxes, jobs, beacon });
  const of_rooms = roomTransports({
    rooms,
    members: createMembers({ ...deps, ...of_names, admission }),
    leases,
    authored: createAuthoredPosts({ ...deps, claimedSince }),
    claims: { find: names.lookup, not_claimed: name_errors.name_not_claimed },
    moderation: createModeration(deps),
    receipts,
    host: sessions,
  });
  const [of_lockers, of_jobs] = [lockerTransports(lockers), jobTransports(jobs)];
  const grants = createGrants({ ...deps, identityOf });
  const of_news = { ...deps, names, mailboxes, jobs, rooms };
  const has_webhooks = config.webhooks;
  const of_holder = { ...deps, lockers, jobs, leases, mailboxes, grants, receipts, has_webhooks };
  const activities = [of_rooms.activity, of_jobs.activity, of_lockers.activity];
  return {
    names,
    rooms,
    leases,
    receipts,
    admins,
    bans,
    sessions,
    unreadOf: mailboxes.unreadOf,
    tokens: oauth?.tokens,
    // In the order in which documents and tools name them.
    features: [
      of_rooms,
      leaseTransports(leases),
      withSignIn(
        nameTransports({
          names,
          administration,
          invites: createInvites(deps),
          receipts,
          signIn: sessions.signIn,
          activities,
          mentionsOf: rooms.mentionsOf,
          exportLines: async () => (await import("./name_export.ts")).nameExport(of_holder),
        }),
        {
          sessions,
          names,
          purposeOf: async (path) => oauth?.purposeOf(path) ?? (await purposeOfJob(jobs, path)),
          programsOf: grants.list,
          admitHost: rooms.admitHost,
          newsOf: async (caller) => (await import("./my_news.ts")).myNews(of_news, caller),
          has_webhooks,
        },
        (http) => {
          oauth?.routes(http);
          grantsHttp(grants, http);
          grantPages(grants, http);
          clientsAdminHttp(createClientsAdmin(deps), http);
        },
      ),
      of_lockers,
      of_jobs,
      mailboxTransports(mailboxes, rooms.goalsFor, clock),
      ...(webhooks ? [webhooks] : []),
      beaconTransports(beacon),
      receiptTransports(receipts, {
        whoami: names.whoami,
        list: async () => (await import("./name_receipts.ts")).nameReceipts(storage, receipts),
      }),
      waitTransports(
        news_waits,
        {
          post: (post) => leanPost(post),
          lease: leanLease,
          leasesText,
          postTexts: (posts) => postTexts(posts),
          note: (note) => leanNote(note, { receipts: false, now_ms: clock.now() }),
          noteText,
        },
        [room_errors.room_not_found, room_errors.room_deleted, ...Object.values(beacon_errors)],
        { plainSlug, slugFromAddress },
      ),
      adminTransports(admins, createBackups(deps), retention),
      moderationTransports(bans, reports),
    ],
  } satisfies Created;
}

/** What a service is made of: the declarations of its features, and the function that creates them. */
export interface FeatureSet {
  declared: typeof declared;
  create(deps: FeatureDeps): Promise<Created>;
}

export const all_features: FeatureSet = { declared, create: createFeatures };
