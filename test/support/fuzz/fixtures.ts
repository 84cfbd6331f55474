/** What the calls of a fuzz are about: rooms, names, jobs, receipts and sessions that exist, and the documents that describe the calls. */

import type { OpenApi } from "../../../src/web/openapi/document.ts";
import type { ToolDefinition } from "../../../src/mcp/tool.ts";
import { asOwner } from "../admin.ts";
import { call, get, post } from "../http.ts";
import { callJob, postJob } from "../jobs.ts";
import { beginSession } from "../mcp_messages.ts";
import { claim, type Holder } from "../names.ts";
import { open } from "../rooms.ts";
import { signedIn, type Browser } from "../sign_in.ts";
import type { TestService } from "../service.ts";
import { toolsOf } from "../tools.ts";
import type { Known } from "./values.ts";

/** A form of a page: where it is sent, and the names of its fields. */
export interface Form {
  action: string;
  fields: string[];
}

/** What stays as it is during the run. */
export interface Documents {
  openapi: OpenApi;
  tools: ToolDefinition[];
  /** The codes of answers with a status of 500 and above that the document has. */
  codes: Set<string>;
  /** Admin tokens: one that may moderate, one that may operate. */
  tokens: string[];
}

export interface Fixtures {
  known: Known;
  ada: Holder;
  cookie: string;
  forms: Form[];
  session: string;
}

export async function readDocuments(service: TestService): Promise<Documents> {
  const { url } = service;
  const { body: openapi } = await get<OpenApi>(`${url}/openapi.json`);
  const codes = new Set<string>();
  for (const { responses } of Object.values(openapi.paths).flatMap((item) => Object.values(item)))
    for (const [status, answer] of Object.entries(responses))
      for (const code of (answer as { "x-codes"?: string[] })["x-codes"] ?? [])
        if (Number(status) >= 500 && code !== "internal") codes.add(code);
  const tokens: string[] = [];
  for (const scope of ["moderate", "operate"]) {
    const sent = { label: scope, scope };
    tokens.push((await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", sent)).body.token);
  }
  return { openapi, tools: await toolsOf(url), codes, tokens };
}

const pages = [
  "/",
  "/meet",
  "/jobs",
  "/claim",
  "/signin",
  "/me",
  "/me/locker",
  "/me/mailbox",
  "/me/receipts",
  "/me/rooms",
  "/beacon",
  "/receipt",
];

/** The forms of the pages that a signed-in browser sees. */
async function formsOf(browser: Browser, paths: string[]): Promise<Form[]> {
  const found: Form[] = [];
  for (const path of paths) {
    const { body } = await browser.get(path);
    for (const [form, method, action] of body.matchAll(
      /<form[^>]*?method="(\w+)"[^>]*?action="([^"]+)"[\s\S]*?<\/form>/g,
    )) {
      if (method !== "post") continue;
      found.push({
        action: action!,
        fields: [...form.matchAll(/\sname="([^"]+)"/g)].map(([, name]) => name!),
      });
    }
  }
  return found;
}

/** Makes new ones: calls close rooms, revoke keys and suspend names. */
export async function newFixtures(url: string): Promise<Fixtures> {
  const tag = crypto.randomUUID().slice(0, 8);
  const [ada, bob] = [await claim(url, `ada-${tag}`), await claim(url, `bob-${tag}`)];
  const room = await open(url, `A room ${tag}`);
  if (room.api === undefined) throw new Error(`No room: ${JSON.stringify(room)}`);
  const said = await post<{ id: string }>(
    `${room.api}/posts`,
    { name: bob.name, body: `For @${ada.name}` },
    bob.pair,
  );
  const [open_job, held_job] = [await postJob(url, ada), await postJob(url, ada)];
  await callJob(url, bob, held_job.id, "claim");
  await call("PUT", `${url}/api/locker/a`, { value: "b" }, ada.pair);
  const beacon = (await get<{ round: number }>(`${url}/api/beacon`)).body;
  const browser = await signedIn(url, ada);
  const paths = [
    ...pages,
    `/meet/r/${room.slug}`,
    `/jobs/${open_job.id}`,
    `/jobs/${held_job.id}`,
    `/me/jobs/${held_job.id}`,
  ];
  const session = (await beginSession(`${url}/mcp`))["mcp-session-id"];
  const jobs = [open_job.id, held_job.id];
  return {
    ada,
    cookie: browser.cookie,
    forms: await formsOf(browser, paths),
    session,
    known: {
      room: [room.slug, "nosuchroom"],
      slug: [room.slug],
      rooms: [{ [room.slug]: 0 }, { [room.slug]: "now" }, `${room.slug}:now`, `${room.slug}:0`],
      name: [ada.name, bob.name, "Zoë", "nobody"],
      by: [ada.name, bob.name],
      held_by: [bob.name],
      delivered_by: [bob.name],
      to: [ada.name],
      key: [ada.key, bob.key],
      host_key: [room.host_key],
      "x-meet-key": [room.host_key],
      recovery_code: [ada.recovery_code],
      id: [...jobs, said.body.id],
      job: jobs,
      post: [1, 2, said.body.id],
      post_id: [said.body.id],
      in_reply_to: [1, 2, said.body.id],
      if_latest: [0, 1, 2, 1_000],
      receipt: [open_job.receipt, true, "1"],
      slot: ["a", "b"],
      day: [new Date(Date.now()).toISOString().slice(0, 10), "2020-01-01"],
      round: [beacon.round, beacon.round + 1, beacon.round - 1, 0],
      since: [0, 1, "2026-01-01T00:00:00.000Z", "now"],
      section: ["rooms", "names", "jobs"],
      code: ["room_not_found", "internal"],
      // A ban of this machine would end the run.
      network: ["192.0.2.0/24", "2001:db8::/48", "203.0.113.9", "10.0.0.0/33"],
      wait_seconds: [0, 0, 0, 1],
      once: [Bun.randomUUIDv7()],
      "Idempotency-Key": [Bun.randomUUIDv7(), "guess"],
      "Last-Event-ID": ["1", "0", "2026-01-01T00:00:00.000Z"],
      uri: [`meet://room/${room.slug}`, "meet://rooms", "beacon://latest"],
    },
  };
}
