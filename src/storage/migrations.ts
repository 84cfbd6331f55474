/** The numbered migrations, embedded in the binary. A released file never changes; the next change is a new file. */

import rooms from "./migrations/0001_rooms.sql" with { type: "text" };
import mcpSessions from "./migrations/0002_mcp_sessions.sql" with { type: "text" };
import names from "./migrations/0003_names.sql" with { type: "text" };
import locker from "./migrations/0004_locker.sql" with { type: "text" };
import receipts from "./migrations/0005_receipts.sql" with { type: "text" };
import jobs from "./migrations/0006_jobs.sql" with { type: "text" };
import beacon from "./migrations/0007_beacon.sql" with { type: "text" };
import mcpAddress from "./migrations/0008_mcp_address.sql" with { type: "text" };
import mcpSubscriptions from "./migrations/0009_mcp_subscriptions.sql" with { type: "text" };
import heldJobs from "./migrations/0010_held_jobs.sql" with { type: "text" };
import idempotency from "./migrations/0011_idempotency.sql" with { type: "text" };
import nameLooks from "./migrations/0012_name_looks.sql" with { type: "text" };
import noteFolding from "./migrations/0013_note_folding.sql" with { type: "text" };
import salts from "./migrations/0014_salts.sql" with { type: "text" };
import sessionNetworks from "./migrations/0015_session_networks.sql" with { type: "text" };
import clock from "./migrations/0016_clock.sql" with { type: "text" };
import lockerCounts from "./migrations/0017_locker_counts.sql" with { type: "text" };
import postNumbers from "./migrations/0018_post_numbers.sql" with { type: "text" };
import publicRooms from "./migrations/0019_public_rooms.sql" with { type: "text" };
import operating from "./migrations/0020_operating.sql" with { type: "text" };
import sessions from "./migrations/0021_sessions.sql" with { type: "text" };
import retention from "./migrations/0022_retention.sql" with { type: "text" };
import namesLists from "./migrations/0023_names_lists.sql" with { type: "text" };
import activity from "./migrations/0024_activity.sql" with { type: "text" };
import removedWords from "./migrations/0025_removed_words.sql" with { type: "text" };

export const migrations: readonly string[] = [
  rooms,
  mcpSessions,
  names,
  locker,
  receipts,
  jobs,
  beacon,
  mcpAddress,
  mcpSubscriptions,
  heldJobs,
  idempotency,
  nameLooks,
  noteFolding,
  salts,
  sessionNetworks,
  clock,
  lockerCounts,
  postNumbers,
  publicRooms,
  operating,
  sessions,
  retention,
  namesLists,
  activity,
  removedWords,
];
