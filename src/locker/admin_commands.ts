/** What admins do with lockers: remove a slot, and erase the locker of a name that is released. */

import type { AdminAction, Audit } from "../core/admin.ts";
import type { Tx } from "../core/storage.ts";
import { countChange, slotNotFound } from "./commands.ts";
import * as store from "./store.ts";

export interface RemoveAsAdminInput extends AdminAction {
  /** The canonical form of the name. */
  owner: string;
  slot: string;
}

/** Removes a slot of any name. Throws `slot_not_found`. */
export async function removeAsAdmin(
  tx: Tx,
  audit: Audit,
  input: RemoveAsAdminInput,
): Promise<{ removed: true }> {
  const { owner, slot } = input;
  const before = await store.countSlots(tx, owner);
  if ((await store.dropSlot(tx, owner, slot)) === 0) throw slotNotFound();
  await countChange(tx, before, before - 1);
  await audit(tx, input, "slot.remove", `slot ${owner}/${slot}`);
  tx.erases();
  return { removed: true };
}

/** Erases all slots of a name. */
export async function eraseLocker(tx: Tx, owner: string): Promise<void> {
  await countChange(tx, await store.deleteLocker(tx, owner), 0);
  tx.erases();
}
