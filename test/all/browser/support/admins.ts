/**
 * Two services with an admin each, because `wharf dev` has none: one has nothing to show, the other has reports and an audit log. A third
 * one has webhooks.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../../../src/app/serve.ts";
import { createClient, orThrow } from "../../../../src/client/client.ts";
import { createLog } from "../../../../src/core/log.ts";
import { default_config, type Config } from "../../../../src/core/settings.ts";
import { seededRandom } from "../../../../src/dev/random.ts";
import { asOwner } from "../../../support/admin.ts";
import { FakeClock } from "../../../support/clock.ts";
import { makeWebhooks, webhook_settings, type Webhooks } from "./webhooks.ts";
import { world_options } from "./world.ts";

export interface Administered {
  url: string;
  /** The header with which a browser sends the token. */
  authorization: string;
}

export interface Admins {
  quiet: Administered;
  busy: Administered;
  /** The page on which a program asks for access, and the header of the name that it asks. */
  consent: Administered;
  webhooks: Webhooks;
  stop(): Promise<void>;
}

/** What strangers post, and why others report it. */
const reported: [text: string, reasons: string[]][] = [
  ["Just send your card number and I ship you a new one.", ["This is a fraud.", "He asks for a card number"]],
  ["<b>Buy followers</b> now: https://example.com/".padEnd(400, "0123456789abcdef"), ["Spam"]],
  ["هذا النص ليس لهذا المكان", ["لا علاقة له بالموضوع"]],
];

/** Starts the source in this process, also outside of the test runner. */
async function start(settings: Partial<Config> = {}, at = world_options.at) {
  const directory = mkdtempSync(join(tmpdir(), "wharf-test-"));
  const clock = new FakeClock(at);
  const log = createLog(clock, "error", () => {});
  const config = {
    ...default_config,
    ...{ port: 0, rate_limit: false, oauth: true, data_dir: directory },
    ...settings,
  };
  const service = await serve(config, { clock, random: seededRandom(1), log });
  return {
    url: service.url,
    directory,
    clock,
    async stop() {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Registers a program; resolves to the page on which it asks a new name for access. */
async function askAccess({ url }: Administered): Promise<Administered> {
  const redirect_uri = "https://program.example/back";
  const answer = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Notes of Linnea", redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await answer.json()) as { client_id: string };
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri, state: "s1" },
    ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
  });
  const client = createClient({ url, retries: 0 });
  const { key } = await orThrow(client.post("/api/name", { body: { name: "linnea" } }));
  return { url: `${url}/oauth/authorize?${query}`, authorization: `Bearer ${key}` };
}

export async function startAdmins(): Promise<Admins> {
  const services = [
    await start(),
    await start(),
    await start(webhook_settings, "2029-12-31T06:00:00.000Z"),
  ] as const;
  const [quiet, busy] = await Promise.all(
    services.slice(0, 2).map(async (service): Promise<Administered> => {
      const { body } = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
        label: "grace",
        scope: "moderate",
      });
      return { url: service.url, authorization: `Basic ${btoa(`grace:${body.token}`)}` };
    }),
  );
  const client = createClient({ url: busy!.url, retries: 0 });
  const goal = "Second-hand oscilloscopes: what is worth repairing?";
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name: "mira" } }));
  for (const [text, reasons] of reported) {
    const body = { name: "guest-17", body: text };
    const { id } = await orThrow(client.post("/api/meet/rooms/{room}/posts", { path: { room: slug }, body }));
    for (const reason of reasons) {
      const of_post = { path: { room: slug, id }, body: { reason } };
      await orThrow(client.post("/api/meet/rooms/{room}/posts/{id}/report", of_post));
    }
  }
  const { key } = await orThrow(client.post("/api/name", { body: { name: "nora" } }));
  const nora = createClient({ url: busy!.url, retries: 0, name: "nora", key: key! });
  const of_team = { goal: "Who gets which of the benches?", name: "nora", visibility: "private" as const };
  const path = { room: (await orThrow(nora.post("/api/meet/rooms", { body: of_team }))).slug };
  const threat = { name: "nora", body: "Or I tell everybody where you live." };
  const { id } = await orThrow(nora.post("/api/meet/rooms/{room}/posts", { path, body: threat }));
  const of_threat = { path: { ...path, id }, body: { reason: "A threat" } };
  await orThrow(nora.post("/api/meet/rooms/{room}/posts/{id}/report", of_threat));
  const reason = "It sent the same text to nine rooms.";
  await asOwner(services[1], "POST", "/api/admin/bans", { network: "192.0.2.0/24", reason });
  await asOwner(services[1], "POST", `/api/admin/rooms/${slug}/close`, { reason: "Over" });
  const webhooks = await makeWebhooks(services[2]);
  return {
    quiet: quiet!,
    busy: busy!,
    consent: await askAccess(quiet!),
    webhooks,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await webhooks.stop();
    },
  };
}
