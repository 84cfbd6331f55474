/** The operations of lockers, called by every transport. */

import type { RemovedSlot } from "../api/locker/locker.ts";
import { actionBy, type Admin } from "../core/admin.ts";
import { isoTime, shownTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import type { LockerCommands } from "./feature.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { type FailureExtra, invalidFields, ServiceError } from "../core/errors.ts";
import type { Caller, Identity } from "../core/caller.ts";
import { refuseSecrets } from "../core/secrets.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { slotNotFound, type Precondition, type Put } from "./commands.ts";
import * as store from "./store.ts";
import { locker_limits } from "../api/limits.ts";
import { locker_internal_limits } from "./limits.ts";

interface LockerDeps extends OperationDeps<LockerCommands> {
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller, extra?: Pick<FailureExtra, "situation">): Identity;
  /** The canonical form of a name. */
  canonicalName(name: string): string;
}

interface PutRequest {
  slot: string;
  value: string;
  public?: boolean | undefined;
  expires_in?: number | undefined;
  precondition: Precondition;
}

const slot_form = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/;

/** Throws if `slot` is not a valid slot name. */
function checkSlotName(slot: string): void {
  const message =
    slot.length > locker_limits.slot_name_chars_max
      ? `is ${slot.length} characters long; at most ${locker_limits.slot_name_chars_max} fit`
      : slot === "index"
        ? "is reserved"
        : "may hold letters, digits, dot, dash, underscore and slash, and begins and ends with a letter or digit";
  const is_good =
    slot.length <= locker_limits.slot_name_chars_max && slot !== "index" && slot_form.test(slot);
  if (!is_good) throw invalidFields([{ path: "slot", message }]);
}

/** Most batches of expired slots that one call of `index` deletes. */
const prunes_max = 10;

const isText = (value: unknown): value is string => typeof value === "string";

export type Lockers = ReturnType<typeof createLockers>;

export function createLockers({ storage, commands, clock, random, identityOf, canonicalName }: LockerDeps) {
  const steady = () => isoTime(clock.steady());
  /** A stored slot with its expiry in service time instead of steady time. */
  const shown = <Row extends store.SlotHead>(row: Row): Row => {
    if (row.expires_at === null) return row;
    return { ...row, expires_at: shownTime(row.expires_at, clock.moment().ahead_ms) };
  };

  /** Deletes expired slots, so that the counters are right. */
  async function prune(): Promise<void> {
    try {
      for (let i = 0; i < prunes_max; i++) {
        const expiry = await storage.read(store.nextExpiry);
        if (expiry === null || expiry > steady()) return;
        if (!(await storage.write("locker.prune", clock.moment())).result.more) return;
      }
    } catch (error) {
      // If the storage refuses writes, the counters include expired slots.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  return {
    /** The caller's slots without values, and how much of the quotas is used. */
    async list(caller: Caller, limit: number, cursor?: string) {
      const { name, canonical } = identityOf(caller);
      const after = cursor === undefined ? "" : decodeCursor(cursor, isText);
      return storage.read(async (tx) => {
        const rows = await store.slotsOf(tx, canonical, steady(), after, limit + 1);
        const slots = rows.slice(0, limit);
        const next = rows.length > limit ? encodeCursor(slots.at(-1)!.slot) : null;
        return { name, slots: slots.map(shown), next, ...(await store.usedBy(tx, canonical, steady())) };
      });
    },

    /** One of the caller's slots. Throws `slot_not_found`. */
    async get(caller: Caller, slot: string): Promise<store.SlotRow> {
      const { canonical } = identityOf(caller, { situation: "slot" });
      const row = await storage.read((tx) => store.findSlot(tx, canonical, slot, steady()));
      if (!row) throw slotNotFound();
      return shown(row);
    },

    /** Creates or replaces a slot. Throws if a quota is exceeded or a precondition fails. */
    async put(caller: Caller, request: PutRequest, call?: IdempotentCall): Promise<Put> {
      const identity = identityOf(caller);
      checkSlotName(request.slot);
      // The names of slots are public, also for private slots.
      refuseSecrets(
        { slot: request.slot, ...(request.public && { "/value": request.value }) },
        { situation: "public_slot" },
      );
      const input = {
        ...clock.moment(),
        identity,
        slot: request.slot,
        value: request.value,
        public: request.public ?? false,
        etag: `"${random.bytes(12).toHex()}"`,
        expires_in_seconds: request.expires_in ?? null,
        precondition: request.precondition,
      };
      return (await commands.run(caller, "locker.put", identity.name, input, call)).result;
    },

    /** Deletes a slot. Throws `slot_not_found` if it does not exist. */
    async remove(
      caller: Caller,
      slot: string,
      precondition: Precondition,
      call?: IdempotentCall,
    ): Promise<{ slot: string }> {
      const identity = identityOf(caller);
      const input = { ...clock.moment(), identity, slot, precondition };
      return (await commands.run(caller, "locker.remove", identity.name, input, call)).result;
    },

    /** Removes a slot of any name, for an admin. Throws `slot_not_found`, and `scope_missing` for a private slot. */
    async removeAsAdmin(admin: Admin, name: string, slot: string, reason: string): Promise<RemovedSlot> {
      const by = { ...actionBy(admin, reason, clock), scopes: admin.scopes };
      const input = { ...by, owner: canonicalName(name), slot };
      return (await storage.write("locker.remove_as_admin", input)).result;
    },

    /** A public slot of any name. Throws `slot_not_found`, for a private slot too. */
    async getPublic(name: string, slot: string): Promise<store.SlotRow & { name: string }> {
      const row = await storage.read((tx) => store.findPublicSlot(tx, canonicalName(name), slot, steady()));
      if (!row) throw slotNotFound();
      return shown(row);
    },

    /** The next `limit` slots of a name with their values, by their names after `after`. `owner`: its canonical form. */
    async withValues(owner: string, after: string, limit: number): Promise<store.SlotRow[]> {
      await clock.turn();
      return (await storage.read((tx) => store.wholeSlotsOf(tx, owner, steady(), after, limit))).map(shown);
    },

    /** The public slots of a name without values. `owner`: its canonical form. */
    async publicSlots(owner: string): Promise<store.SlotHead[]> {
      const limit = locker_limits.slots_per_locker;
      const slots = await storage.read((tx) => store.slotsOf(tx, owner, steady(), "", limit));
      return slots.filter((slot) => slot.public === 1).map(shown);
    },

    /**
     * Every name that has a locker, with its slots but without values. A page is shorter than `limit` if its lockers have
     * many slots. Reads in slices and yields to the event loop between them.
     */
    async index(limit: number, cursor?: string) {
      await prune();
      const counts = await storage.read(store.totals);
      const lockers: { owner: string; name: string; slots: store.SlotHead[] }[] = [];
      let slots = 0;
      // Every slot name sorts before "~", so this position is after the last slot of the owner in the cursor.
      let after = { owner: cursor === undefined ? "" : decodeCursor(cursor, isText), slot: "~" };
      for (;;) {
        const from = after;
        const rows = await storage.read((tx) =>
          store.slotsAfter(tx, from, steady(), locker_internal_limits.slots_per_slice),
        );
        for (const row of rows) {
          const last = lockers.at(-1);
          if (last?.owner === row.owner) last.slots.push(row);
          else if (
            last &&
            (lockers.length === limit || slots >= locker_internal_limits.lockers_page_slots_max)
          ) {
            return { lockers, next: encodeCursor(last.owner), ...counts };
          } else lockers.push({ owner: row.owner, name: row.name, slots: [row] });
          slots++;
        }
        if (rows.length < locker_internal_limits.slots_per_slice) return { lockers, next: null, ...counts };
        after = rows.at(-1)!;
        await clock.turn();
      }
    },
  };
}
