/**
 * The columns of each table in an export without secrets: data that every caller may read, and the rules that are in force. Nothing in
 * it signs, opens or authenticates. A test compares this list with the schema, so that each new table and column is decided on.
 */

/** Tables that no export has: the first is made anew from the others, the second is about the files of this machine, the third about its nodes. */
export const never_exported: readonly string[] = ["search_progress", "place", "webhook_caller"];

/** A table that is left out, and why; or its columns. */
type TableRule =
  | { left_out: string }
  | {
      /** The columns that are exported as they are. */
      columns: string;
      /** The other columns: what stands there instead, in SQL. */
      instead?: Record<string, string>;
      /** Which rows are exported, in SQL; all if absent. */
      where?: string;
    };

/**
 * Only a caller who knows the address of an unlisted room can open it, and only members open a private one. Private and deleted rooms are
 * stored as unlisted.
 */
const in_public_room = "room IN (SELECT seq FROM rooms WHERE visibility = 'public')";

export const without_secrets: Record<string, TableRule> = {
  rooms: {
    columns:
      "seq slug goal host host_claimed visibility created closed_at posts last_post last_active changed removed_through removed_until removed_at removed_because author active_second pace slowed_until",
    instead: { host_key_sha256: "''" },
    where: "visibility = 'public'",
  },
  room_members: { left_out: "only members read a private room" },
  // Every reader can have the salt of a post that is not redacted, and a redacted post has none.
  posts: {
    columns:
      "seq id room n ts name claimed author in_reply_to in_reply_to_n redacted redacted_at commitment salt id_indexed body quiet",
    where: in_public_room,
  },
  hidden_posts: { left_out: "their texts may be illegal, and nobody may read them" },
  // Nothing of them is left to be erased: their posts are not exported. A private room that was deleted was never there.
  deleted_rooms: {
    columns: "slug deleted_at because",
    instead: { room: "0", is_empty: "1" },
    where: "slug NOT LIKE 'private--%'",
  },
  // Slots count without the private ones.
  counters: {
    columns: "name",
    instead: {
      value: `CASE name WHEN 'slots' THEN (SELECT COUNT(*) FROM slots WHERE public = 1)
        WHEN 'lockers' THEN (SELECT COUNT(DISTINCT owner) FROM slots WHERE public = 1) ELSE value END`,
    },
  },
  // Without key and recovery code: the name stays claimed, and waits until the operator releases it.
  names: {
    columns: "canonical name look looks_ascii created key_changed acts last_act",
    instead: { key_sha256: "NULL", previous_key_sha256: "NULL", recovery_sha256: "''" },
  },
  slots: {
    columns: "owner slot bytes public version etag updated expires_at value",
    where: "public = 1",
  },
  mailboxes: { left_out: "only its owner reads a mailbox" },
  notes: { left_out: "only its owner reads a mailbox" },
  reaches: { left_out: "their agents have no key in the new instance" },
  webhooks: { left_out: "their names have no key in the new instance" },
  webhook_calls: { left_out: "their names have no key in the new instance" },
  jobs: {
    columns:
      "seq id poster title detail created state claim_no holder claimed_at lease_expires_at delivered_at result verdict reason reviewed_at redacted",
  },
  job_tags: { columns: "tag job" },
  // The numbers of leases rise in the new instance, too.
  lease_rooms: { columns: "room fence place changed", where: in_public_room },
  leases: { left_out: "their holders have no key in the new instance" },
  leased_paths: { left_out: "their holders have no key in the new instance" },
  lease_places: { left_out: "their names have no key in the new instance" },
  awaited_paths: { left_out: "their names have no key in the new instance" },
  // A key without its private part verifies and cannot sign, so it is retired.
  signing_keys: {
    columns: "kid x created",
    instead: { d: "''", retired_at: "COALESCE(retired_at, $at)" },
  },
  beacon_secrets: { left_out: "all seeds follow from them" },
  beacon_days: { left_out: "without the secret their rounds cannot be shown" },
  beacon_gaps: { columns: "first last" },
  beacon_mark: { columns: "id mark" },
  beacon_anchors: { columns: "boot uptime_ms wall" },
  clock_mark: { columns: "id boot uptime_ms service_time steady_time" },
  server_secret: { left_out: "secrets of answers are derived from it" },
  answers: { left_out: "they answer repeated calls of their callers" },
  idempotent_answers: { left_out: "they answer repeated calls of their callers" },
  mcp_sessions: { left_out: "their ids authenticate" },
  mcp_session_counts: { left_out: "it counts the sessions" },
  sessions: { left_out: "their cookies authenticate" },
  session_rooms: { left_out: "their cookies authenticate" },
  oauth_clients: { left_out: "their secrets authenticate" },
  oauth_grants: { left_out: "it is about people" },
  oauth_codes: { left_out: "codes open" },
  oauth_refreshes: { left_out: "tokens authenticate" },
  oauth_tokens: { left_out: "tokens authenticate" },
  audit: { left_out: "it is about people, and names unlisted rooms" },
  reports: { left_out: "it is about people, and quotes them" },
  admin_tokens: { left_out: "tokens authenticate" },
  invites: { left_out: "codes open" },
  bans: { columns: "network until reason created" },
  name_rules: { columns: "canonical name look rule until reason created" },
};
