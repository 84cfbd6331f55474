/** The headings below which the help of `wharf serve` lists the settings. */

import type { SettingName } from "../core/settings.ts";

const addresses = "Where it listens:";
const data = "Data:";
const instance = "The instance:";
const access = "Who may do what:";
const amounts = "How much one address or one name may use:";
const beacon = "The beacon:";
const backups = "Backups:";
const retention = "How long it stores what:";
const postgres = "Postgres in place of the data directory:";
const logs = "Logs and metrics:";

/** By the name of the setting; every setting has one. */
export const setting_groups: Record<SettingName, string> = {
  port: addresses,
  host: addresses,
  socket: addresses,
  socket_mode: addresses,
  tls_cert: addresses,
  tls_key: addresses,
  base_url: addresses,
  allowed_hosts: addresses,
  allowed_origins: addresses,
  trusted_proxies: addresses,
  data_dir: data,
  disk_max_bytes: data,
  disk_min_free_bytes: data,
  admin_socket: data,
  moved: data,
  accept_loss: data,
  title: instance,
  contact: instance,
  terms_url: instance,
  read: access,
  speak: access,
  claims: access,
  oauth: access,
  fetch_allow: access,
  webhooks: access,
  webhook_unchecked_hosts: access,
  admin_token: access,
  reads_per_minute_by_address: amounts,
  searches_per_minute_by_address: amounts,
  writes_per_minute_by_name: amounts,
  writes_per_minute_by_address: amounts,
  rooms_per_hour_by_address: amounts,
  claims_per_hour_by_address: amounts,
  registrations_per_hour_by_address: amounts,
  webhook_checks_per_hour_by_address: amounts,
  reports_per_hour_by_address: amounts,
  streams_by_address: amounts,
  listens_by_address: amounts,
  mcp_sessions_by_address: amounts,
  open_requests_by_address: amounts,
  held_jobs_by_name: amounts,
  rate_limit: amounts,
  pace: amounts,
  round_seconds: beacon,
  trust_clock: beacon,
  backup_every_seconds: backups,
  backup_keep: backups,
  backup_dir: backups,
  backup_compress: backups,
  keep_closed_rooms_seconds: retention,
  keep_idle_rooms_seconds: retention,
  keep_posts_seconds: retention,
  posts_by_room: retention,
  keep_notes_seconds: retention,
  database: postgres,
  database_listen: postgres,
  database_connections: postgres,
  database_prepares: postgres,
  database_hints: postgres,
  log_level: logs,
  log_format: logs,
  access_log: logs,
  metrics_listen: logs,
};
