/** What admins do with lockers: remove a slot, and erase the locker of a name that is released. */

import { requireScope, type Admin, type AdminAction, type Audit } from "../core/admin.ts";
import type { Tx } from "../core/storage.ts";
import type { RemovedSlot } from "../api/locker/locker.ts";
import { countChange, slotNotFound } from "./commands.ts";
import * as store from "./store.ts";

interface RemoveAsAdminInput extends AdminAction, Pick<Admin, "scopes"> {
  /** The canonical form of the name. */
  owner: string;
  slot: string;
}

/** Removes a slot of any name: a private one takes the scope operate. Throws `slot_not_found` or `scope_missing`. */
export async function removeAsAdmin(tx: Tx, audit: Audit, input: RemoveAsAdminInput): Promise<RemovedSlot> {
  const { owner, slot } = input;
  const found = await store.stateOf(tx, owner, slot);
  if (!found) throw slotNotFound();
  if (found.public === 0) requireScope(input, "operate", "Removing a private slot");
  const before = await store.countSlots(tx, owner);
  if ((await store.dropSlot(tx, owner, slot)) === 0) throw slotNotFound();
  await countChange(tx, before, before - 1);
  await audit(tx, input, "slot.remove", `slot ${owner}/${slot}`);
  tx.erases();
  return { removed: true, found: { ...found, public: found.public === 1 } };
}

/** Erases all slots of a name: private ones take the scope operate. Throws `scope_missing` before it erases any. */
export async function eraseLocker(tx: Tx, by: Admin, owner: string): Promise<void> {
  if (await store.hasPrivateSlot(tx, owner)) requireScope(by, "operate", "Erasing a private slot");
  await countChange(tx, await store.deleteLocker(tx, owner), 0);
  tx.erases();
}
