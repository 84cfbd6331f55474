/** What can be done with lockers: the operations that every door calls. */

import { isoTime, shownTime } from "../clock.ts";
import type { Commands, InternalStorage } from "../commands.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { invalidFields } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Caller, Identity } from "../names/authentication.ts";
import type { Random } from "../random.ts";
import { refuseSecrets } from "../secret.ts";
import type { ServiceClock } from "../timekeeping/service_clock.ts";
import type { Once } from "../storage/port.ts";
import { slotNotFound, type Precondition, type Put } from "./acts.ts";
import * as store from "./store.ts";

export interface LockerDeps {
  storage: InternalStorage;
  commands: Commands;
  clock: ServiceClock;
  random: Random;
  /** The caller's claimed name. Throws when no key was shown. */
  identityOf(caller: Caller): Identity;
  /** The one form of all spellings of a name. */
  canonicalName(name: string): string;
}

export interface PutRequest {
  slot: string;
  value: string;
  public?: boolean | undefined;
  expires_in?: number | undefined;
  precondition: Precondition;
}

const slot_form = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/;

/** Throws when `slot` cannot be a slot's name. */
export function checkSlotName(slot: string): void {
  const message =
    slot.length > limits.slot_name_chars_max
      ? `is ${slot.length} characters long; at most ${limits.slot_name_chars_max} fit`
      : slot === "index"
        ? "is reserved"
        : "may hold letters, digits, dot, dash, underscore and slash, and begins and ends with a letter or digit";
  const is_good = slot.length <= limits.slot_name_chars_max && slot !== "index" && slot_form.test(slot);
  if (!is_good) throw invalidFields([{ path: "slot", message }]);
}

const isText = (value: unknown): value is string => typeof value === "string";

export type Lockers = ReturnType<typeof createLockers>;

export function createLockers({ storage, commands, clock, random, identityOf, canonicalName }: LockerDeps) {
  const steady = () => isoTime(clock.steady());
  /** A stored slot as its readers see it. */
  const shown = <Row extends store.SlotHead>(row: Row): Row => {
    if (row.expires_at === null) return row;
    return { ...row, expires_at: shownTime(row.expires_at, clock.moment().ahead_ms) };
  };

  return {
    /** The caller's slots without their values, and what is used. */
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
      const { canonical } = identityOf(caller);
      const row = await storage.read((tx) => store.findSlot(tx, canonical, slot, steady()));
      if (!row) throw slotNotFound();
      return shown(row);
    },

    /** Writes a slot. Throws what the quotas and the precondition say. */
    async put(caller: Caller, request: PutRequest, once?: Once): Promise<Put> {
      const identity = identityOf(caller);
      checkSlotName(request.slot);
      // Names of slots are listed for everybody, those of private ones too.
      refuseSecrets({ slot: request.slot, ...(request.public && { "/value": request.value }) });
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
      return (await commands.run(caller, "locker.put", identity.name, input, once)).result;
    },

    /** Takes a slot away. Throws `slot_not_found` when there was nothing. */
    async remove(caller: Caller, slot: string, precondition: Precondition): Promise<{ slot: string }> {
      const identity = identityOf(caller);
      const input = { ...clock.moment(), identity, slot, precondition };
      return (await commands.run(caller, "locker.remove", identity.name, input)).result;
    },

    /** A public slot of anybody. A private one and a missing one are told alike: `slot_not_found`. */
    async getPublic(name: string, slot: string): Promise<store.SlotRow & { name: string }> {
      const row = await storage.read((tx) => store.findPublicSlot(tx, canonicalName(name), slot, steady()));
      if (!row) throw slotNotFound();
      return shown(row);
    },

    /** Every name that has a locker, with the names of its slots and no values. */
    async index(limit: number, cursor?: string) {
      const after = cursor === undefined ? "" : decodeCursor(cursor, isText);
      return storage.read(async (tx) => {
        const found = await store.owners(tx, steady(), after, limit + 1);
        const page = found.slice(0, limit);
        const lockers = [];
        for (const { owner, name } of page) {
          lockers.push({
            name,
            slots: await store.slotsOf(tx, owner, steady(), "", limits.slots_per_locker),
          });
        }
        const next = found.length > limit ? encodeCursor(page.at(-1)!.owner) : null;
        return { lockers, next, ...(await store.totals(tx, steady())) };
      });
    },
  };
}
