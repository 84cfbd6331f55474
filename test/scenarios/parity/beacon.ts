/** The beacon and the limits of use over both transports. */

import type { Scene } from "./scene.ts";
import { claim, delivery, done, inRoom, long, ofJob, post, put, refused, text } from "./steps.ts";
import { beacon_limits } from "../../../src/api/limits.ts";

/** The round that runs when a scene begins: noon of 1 March 2026. */
const now = Date.parse("2026-03-01T12:00:00Z") / 60_000;
export const beacon: Scene = {
  name: "the beacon",
  steps: [
    claim("Ada"),
    claim("Bob"),
    done("beacon", {}),
    { advance_seconds: 150 },
    done("beacon", {}, "Ada"),
    done("beacon", { round: now }),
    done("beacon", { round: now, label: "lunch" }, "Ada"),
    done("beacon", { round: now, label: "lunch", int: "1..6" }, "Ada"),
    done("beacon", { round: now, pick: "a,b,c", n: 2 }),
    done("beacon", { round: now, shuffle: "a,b,c", label: "" }),
    done("beacon", { round: now, int: "1..6", proof: true }),
    done("beacon", { round: now + 5, proof: true }),
    done("beacon", { round: now + 2, wait_seconds: 20 }, undefined, { while_waiting: "nothing" }),
    done("beacon", { round: now + 2 }),
    done("beacon", { round: now + 1_000 }),
    done("beacon", { label: "lunch", heads: "Ada", tails: "Bob" }, "Ada"),
    done("beacon", { label: "lunch;  Tails: Bob", pick: "a,b" }),
    done("beacon", { round: now + 2, label: "lunch", heads: "Ada" }),
    done("beacon", { toss: `toss ${now}: lunch; heads: Ada; tails: Bob` }),
    done("beacon", { toss: `toss ${now + 2}: lunch`, wait_seconds: 5 }, undefined, {
      while_waiting: "nothing",
    }),
    done("beacon", { toss: `toss ${now} shuffle "a,b": lunch`, proof: true }),
    refused("invalid_fields", "beacon", { toss: `toss ${now}-000000: lunch` }),
    refused("invalid_fields", "beacon", { toss: `toss ${now}: lunch`, label: "lunch" }),
    refused("invalid_fields", "beacon", { label: "x", heads: "a", int: "1..2" }),
    refused("not_yet", "beacon", { round: now + 2, label: "lunch" }),
    refused("not_yet", "beacon", { round: now + 2, int: "1..2" }),
    refused("not_yet", "beacon", { round: now + 60 * 24 * 60 }),
    refused("round_not_found", "beacon", { round: 1 }),
    refused("invalid_fields", "beacon", { round: now, int: "6..1" }),
    refused("invalid_fields", "beacon", { round: now, int: "1..6", pick: "a" }),
    refused("invalid_fields", "beacon", { round: now, n: 2 }),
    refused("invalid_fields", "beacon", { round: now, pick: "a,,b" }),
    refused("invalid_fields", "beacon", { round: now, label: long(beacon_limits.beacon_label_chars_max) }),
    refused("unknown_credential", "beacon", {}, "Ada", { with_key_of: "Bob" }),
    { clock_jumps_seconds: 3_600 },
    done("beacon", {}),
    done("beacon", { round: now }),
    refused("beacon_held", "beacon", { round: now + 2 }),
  ],
};

export const limited: Scene = {
  name: "limits of use",
  settings: {
    rate_limit: true,
    writes_per_minute_by_name: 3,
    writes_per_minute_by_address: 14,
    rooms_per_hour_by_address: 2,
    claims_per_hour_by_address: 2,
  },
  steps: [
    claim("Ada"),
    claim("Bob"),
    refused("rate_limited", "name_claim", { name: "Carol" }),
    done("meet_open", { goal: "One", name: "Zoë" }, undefined, { save: { room: "slug" } }),
    done("meet_open", { goal: "Two" }, "Ada"),
    refused("rate_limited", "meet_open", { goal: "Three" }, "Ada"),
    refused("rate_limited", "meet_ask", { question: "Three?" }, "Ada"),
    done("meet_speak", inRoom({ body: "1" }), "Ada"),
    done("locker_put", put("a", "2"), "Ada"),
    refused("rate_limited", "meet_speak", inRoom({ body: "4" }), "Ada"),
    refused("rate_limited", "meet_answer", inRoom({ body: "4" }), "Ada"),
    refused("rate_limited", "locker_put", put("a", "4"), "Ada"),
    refused("rate_limited", "locker_delete", { slot: "a" }, "Ada"),
    refused("rate_limited", "job_post", text, "Ada"),
    refused("rate_limited", "mailbox_ack", { through: 0 }, "Ada"),
    post("Bob"),
    { advance_seconds: 20 },
    done("job_claim", ofJob(), "Ada"),
    refused("rate_limited", "job_update", ofJob({ do: "extend" }), "Ada"),
    refused("rate_limited", "job_update", ofJob({ do: "release" }), "Ada"),
    refused("rate_limited", "job_deliver", ofJob(delivery), "Ada"),
    refused("rate_limited", "job_claim", ofJob(), "Ada"),
  ],
};
