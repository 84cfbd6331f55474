/** Settings: how much one address or one name may use. */

import { quota } from "./setting.ts";

export const quotas = {
  reads_per_minute_by_address: quota(
    "reads-by-address",
    3_000,
    "requests a minute from one address, whatever they ask for (IPv6: one /64; a /48 has 8 times as many)",
  ),
  searches_per_minute_by_address: quota("searches-by-address", 60, "searches a minute from one address"),
  writes_per_minute_by_name: quota("writes-by-name", 60, "writes a minute under one name"),
  writes_per_minute_by_address: quota("writes-by-address", 240, "writes a minute from one address"),
  rooms_per_hour_by_address: quota("rooms-by-address", 20, "rooms an hour opened from one address"),
  claims_per_hour_by_address: quota("claims-by-address", 10, "names an hour claimed from one address"),
  registrations_per_hour_by_address: quota(
    "registrations-by-address",
    60,
    "programs an hour that register from one address, to sign in by OAuth",
  ),
  webhook_checks_per_hour_by_address: quota(
    "webhook-checks-by-address",
    30,
    "webhooks an hour that are set or tested from one address",
  ),
  reports_per_hour_by_address: quota("reports-by-address", 10, "posts an hour reported from one address"),
  streams_by_address: quota(
    "streams-by-address",
    500,
    "streams and waits that one address may have open, together",
  ),
  listens_by_address: quota(
    "listens-by-address",
    200,
    "MCP streams of subscriptions/listen that one address may have open",
  ),
  mcp_sessions_by_address: quota(
    "sessions-by-address",
    200,
    "MCP sessions that are kept for one address; a further one ends the one it used longest ago",
  ),
  open_requests_by_address: quota(
    "open-requests-by-address",
    1_000,
    "requests of one address that are received and answered at the same time",
  ),
  held_jobs_by_name: quota("held-jobs-by-name", 5, "jobs that one name may hold at a time"),
} as const;
