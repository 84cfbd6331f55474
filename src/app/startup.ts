/** What the app does once when it starts. */

import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { speakersHaveNames, type Policy } from "../core/policy.ts";
import type { Random } from "../core/random.ts";
import type { Names } from "../names/names.ts";
import { readServerSecret } from "../storage/server_secret.ts";
import type { AppStorage } from "./storage.ts";

/** The server's secret, made at the first start. */
export const serverSecret = async (storage: AppStorage, random: Random): Promise<string> =>
  (await storage.read(readServerSecret)) ??
  (await storage.write("server.keep_secret", { secret: random.bytes(32).toHex() })).result;

/** Writes into the audit log what the owner has accepted to be lost at this start, if anything. */
export async function auditLoss(storage: AppStorage, clock: Pick<Clock, "now">): Promise<void> {
  const { accepted_loss = null } = storage;
  if (accepted_loss === null) return;
  const input = { actor: "owner", reason: accepted_loss, now_ms: clock.now() };
  await storage.write("admin.note_loss", input);
}

/** Logs a warning if a claimed name is needed, there is none, and nobody can claim one. */
export async function warnOfPolicy(policy: Policy, names: Names, log: Log): Promise<void> {
  if (policy.claims !== "closed" || !speakersHaveNames(policy) || (await names.exist())) return;
  log.warn("policy.no_members", {
    hint: "A claimed name is needed, there is none, and --claims closed allows no claim.",
  });
}
