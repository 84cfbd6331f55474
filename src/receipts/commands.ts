/** The write command of signing keys: adds the first key, or replaces the active one. */

import { isoTime } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";

/** The topic that is published when the signing key has been replaced. */
export const keys_changed = "receipts.keys";

export interface AddKeyInput {
  key: { kid: string; x: string; d: string };
  /** The kid of the active key to replace; null to add the first key. Nothing is added if another key is active. */
  replaces: string | null;
  now_ms: number;
}

/** Adds a key, which signs from now on. Retires the key before it, which still verifies. Returns all keys. */
export async function addKey(tx: Tx, { key, replaces, now_ms }: AddKeyInput): Promise<store.KeyRow[]> {
  const active = await store.activeKey(tx);
  if ((active?.kid ?? null) === replaces) {
    const at = isoTime(now_ms);
    if (active) await store.retireKey(tx, active.kid, at);
    await store.insertKey(tx, { ...key, created: at, retired_at: null });
    tx.announce(keys_changed);
  }
  return store.allKeys(tx);
}
