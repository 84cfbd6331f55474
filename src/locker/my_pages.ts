/** The locker of the name that is signed in: its slots, and the forms with which it writes or deletes one. */

import { Type } from "@sinclair/typebox";
import { myLockerPage, slot_labels, value_labels } from "../../views/my_locker.tsx";
import { mySlotPage } from "../../views/my_slot.tsx";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { isFailure } from "../core/errors.ts";
import { hideSecrets, refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import { refusedPage, withoutSecrets, type FormWords } from "../web/refused_form.ts";
import { seeOther } from "../web/responses.ts";
import { locker_errors } from "./errors.ts";
import type { Lockers } from "./locker.ts";
import * as shown from "./representations.ts";
import { slotOf } from "./routes.ts";
import { PutSlot, type SlotForm } from "../api/locker/locker.ts";
import type { SlotRow } from "./store.ts";
import { locker_limits } from "../api/limits.ts";

const checkPut = checkBy(PutSlot, "body");
const SlotParams = Type.Object({ "*": Type.String({ description: "The slot's name." }) });

/** A form as it was sent. `version`: the version of the slot on its page, 0 for a new slot. `delete` is present if its button was pressed. */
interface SentSlot {
  slot?: string;
  version?: string;
  value?: string;
  visibility?: string;
  delete?: string;
}

type Reader = Pick<RequestContext, "caller" | "base">;

export function myLockerPages(lockers: Lockers, { access, origins, siteOf, clock }: Http) {
  /** A slot of the caller; null if there is none. */
  const find = (caller: Caller, slot: string): Promise<SlotRow | null> =>
    lockers.get(caller, slot).catch((error: unknown) => {
      if (isFailure(error, locker_errors.slot_not_found)) return null;
      throw error;
    });

  async function list({ caller, base }: Reader, form: SlotForm): Promise<string> {
    const locker = shown.locker(await lockers.list(caller, locker_limits.slots_per_locker));
    const addressOf = (slot: string) => `${base}/me/locker/${shown.slotPath(slot)}`;
    return myLockerPage(await siteOf({ caller, base }), { locker, addressOf, form });
  }

  const one = async ({ caller, base }: Reader, slot: string, stored: SlotRow | null, form: SlotForm) =>
    mySlotPage(await siteOf({ caller, base }), {
      slot,
      stored: stored && shown.slot(stored),
      public_url: stored?.public === 1 ? shown.publicUrl(base, caller.identity!.name, slot) : null,
      form,
    });

  /** Writes the slot, which ends when it would have ended. */
  async function write(caller: Caller, slot: string, sent: SentSlot): Promise<void> {
    const {
      value,
      public: is_public,
      expected_version,
    } = checkPut({
      value: sent.value ?? "",
      public: sent.visibility === "public",
      expected_version: Number(sent.version ?? 0),
    });
    const expires_at = expected_version ? (await find(caller, slot))?.expires_at : null;
    const left_ms = expires_at ? Date.parse(expires_at) - clock.now() : null;
    await lockers.put(caller, {
      ...{ slot, value, public: is_public, precondition: { expected_version: expected_version ?? 0 } },
      ...(left_ms !== null && { expires_in: Math.max(1, Math.round(left_ms / 1000)) }),
    });
  }

  const remove = (caller: Caller, slot: string, { version }: SentSlot) =>
    lockers.remove(caller, slot, { expected_version: Number(version) });

  /** The page after a form was refused. `stored`: the slot as it is now. */
  function refusedForm(reader: Reader, sent: SentSlot, error: unknown, stored: SlotRow | null) {
    const sent_version = Number(sent.version ?? 0);
    const has_changed = isFailure(error, locker_errors.precondition_failed);
    const is_new = sent_version === 0 && !stored;
    const words = { labels: is_new ? slot_labels : value_labels, by_code: wordsOf(sent, stored) };
    return refusedPage(error, words, (refused) => {
      const { slot, value, visibility } = withoutSecrets(sent);
      const is_left_out = value !== sent.value;
      const form: SlotForm = {
        slot,
        value,
        is_public: visibility === "public",
        // The reader sees the stored value, and may replace it.
        version: has_changed ? (stored?.version ?? 0) : sent_version,
        changed: has_changed && stored ? hideSecrets(stored.value) : null,
        refusal: is_left_out ? { ...refused, fields: { ...refused.fields, value: left_out } } : refused,
      };
      return is_new ? list(reader, form) : one(reader, nameIn(sent), stored, form);
    });
  }

  return access
    .get("/me/locker", async ({ caller, base }) => sendPage(await list({ caller, base }, {})), {
      needs: "named",
      ...pageDoc({
        summary: "The locker of the name that is signed in",
        operation_id: "readMyLockerPage",
        media: ["text/html"],
        failures: [caller_errors.credential_required],
      }),
    })
    .get(
      "/me/locker/*",
      async ({ caller, base, params }) => {
        const stored = await lockers.get(caller, slotOf(params));
        const { slot, value, version } = stored;
        const form = { value, version, is_public: stored.public === 1 };
        return sendPage(await one({ caller, base }, slot, stored, form));
      },
      {
        needs: "named",
        params: SlotParams,
        ...pageDoc({
          summary: "A slot, with the form of the name that is signed in",
          operation_id: "readMySlotPage",
          rest: "slot",
          media: ["text/html"],
          failures: [caller_errors.credential_required, locker_errors.slot_not_found],
        }),
      },
    )
    .post(
      "/me/locker",
      async ({ request, caller, base }) => {
        const sent: SentSlot = await readForm(request, origins);
        const slot = nameIn(sent);
        const deletes = sent.delete !== undefined;
        const done = () => seeOther(`${base}/me/locker${deletes ? "" : `/${shown.slotPath(slot)}`}`);
        try {
          // A private slot may contain a key. The operation checks whether the slot is private.
          refuseSecretsIn(sent, ["/value"]);
          await (deletes ? remove(caller, slot, sent) : write(caller, slot, sent));
          return done();
        } catch (error) {
          const stored = await find(caller, slot);
          return isDone(error, sent, stored) ? done() : refusedForm({ caller, base }, sent, error, stored);
        }
      },
      { needs: "named", parse: "none", ...undocumented },
    );
}

const nameIn = ({ slot = "" }: SentSlot): string => slot.trim();

/** Whether the locker is as the form wants it, although it was refused: so a form that is sent twice succeeds twice. */
function isDone(error: unknown, sent: SentSlot, stored: SlotRow | null): boolean {
  if (sent.delete !== undefined) return isFailure(error, locker_errors.slot_not_found);
  if (!stored || !isFailure(error, locker_errors.precondition_failed)) return false;
  return stored.value === sent.value && (stored.public === 1) === (sent.visibility === "public");
}

const wordsOf = (sent: SentSlot, stored: SlotRow | null): FormWords["by_code"] => ({
  slot_too_large: { field: "value" },
  locker_full: { field: "value" },
  locker_slots_full: { field: "slot", say: "All slots of your locker are in use. Delete one first." },
  precondition_failed: { say: changedText(sent, stored) },
});

function changedText({ version, delete: deletes }: SentSlot, stored: SlotRow | null): string {
  if (!stored)
    return "This slot was deleted after you opened it. Nothing was stored. Saving again creates it.";
  const is_new = Number(version ?? 0) === 0;
  const why = is_new ? "You have a slot of this name." : "This slot was written after you opened it.";
  return deletes === undefined
    ? `${why} Nothing was stored. Below is what it holds now, then what you entered: saving replaces what it holds.`
    : `${why} Nothing was deleted. What it holds now is below.`;
}

const left_out =
  "The text contains a key of this service, so it is left out here. Go back in your browser to find it. Only a private slot " +
  "takes a key.";
