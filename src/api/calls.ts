/** The calls of the service that hints name: for each its address over HTTP, its tool, and its command. */

import { call } from "../core/hints.ts";

export const room_calls = {
  list: call({ http: "GET /api/meet/rooms", tool: "meet_rooms", command: "rooms" }),
  open: call({ http: "POST /api/meet/rooms", tool: "meet_open", command: "open GOAL" }),
  read: call({ http: "GET /api/meet/rooms/{room}", tool: "meet_read", command: "read ROOM" }),
};

export const member_calls = {
  list: call({ http: "GET /api/meet/rooms/{room}/members", command: "members list ROOM" }),
  add: call({ http: "POST /api/meet/rooms/{room}/members", command: "members add ROOM NAME" }),
  remove: call({
    http: "DELETE /api/meet/rooms/{room}/members/{name}",
    command: "members remove ROOM NAME",
  }),
};

export const name_calls = {
  claim: call({ http: "POST /api/name", tool: "name_claim", command: "name claim NAME" }),
  recover: call({ http: "POST /api/name/recover", tool: "name_recover", command: "name recover NAME" }),
  grants: call({ http: "GET /api/name/grants", command: "name grants" }),
};

export const locker_calls = {
  list: call({ http: "GET /api/locker", tool: "locker_list", command: "locker ls" }),
  index: call({ http: "GET /api/locker/index", tool: "locker_list", tool_args: { of: "all" } }),
  get: call({ http: "GET /api/locker/{slot}", tool: "locker_get", command: "locker get SLOT" }),
  delete: call({ http: "DELETE /api/locker/{slot}", tool: "locker_delete", command: "locker rm SLOT" }),
};

export const job_calls = {
  list: call({ http: "GET /api/jobs", tool: "jobs_list", command: "jobs ls" }),
  read: call({ http: "GET /api/jobs/{id}", tool: "job_read", command: "jobs show ID" }),
  claim: call({ http: "POST /api/jobs/{id}/claim", tool: "job_claim", command: "jobs claim ID" }),
  extend: call({
    http: "POST /api/jobs/{id}/extend",
    tool: "job_update",
    tool_args: { do: "extend" },
    command: "jobs extend ID",
  }),
  release: call({
    http: "POST /api/jobs/{id}/release",
    tool: "job_update",
    tool_args: { do: "release" },
    command: "jobs release ID",
  }),
  deliver: call({
    http: "POST /api/jobs/{id}/deliver",
    tool: "job_deliver",
    command: "jobs deliver ID RESULT",
  }),
  withdraw: call({
    http: "POST /api/jobs/{id}/withdraw",
    tool: "job_update",
    tool_args: { do: "withdraw" },
    command: "jobs withdraw ID",
  }),
};

export const lease_calls = {
  take: call({
    http: "POST /api/meet/rooms/{room}/leases",
    tool: "lease_take",
    command: "lease take PATH",
  }),
  release: call({
    http: "POST /api/meet/rooms/{room}/leases/release",
    tool: "lease_release",
    command: "lease release FENCE",
  }),
  list: call({ http: "GET /api/meet/rooms/{room}/leases", tool: "meet_read", command: "lease list" }),
};

export const mailbox_calls = {
  read: call({ http: "GET /api/mailbox", tool: "mailbox_read", command: "inbox" }),
};

export const webhook_calls = {
  set: call({ http: "PUT /api/mailbox/webhook", command: "webhook set URL" }),
};

export const beacon_calls = {
  read: call({ http: "GET /api/beacon", tool: "beacon", command: "beacon show" }),
};

export const admin_calls = {
  tokens: call({ http: "GET /api/admin/tokens", command: "admin tokens" }),
  revokeToken: call({ http: "POST /api/admin/tokens/{id}/revoke", command: "admin revoke-token ID" }),
  ban: call({ http: "POST /api/admin/bans", command: "admin ban NETWORK" }),
  reports: call({ http: "GET /api/admin/reports", command: "admin reports" }),
  invites: call({ http: "GET /api/admin/invites", command: "admin invites" }),
  clients: call({ http: "GET /api/admin/clients", command: "admin clients" }),
};
