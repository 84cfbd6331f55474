/** Names, receipts and lockers over both transports: every tool, and every state that refuses it. */

import type { Scene } from "./scene.ts";
import { claim, done, long, names, put, refused, unauthenticated } from "./steps.ts";
import { locker_limits, name_limits, receipt_limits } from "../../../src/api/limits.ts";

export const names_and_receipts: Scene = {
  name: "names and receipts",
  steps: [
    done("name_claim", { name: "Ada", receipt: true }, undefined, {
      save: { Ada: "key", receipt: "receipt" },
    }),
    claim("Bob"),
    done("name_claim", { name: "b0b.2" }, "Ada"),
    done("name_lookup", { name: "ada" }),
    { advance_seconds: 90 },
    done("meet_open", { goal: "To be seen" }, "Ada"),
    done("name_lookup", { name: "ADA" }, "Ada"),
    refused("name_taken", "name_claim", { name: "aDa" }),
    refused("name_taken", "name_claim", { name: "BOB" }, "Ada"),
    refused("name_reserved", "name_claim", { name: "admin" }),
    refused("invalid_fields", "name_claim", { name: "éж" }),
    refused("invalid_fields", "name_claim", { name: long(name_limits.name_chars_max) }),
    refused("unknown_credential", "name_claim", { name: "Carol" }, "Ada", { with_key_of: "nobody" }),
    refused("contains_key", "name_claim", ({ Bob }) => ({ name: Bob })),
    refused("name_not_claimed", "name_lookup", { name: "Carol" }),
    done("name_claim", { name: "Dora" }, undefined, { save: { code: "recovery_code" } }),
    done("name_recover", ({ code }) => ({ name: "dora", recovery_code: code }), undefined, {
      save: { new_code: "recovery_code" },
    }),
    refused("wrong_recovery_code", "name_recover", ({ code }) => ({ name: "Dora", recovery_code: code })),
    refused("invalid_fields", "name_recover", { name: "Dora" }),
    refused("contains_key", "name_recover", ({ new_code }) => ({ name: new_code, recovery_code: "x" })),
    refused("unknown_credential", "name_recover", { name: "Dora", recovery_code: "x" }, "Ada", {
      with_key_of: "nobody",
    }),
    refused("unknown_credential", "name_lookup", { name: "Ada" }, "Ada", { with_key_of: "nobody" }),

    done("receipt_verify", ({ receipt }) => ({ receipt })),
    done("receipt_verify", ({ receipt }) => ({ receipt }), "Ada"),
    done("receipt_verify", ({ receipt }) => ({ receipt: receipt!.slice(0, -9) })),
    done("receipt_verify", {
      receipt: "eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0Iiwia2lkIjoieCJ9.e30.AA",
    }),
    refused("invalid_fields", "receipt_verify", { receipt: long(receipt_limits.receipt_chars_max) }),
    refused("invalid_fields", "receipt_verify", {}),
    refused("unknown_credential", "receipt_verify", { receipt: "?" }, "Ada", { with_key_of: "nobody" }),
  ],
};

const kilobytes = "é".repeat(locker_limits.slot_bytes_max / 2);
export const lockers: Scene = {
  name: "lockers",
  steps: [
    ...names,
    done("locker_list", {}, "Ada"),
    done("locker_list", { of: "all" }),
    done("locker_put", put("notes", "what I want\nto find"), "Ada"),
    done("locker_put", put("notes", "changed", { expected_version: 1 }), "Ada"),
    done("locker_put", put("card/me", "everybody may read it", { public: true }), "Ada"),
    done("locker_put", put("soon.gone", "", { expires_in: 60, expected_version: 0 }), "Ada"),
    done("locker_put", put("his", "his own", { public: true }), "Bob"),
    done("locker_get", { slot: "notes" }, "Ada"),
    done("locker_get", { slot: "card/me", owner: "ada" }, "Bob"),
    done("locker_get", { slot: "his", owner: "Bob" }, "Ada"),
    done("locker_get", { slot: "his", owner: "Bob", max_tokens: 1 }, "Ada"),
    done("locker_get", { slot: "notes", max_tokens: 1 }, "Ada"),
    done("locker_list", {}, "Ada"),
    done("locker_list", { limit: 2 }, "Ada", { save: { slots: "next" } }),
    done("locker_list", ({ slots }) => ({ of: "own", cursor: slots }), "Ada"),
    done("locker_list", { of: "all" }),
    done("locker_list", { of: "all", limit: 1 }, "Bob", { save: { page: "next" } }),
    done("locker_list", ({ page }) => ({ of: "all", limit: 1, cursor: page })),

    ...unauthenticated("locker_put", put("notes", "not hers")),
    ...unauthenticated("locker_get", { slot: "notes" }),
    ...unauthenticated("locker_delete", { slot: "notes" }),
    ...[{}, { of: "all" }].map((args) =>
      refused("unknown_credential", "locker_list", args, "Ada", { with_key_of: "Bob" }),
    ),
    refused("slot_not_found", "locker_get", { slot: "notes" }, "Bob"),
    refused("slot_not_found", "locker_get", { slot: "notes", owner: "Ada" }, "Bob"),
    refused("slot_not_found", "locker_delete", { slot: "notes" }, "Bob"),
    refused("precondition_failed", "locker_put", put("notes", "stale", { expected_version: 1 }), "Ada"),
    refused("precondition_failed", "locker_put", put("notes", "new?", { expected_version: 0 }), "Ada"),
    refused("precondition_failed", "locker_delete", { slot: "notes", expected_version: 1 }, "Ada"),
    refused("invalid_fields", "locker_put", put("-no", "name"), "Ada"),
    refused("invalid_fields", "locker_put", put("x", "y", { expires_in: 0, public: "yes" }), "Ada"),
    refused("invalid_fields", "locker_list", { of: "all", cursor: "?" }),
    refused("invalid_fields", "locker_list", { cursor: "?" }, "Ada"),
    refused("contains_key", "locker_put", ({ Bob }) => put("leak", Bob!, { public: true }), "Ada"),
    done("locker_put", ({ Bob }) => put("safe", Bob!), "Ada"),

    done("locker_delete", { slot: "notes", expected_version: 2 }, "Ada"),
    refused("slot_not_found", "locker_delete", { slot: "notes" }, "Ada"),
    { advance_seconds: 60 },
    refused("slot_not_found", "locker_get", { slot: "soon.gone" }, "Ada"),
    done("locker_list", {}, "Ada"),

    refused("slot_too_large", "locker_put", put("large", `${kilobytes}!`), "Carol"),
    ...Array.from({ length: locker_limits.locker_bytes_max / locker_limits.slot_bytes_max }, (_, i) =>
      done("locker_put", put(`large-${i}`, kilobytes), "Carol"),
    ),
    refused("locker_full", "locker_put", put("more", "!"), "Carol"),
    done("locker_delete", { slot: "large-0" }, "Carol"),
    ...Array.from({ length: locker_limits.slots_per_locker - 7 }, (_, i) =>
      done("locker_put", put(`small-${i}`, "."), "Carol"),
    ),
    refused("locker_slots_full", "locker_put", put("another", "."), "Carol"),
    done("locker_list", {}, "Carol"),
  ],
};
