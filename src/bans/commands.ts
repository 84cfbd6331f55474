/** The write commands of bans. Each writes a line of the audit log if it changes something. */

import type { AdminAction, Audit } from "../core/admin.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { ban_errors } from "./errors.ts";
import * as store from "./store.ts";
import { ban_limits } from "../api/limits.ts";

/** The topic that is published when the bans have changed. */
export const bans_changed = "bans";

/** A ban that stood before an action. */
export type BanBefore = Omit<store.BanRow, "network">;

interface BanInput extends AdminAction {
  /** A CIDR block in its canonical form. */
  network: string;
  /** ISO time; null: without end. */
  until: string | null;
}

/** What is said of a ban that stood before. */
const before = (row: store.BanRow | undefined): BanBefore | null =>
  row ? { until: row.until, reason: row.reason, created: row.created } : null;

/** Bans a network, or changes the end and the reason of its ban. Returns the ban, and the one before. Throws `too_many_bans`. */
export async function ban(
  tx: Tx,
  audit: Audit,
  input: BanInput,
): Promise<{ row: store.BanRow; before: BanBefore | null }> {
  const { network, until, reason } = input;
  const now = isoTime(input.now_ms);
  await store.deleteExpired(tx, now);
  const found = await store.findBan(tx, network);
  if (found && found.until === until && found.reason === reason) return { row: found, before: before(found) };
  if (!found && (await store.countBans(tx)) >= ban_limits.bans_max) {
    throw new ServiceError(ban_errors.too_many_bans, `There are ${ban_limits.bans_max} bans already.`);
  }
  const row = { network, until, reason, created: now };
  await store.putBan(tx, row);
  await audit(tx, input, "network.ban", `network ${network}${until === null ? "" : ` until ${until}`}`);
  tx.announce(bans_changed);
  return { row, before: before(found) };
}

/** Lifts the ban of exactly this network. Returns whether there was one, and that. */
export async function lift(
  tx: Tx,
  audit: Audit,
  input: Omit<BanInput, "until">,
): Promise<{ lifted: boolean; found: BanBefore | null }> {
  await store.deleteExpired(tx, isoTime(input.now_ms));
  const found = before(await store.findBan(tx, input.network));
  if ((await store.deleteBan(tx, input.network)) === 0) return { lifted: false, found: null };
  await audit(tx, input, "network.unban", `network ${input.network}`);
  tx.announce(bans_changed);
  return { lifted: true, found };
}
