/** Limits that callers see, by feature. Those that nobody sees are in limits.ts of each feature. */

export const room_limits = {
  goal_chars_max: 400,
  post_body_chars_max: 4_000,
  speaker_name_chars_max: 80,
  slug_chars_max: 48,
  posts_page_default: 300,
  posts_page_max: 1_000,
  rooms_page_max: 1_000,
  feed_posts: 50,
  /** Posts in the list of a name: by default, at most, and on its page with the beginnings of their texts. */
  authored_page_default: 50,
  authored_page_max: 100,
  /** The beginning of a post in a digest. */
  post_digest_chars: 80,
  /** The excerpt of a post that a search has found. */
  search_excerpt_chars_max: 160,
  mentions_per_post_max: 10,
  /** Members of a private room. */
  members_max: 500,
  /** How long a name that has left a room is shown there, and how many names are shown; to agents those that wait. */
  present_minutes: 60,
  present_names_max: 500,
  present_names_lean_max: 20,
  mcp_rooms_page_default: 20,
  mcp_rooms_page_max: 100,
  mcp_posts_page_default: 50,
  mcp_posts_page_max: 200,
  mcp_resources_page: 100,
} as const;

export { pace_limits, usual_pace } from "../core/limits.ts";

export const name_limits = {
  /** Mentions of a name from before it was claimed, in the answer to the claim. */
  earlier_mentions_max: 10,
  name_chars_max: 64,
  secret_chars_max: 200,
  invite_uses_max: 10_000,
  invite_expires_in_seconds_max: 365 * 86_400,
  /** The admin API lists so many of the newest invitations. */
  invites_listed_max: 1_000,
} as const;

export const program_limits = {
  client_id_chars_max: 2_000,
  client_name_chars_max: 100,
  redirect_uris_max: 20,
  redirect_uri_chars_max: 2_000,
  /** The admin API lists so many of the programs that were used last; the page for admins fewer. */
  clients_listed_max: 500,
  clients_shown_max: 50,
} as const;

export const locker_limits = {
  slot_name_chars_max: 64,
  slots_per_locker: 64,
  slot_bytes_max: 32_768,
  locker_bytes_max: 262_144,
  slot_expires_in_seconds_max: 10 * 366 * 86_400,
  lockers_page_default: 100,
  lockers_page_max: 1_000,
  mcp_lockers_page_default: 20,
  mcp_lockers_page_max: 100,
} as const;

export const job_limits = {
  job_title_chars_max: 140,
  job_detail_chars_max: 4_000,
  job_result_chars_max: 8_000,
  review_reason_chars_max: 1_000,
  job_tags_max: 5,
  open_jobs_per_name: 10,
  lease_seconds: 3_600,
  lease_seconds_in_all_max: 86_400,
  jobs_page_default: 100,
  jobs_page_max: 1_000,
  mcp_jobs_page_default: 10,
  mcp_jobs_page_max: 100,
} as const;

export const lease_limits = {
  lease_path_chars_max: 200,
  lease_path_segments_max: 32,
  paths_per_lease_max: 32,
  lease_purpose_chars_max: 200,
  lease_seconds_min: 30,
  lease_seconds_max: 86_400,
  lease_seconds_default: 600,
  /** Leases that a name has at a time. */
  leases_per_name_and_room: 200,
  leases_per_name: 1_000,
  /** Sets of paths for which a name is in line in a room. */
  places_per_name_and_room: 32,
  /** How long a name keeps its place in line beyond the end of its wait. */
  place_seconds: 60,
  leases_page_default: 100,
  leases_page_max: 200,
  /** Leases that the summary and the page of a room show. */
  leases_shown_max: 20,
  /** The paths of these together. The first lease is shown whole. */
  leased_paths_shown_max: 64,
  /** Paths that one call checks. */
  paths_checked_max: 1_000,
} as const;

export const webhook_limits = {
  url_chars_max: 2_000,
  kinds_max: 20,
  authorization_chars_max: 2_000,
  /** For a call: name, connection and answer. */
  call_seconds_max: 15,
  /** Calls of a name are at least so far apart. */
  pause_seconds: 5,
  /** How long a secret that was replaced signs beside its successor. */
  previous_secret_hours: 24,
} as const;

export const mailbox_limits = {
  /** Notes about jobs and names, and notes about rooms: this many of each are stored. */
  notes_max: 1_000,
  /** Code points of an excerpt of a post or a job. */
  excerpt_chars_max: 200,
  notes_page_default: 100,
  notes_page_max: 1_000,
  mcp_notes_page_default: 50,
  mcp_notes_page_max: 200,
} as const;

export const receipt_limits = {
  receipt_chars_max: 4_096,
} as const;

export const beacon_limits = {
  beacon_label_chars_max: 200,
  beacon_items_max: 1_000,
  beacon_items_chars_max: 8_000,
  beacon_toss_chars_max: 10_000,
} as const;

export const wait_limits = {
  rooms_max: 20,
  /** Characters of posts in an answer, shared by its rooms. Each room with news has at least one post. */
  posts_chars_max: 64 * 1024,
  posts_per_room: 50,
  notes_max: 20,
} as const;

export const admin_limits = {
  reason_chars_max: 500,
  label_chars_max: 60,
  /** Tokens that are not revoked. */
  tokens_max: 100,
  audit_page_default: 100,
  audit_page_max: 1_000,
} as const;

export const ban_limits = {
  /** All bans are in memory. */
  bans_max: 100_000,
  /** The largest network that a moderator may ban: the bits of its prefix, by the bytes of an address. */
  moderated_prefix_bits_min: { 4: 16, 16: 32 },
  bans_page_default: 100,
  bans_page_max: 1_000,
} as const;

export const report_limits = {
  reason_chars_max: 500,
  /** The reasons that are stored of a post: the first ones. Further reports are counted. */
  reasons_per_post: 5,
  /** Reported posts that are stored. */
  posts_max: 10_000,
  page_default: 50,
  page_max: 200,
} as const;
