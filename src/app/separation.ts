/**
 * Makes a copy of a database independent of the original, which may still be in use: new keys and secrets, no beacon day that the
 * original may have published, and no number of a lease that it may have given out.
 */

import { leaveDays, type Gap } from "../beacon/commands.ts";
import type { SecretRow } from "../beacon/store.ts";
import { isoTime, type Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Random } from "../core/random.ts";
import type { Place, Tx, Written } from "../core/storage.ts";
import { raiseFences } from "../rooms/leases/ending.ts";
import { addKey, type AddKeyInput } from "../receipts/commands.ts";
import { newKey } from "../receipts/keys.ts";
import { activeKey } from "../receipts/store.ts";
import { isAt, putPlace } from "../storage/place.ts";

interface SeparateInput extends Pick<AddKeyInput, "key" | "now_ms"> {
  place: Place;
  secret: SecretRow;
}

export interface Separated {
  /** The kid of the key that signs from now on. */
  kid: string;
  /** The days that are not issued here. Null if the database has all that the original may have published. */
  not_issued: Gap | null;
}

/**
 * Separates the database from its original: `place` is where it runs from now on. Returns null if another node that started at
 * the same time has done so.
 */
export async function separate(
  tx: Tx,
  { place, key, secret, now_ms }: SeparateInput,
): Promise<Separated | null> {
  if (await isAt(tx, place)) return null;
  const replaces = (await activeKey(tx))?.kid ?? null;
  await addKey(tx, { key, replaces, now_ms });
  const not_issued = await leaveDays(tx, { secret, now_ms });
  await raiseFences(tx);
  await putPlace(tx, place);
  return { kid: key.kid, not_issued };
}

interface SeparableStorage {
  readonly copied_to: Place | null;
  write(name: "server.separate", input: SeparateInput): Promise<Written<Separated | null>>;
}

/** Separates the database of `storage` if it is a copy. Returns what has changed; null if it is none, or no longer. */
export async function separateCopy(
  storage: SeparableStorage,
  clock: Pick<Clock, "now">,
  random: Random,
  log: Log,
): Promise<Separated | null> {
  if (storage.copied_to === null) return null;
  const now_ms = clock.now();
  const secret = { id: random.uuid(now_ms), secret: random.bytes(32).toHex(), created: isoTime(now_ms) };
  const input = { place: storage.copied_to, key: newKey(random), secret, now_ms };
  const { result } = await storage.write("server.separate", input);
  if (result === null) return null;
  log.warn("instance.separated", {
    ...result,
    hint: "The database was restored or copied, so the original may still be in use: receipts and days of the beacon are signed with a new key. If it was only moved, see --moved.",
  });
  return result;
}
