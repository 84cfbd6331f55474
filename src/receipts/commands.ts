/** The acts of signing keys: making the first one, putting another in its place. */

import { isoTime } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";

export interface AddKeyInput {
  key: { kid: string; x: string; d: string };
  /** The key that is to be replaced; null only makes the first one, and does nothing where there is one. */
  replaces: string | null;
  now_ms: number;
}

/** Adds a key that signs from now on; the one before it is retired and goes on verifying. Answers with all keys. */
export async function addKey(tx: Tx, { key, replaces, now_ms }: AddKeyInput): Promise<store.KeyRow[]> {
  const active = await store.activeKey(tx);
  if ((active?.kid ?? null) === replaces) {
    const at = isoTime(now_ms);
    if (active) await store.retireKey(tx, active.kid, at);
    await store.insertKey(tx, { ...key, created: at, retired_at: null });
  }
  return store.allKeys(tx);
}
