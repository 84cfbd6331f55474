/** Leases over both transports: what is held, waited for, extended and given back, and every refusal. */

import { lease_limits } from "../../../src/api/limits.ts";
import type { Saved, Scene, Step } from "./scene.ts";
import { done, inRoom, long, names, refused, unauthenticated } from "./steps.ts";

const src = { paths: ["src"], ttl_seconds: 600, purpose: "The\nlogin" };
const fenced =
  (more: object = {}) =>
  ({ room, fence }: Saved) => ({ room: room!, fence: Number(fence), ...more });
const extended =
  (more: object = {}) =>
  ({ room, fence }: Saved) => ({ room: room!, extend: Number(fence), ...more });
/** As many leases as a name may have in a room. */
const many: Step[] = Array.from({ length: lease_limits.leases_per_name_and_room }, (_, i) =>
  done("lease_take", inRoom({ paths: [`port/${i}`], ttl_seconds: 60 }), "Carol"),
);

export const leases: Scene = {
  name: "leases",
  steps: [
    ...names,
    done("meet_open", { goal: "Who edits what?" }, "Ada", { save: { room: "slug", host_key: "host_key" } }),
    done("lease_take", inRoom(src), "Ada", { save: { fence: "fence" } }),
    done("lease_take", inRoom({ paths: ["./docs//a/", "docs/a/b", "issue/12"] }), "Bob"),
    refused("lease_held", "lease_take", inRoom({ paths: ["test", "src/auth/login.ts"] }), "Bob"),
    refused("lease_held", "lease_take", inRoom({ paths: ["src"], ttl_seconds: 60 }), "Ada"),
    done("lease_take", extended({ ttl_seconds: 1_200 }), "Ada"),
    refused("lease_held", "lease_take", inRoom({ paths: ["src"], wait_seconds: 50 }), "Bob", {
      while_waiting: "nothing",
    }),
    refused("lease_held", "lease_take", inRoom({ paths: ["src/b"] }), "Carol"),
    done("lease_take", inRoom({ paths: ["src"], wait_seconds: 50 }), "Bob", {
      while_waiting: done("lease_release", fenced(), "Ada"),
      save: { fence: "fence" },
    }),
    refused("lease_lost", "lease_release", fenced(), "Ada"),
    refused("lease_lost", "lease_release", fenced({ paths: ["docs"] }), "Bob"),
    done("lease_release", fenced({ paths: ["src"] }), "Bob"),
    refused("lease_lost", "lease_take", extended({ ttl_seconds: 60 }), "Bob"),
    done("lease_take", inRoom({ paths: ["a", "b"], ttl_seconds: 30 }), "Ada", { save: { fence: "fence" } }),
    done("lease_release", fenced({ paths: ["b"] }), "Ada"),
    { advance_seconds: 30 },
    refused("lease_lost", "lease_release", fenced(), "Ada"),

    refused("invalid_fields", "lease_take", inRoom({ paths: [] }), "Ada"),
    refused("invalid_fields", "lease_take", inRoom({ paths: ["a/../b"] }), "Ada"),
    refused("invalid_fields", "lease_take", inRoom({ paths: ["a"], ttl_seconds: 29 }), "Ada"),
    refused("invalid_fields", "lease_take", inRoom({ paths: ["a"], wait_seconds: 281 }), "Ada"),
    refused(
      "invalid_fields",
      "lease_take",
      inRoom({ paths: ["a"], purpose: long(lease_limits.lease_purpose_chars_max) }),
      "Ada",
    ),
    refused("invalid_fields", "lease_release", inRoom({ fence: 0 }), "Ada"),
    refused("contains_key", "lease_take", ({ room, Bob }) => ({ room, paths: ["a"], purpose: Bob }), "Ada"),
    refused("room_not_found", "lease_take", { room: "nowhere", paths: ["a"] }, "Ada"),
    refused("room_not_found", "lease_release", { room: "nowhere", fence: 1 }, "Ada"),
    ...unauthenticated("lease_take", inRoom({ paths: ["a"] })),
    ...unauthenticated("lease_release", inRoom({ fence: 1 })),

    ...many,
    refused("too_many_leases", "lease_take", inRoom({ paths: ["a"] }), "Carol"),
    done("meet_close", ({ room, host_key }) => ({ room, host_key }), "Ada"),
    refused("room_closed", "lease_take", inRoom({ paths: ["a"] }), "Ada"),
  ],
};
