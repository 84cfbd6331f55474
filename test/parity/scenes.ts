/** What is done through both doors: every tool, every state that refuses it, in the words of tools. */

import type { FailureCode } from "../../src/failures.ts";
import { limits } from "../../src/limits.ts";
import type { Act, Kept, Scene, Step } from "./scene.ts";
import type { Args } from "./translations.ts";

type More = Omit<Act, "tool" | "args" | "refused">;
const done = (tool: string, args: Act["args"], as?: string, more: More = {}): Act => ({
  tool,
  args,
  ...(as !== undefined && { as }),
  ...more,
});
const refused = (code: FailureCode, tool: string, args: Act["args"], as?: string, more: More = {}): Act => ({
  ...done(tool, args, as, more),
  refused: code,
});
/** Claims a name and keeps its key under it. */
const claim = (name: string): Act => done("name_claim", { name }, undefined, { keep: { [name]: "key" } });

/** A call shown a wrong key, and none where one is needed. */
const unauthenticated = (tool: string, args: Act["args"]): Act[] => [
  refused("unknown_credential", tool, args, "Ada", { with_key_of: "Bob" }),
  refused("credential_required", tool, args),
];

const long = (chars: number): string => "x".repeat(chars + 1);
const nowhere = "00000000-0000-7000-8000-000000000000";
const inRoom = (more: Args) => (kept: Kept) => ({ room: kept.room!, ...more });
const names: Step[] = ["Ada", "Bob", "Carol"].map(claim);

const rooms: Scene = {
  name: "rooms",
  steps: [
    ...names,
    done("meet_rooms", {}),
    done("meet_open", { goal: "What is a name?", name: "Zoë" }, undefined, {
      keep: { room: "slug", host_key: "host_key" },
    }),
    done("meet_open", { goal: "What is a name?", name: "Ada", visibility: "unlisted" }, "Ada"),
    done("meet_open", { goal: "Whose?" }, "Bob"),
    done("meet_read", inRoom({})),
    done("meet_answer", inRoom({ name: "Zoë", body: "To an empty room." }), undefined, {
      keep: { first: "id" },
    }),
    { advance_seconds: 1 },
    done("meet_speak", inRoom({ name: "Zoë", body: "A word\nfor a thing. @ada" }), undefined, {
      keep: { post: "id" },
    }),
    done("meet_speak", inRoom({ body: "Yes.", receipt: true }), "Ada", { keep: { hers: "id" } }),
    done("meet_answer", inRoom({ body: "To the first." }), "Bob"),
    done(
      "meet_answer",
      ({ room, hers }) => ({ room, body: "To Ada.", in_reply_to: hers, receipt: true }),
      "Bob",
    ),
    done("meet_ask", { question: "Why?", name: "Zoë" }),
    done("meet_ask", { question: "Why so?", visibility: "unlisted" }, "Ada"),
    done("meet_rooms", {}),
    done("meet_rooms", { limit: 1 }, undefined, { keep: { page: "next" } }),
    done("meet_rooms", ({ page }) => ({ limit: 1, cursor: page })),
    done("meet_rooms", { query: "thing" }, "Ada"),
    done("meet_read", inRoom({})),
    done("meet_read", inRoom({ limit: 2 })),
    done("meet_read", ({ room, post }) => ({ room, since: post, limit: 1 })),
    done("meet_read", inRoom({ since: "2026-01-01T00:00:00Z", wait_seconds: 50 })),
    done(
      "meet_read",
      ({ room }) => ({ room, since: "2027-01-01T00:00:00.000Z", wait_seconds: 20 }),
      undefined,
      {
        while_waiting: "nothing",
      },
    ),
    { advance_seconds: 600 },
    done("meet_read", inRoom({ since: "2026-03-01T12:05:00.000Z", wait_seconds: 50 }), undefined, {
      while_waiting: done("meet_speak", inRoom({ name: "Zoë", body: "At last." })),
    }),
    done("mailbox_read", {}, "Ada"),

    refused("room_not_found", "meet_read", { room: "nowhere" }),
    refused("room_not_found", "meet_speak", { room: "nowhere", name: "Zoë", body: "?" }),
    refused("room_not_found", "meet_answer", { room: "nowhere", name: "Zoë", body: "?" }),
    refused("invalid_fields", "meet_read", inRoom({ since: "yesterday" })),
    refused("invalid_fields", "meet_read", inRoom({ since: nowhere })),
    refused("invalid_fields", "meet_read", inRoom({ wait_seconds: 51 })),
    refused("invalid_fields", "meet_rooms", { cursor: "?" }),
    refused("invalid_fields", "meet_rooms", { query: long(limits.search_chars_max) }),
    refused("invalid_fields", "meet_open", { goal: " ", name: "a\u202eb" }),
    refused("invalid_fields", "meet_open", {
      goal: long(limits.goal_chars_max),
      name: "Zoë",
      visibility: "secret",
    }),
    refused("invalid_fields", "meet_speak", inRoom({ name: "", body: long(limits.post_body_chars_max) })),
    refused("invalid_fields", "meet_speak", inRoom({ name: "Zoë", body: "\ud800" })),
    refused("invalid_fields", "meet_speak", inRoom({ name: "Zoë", body: "?", in_reply_to: nowhere })),
    refused("invalid_fields", "meet_answer", inRoom({ name: "Zoë", body: "?", in_reply_to: "first" })),
    refused("invalid_fields", "meet_ask", { question: "?", name: " Zoë" }),
    ...["meet_open", "meet_ask", "meet_speak", "meet_answer"].flatMap((tool): Step[] => {
      const sent = (name: string) => inRoom({ name, goal: "Mine", question: "Mine?", body: "Mine." });
      const with_key = ({ room, Carol }: Kept) => {
        const text = `My key is ${Carol}`;
        return { room: room!, name: "Zoë", goal: text, question: text, body: text };
      };
      return [
        refused("name_is_claimed", tool, sent("Ada")),
        refused("name_is_claimed", tool, sent("ADA")),
        refused("name_mismatch", tool, sent("Zoë"), "Ada"),
        refused("unknown_credential", tool, sent("Ada"), "Ada", { with_key_of: "Bob" }),
        refused("contains_key", tool, with_key),
      ];
    }),
    refused("unknown_credential", "meet_rooms", {}, "Ada", { with_key_of: "Bob" }),
    refused("unknown_credential", "meet_read", inRoom({}), "Nobody", { with_key_of: "Bob" }),

    {
      http: ({ room, hers }) => ({
        method: "DELETE",
        path: `/api/meet/rooms/${room}/posts/${hers}`,
        as: "Ada",
      }),
    },
    done("meet_read", inRoom({})),
    {
      http: ({ room, host_key }) => ({
        method: "POST",
        path: `/api/meet/rooms/${room}/close`,
        headers: { "x-meet-key": host_key! },
      }),
    },
    refused("room_closed", "meet_speak", inRoom({ name: "Zoë", body: "Too late." })),
    refused("room_closed", "meet_answer", inRoom({ name: "Zoë", body: "Too late." })),
    done("meet_read", inRoom({ wait_seconds: 50, since: "2027-01-01T00:00:00.000Z" })),
    done("meet_rooms", {}),
    done("mailbox_read", {}, "Ada"),
    done("mailbox_read", {}, "Bob"),
  ],
};

const names_and_receipts: Scene = {
  name: "names and receipts",
  steps: [
    done("name_claim", { name: "Ada" }, undefined, { keep: { Ada: "key", receipt: "receipt" } }),
    claim("Bob"),
    done("name_claim", { name: "b0b.2" }, "Ada"),
    done("name_lookup", { name: "ada" }),
    { advance_seconds: 90 },
    done("meet_open", { goal: "To be seen" }, "Ada"),
    done("name_lookup", { name: "ADA" }, "Ada"),
    refused("name_taken", "name_claim", { name: "aDa" }),
    refused("name_taken", "name_claim", { name: "BOB" }, "Ada"),
    refused("invalid_fields", "name_claim", { name: "admin" }),
    refused("invalid_fields", "name_claim", { name: "é" }),
    refused("invalid_fields", "name_claim", { name: long(limits.name_chars_max) }),
    refused("unknown_credential", "name_claim", { name: "Carol" }, "Ada", { with_key_of: "nobody" }),
    refused("contains_key", "name_claim", ({ Bob }) => ({ name: Bob })),
    refused("name_not_claimed", "name_lookup", { name: "Carol" }),
    refused("unknown_credential", "name_lookup", { name: "Ada" }, "Ada", { with_key_of: "nobody" }),

    done("receipt_verify", ({ receipt }) => ({ receipt })),
    done("receipt_verify", ({ receipt }) => ({ receipt }), "Ada"),
    done("receipt_verify", ({ receipt }) => ({ receipt: receipt!.slice(0, -9) })),
    done("receipt_verify", {
      receipt: "eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0Iiwia2lkIjoieCJ9.e30.AA",
    }),
    refused("invalid_fields", "receipt_verify", { receipt: long(limits.receipt_chars_max) }),
    refused("invalid_fields", "receipt_verify", {}),
    refused("unknown_credential", "receipt_verify", { receipt: "?" }, "Ada", { with_key_of: "nobody" }),
  ],
};

const put = (slot: string, value: string, more: Args = {}) => ({ slot, value, ...more });
const kilobytes = "é".repeat(limits.slot_bytes_max / 2);
const lockers: Scene = {
  name: "lockers",
  steps: [
    ...names,
    done("locker_list", {}, "Ada"),
    done("locker_index", {}),
    done("locker_put", put("notes", "what I want\nto find"), "Ada"),
    done("locker_put", put("notes", "changed", { expected_version: 1 }), "Ada"),
    done("locker_put", put("card/me", "everybody may read it", { public: true }), "Ada"),
    done("locker_put", put("soon.gone", "", { expires_in: 60, expected_version: 0 }), "Ada"),
    done("locker_put", put("his", "his own", { public: true }), "Bob"),
    done("locker_get", { slot: "notes" }, "Ada"),
    done("locker_get", { slot: "card/me", owner: "ada" }, "Bob"),
    done("locker_get", { slot: "his", owner: "Bob" }, "Ada"),
    done("locker_list", {}, "Ada"),
    done("locker_index", {}),
    done("locker_index", { limit: 1 }, "Bob", { keep: { page: "next" } }),
    done("locker_index", ({ page }) => ({ limit: 1, cursor: page })),

    ...unauthenticated("locker_put", put("notes", "not hers")),
    ...unauthenticated("locker_get", { slot: "notes" }),
    ...unauthenticated("locker_delete", { slot: "notes" }),
    refused("unknown_credential", "locker_list", {}, "Ada", { with_key_of: "Bob" }),
    refused("unknown_credential", "locker_index", {}, "Ada", { with_key_of: "Bob" }),
    refused("slot_not_found", "locker_get", { slot: "notes" }, "Bob"),
    refused("slot_not_found", "locker_get", { slot: "notes", owner: "Ada" }, "Bob"),
    refused("slot_not_found", "locker_delete", { slot: "notes" }, "Bob"),
    refused("precondition_failed", "locker_put", put("notes", "stale", { expected_version: 1 }), "Ada"),
    refused("precondition_failed", "locker_put", put("notes", "new?", { expected_version: 0 }), "Ada"),
    refused("precondition_failed", "locker_delete", { slot: "notes", expected_version: 1 }, "Ada"),
    refused("invalid_fields", "locker_put", put("-no", "name"), "Ada"),
    refused("invalid_fields", "locker_put", put("x", "y", { expires_in: 0, public: "yes" }), "Ada"),
    refused("invalid_fields", "locker_index", { cursor: "?" }),
    refused("contains_key", "locker_put", ({ Bob }) => put("leak", Bob!, { public: true }), "Ada"),
    done("locker_put", ({ Bob }) => put("safe", Bob!), "Ada"),

    done("locker_delete", { slot: "notes", expected_version: 2 }, "Ada"),
    refused("slot_not_found", "locker_delete", { slot: "notes" }, "Ada"),
    { advance_seconds: 60 },
    refused("slot_not_found", "locker_get", { slot: "soon.gone" }, "Ada"),
    done("locker_list", {}, "Ada"),

    refused("slot_too_large", "locker_put", put("large", `${kilobytes}!`), "Carol"),
    ...Array.from({ length: limits.locker_bytes_max / limits.slot_bytes_max }, (_, i) =>
      done("locker_put", put(`large-${i}`, kilobytes), "Carol"),
    ),
    refused("locker_full", "locker_put", put("more", "!"), "Carol"),
    done("locker_delete", { slot: "large-0" }, "Carol"),
    ...Array.from({ length: limits.slots_per_locker - 7 }, (_, i) =>
      done("locker_put", put(`small-${i}`, "."), "Carol"),
    ),
    refused("locker_slots_full", "locker_put", put("another", "."), "Carol"),
    done("locker_list", {}, "Carol"),
  ],
};

const ofJob =
  (more: Args = {}) =>
  (kept: Kept) => ({ id: kept.job!, ...more });
const text = { title: "Count the words", detail: "In the\npreamble." };
const post = (as: string, more: Args = {}): Act =>
  done("job_post", { ...text, ...more }, as, { keep: { job: "id" } });
const delivery = { result: "52 words" };

const jobs: Scene = {
  name: "jobs and mailboxes",
  steps: [
    ...names,
    done("jobs_list", {}),
    done("mailbox_read", {}, "Ada"),
    post("Ada", { tags: ["words", "counting"] }),
    done("job_read", ofJob()),
    done("jobs_list", { state: "open", query: "preamble", by: "ada", tag: "words", sort: "oldest" }, "Bob"),
    refused("own_job", "job_claim", ofJob(), "Ada"),
    refused("not_holder", "job_extend", ofJob(), "Bob"),
    refused("not_holder", "job_release", ofJob(), "Bob"),
    refused("not_holder", "job_deliver", ofJob(delivery), "Bob"),
    refused("not_delivered", "job_review", ofJob({ verdict: "accepted" }), "Ada"),
    done("mailbox_read", { wait_seconds: 50 }, "Ada", {
      while_waiting: done("job_claim", ofJob(), "Bob", { keep: { claim_no: "claim_no" } }),
    }),
    done("job_read", ofJob(), "Bob"),
    refused("job_held", "job_claim", ofJob(), "Bob"),
    refused("job_held", "job_claim", ofJob(), "Carol"),
    refused("job_held", "job_withdraw", ofJob(), "Ada"),
    refused("not_holder", "job_extend", ofJob(), "Carol"),
    { advance_seconds: 1_800 },
    done("job_extend", ofJob(), "Bob"),
    done("job_release", ofJob(), "Bob"),
    refused("not_holder", "job_release", ofJob(), "Bob"),
    done("job_claim", ofJob(), "Bob"),
    { advance_seconds: limits.lease_seconds },
    done("job_read", ofJob()),
    done("mailbox_read", {}, "Bob"),
    refused("not_holder", "job_deliver", ofJob(delivery), "Bob"),
    done("job_claim", ofJob(), "Bob"),
    refused("stale_claim", "job_deliver", ofJob({ ...delivery, claim_no: 1 }), "Bob"),
    refused("contains_key", "job_deliver", ({ job, Bob }) => ({ id: job, result: Bob }), "Bob"),
    done("job_deliver", ofJob({ ...delivery, claim_no: 3 }), "Bob", { keep: { receipt: "receipt" } }),
    done("job_deliver", ofJob(delivery), "Bob"),
    refused("job_delivered", "job_deliver", ofJob({ result: "53 words" }), "Bob"),
    refused("job_delivered", "job_deliver", ofJob(delivery), "Carol"),
    refused("job_delivered", "job_claim", ofJob(), "Carol"),
    refused("job_delivered", "job_extend", ofJob(), "Bob"),
    refused("job_delivered", "job_release", ofJob(), "Bob"),
    refused("job_delivered", "job_withdraw", ofJob(), "Ada"),
    refused("not_your_job", "job_review", ofJob({ verdict: "accepted" }), "Bob"),
    refused("not_your_job", "job_withdraw", ofJob(), "Bob"),
    refused(
      "contains_key",
      "job_review",
      ({ job, Ada }) => ({ id: job, verdict: "disputed", reason: Ada }),
      "Ada",
    ),
    done("job_review", ofJob({ verdict: "accepted", reason: "Just\nright." }), "Ada"),
    refused("already_reviewed", "job_review", ofJob({ verdict: "disputed" }), "Ada"),
    done("job_read", ofJob()),
    done("receipt_verify", ({ receipt }) => ({ receipt })),

    post("Carol"),
    done("job_withdraw", ofJob(), "Carol"),
    done("job_withdraw", ofJob(), "Carol"),
    refused("job_withdrawn", "job_claim", ofJob(), "Bob"),
    post("Carol"),
    done("job_claim", ofJob(), "Bob"),
    ...Array.from({ length: 24 }, (): Step[] => [
      { advance_seconds: limits.lease_seconds - 1 },
      done("job_extend", ofJob(), "Bob"),
    ]).flat(),
    refused("lease_spent", "job_extend", ofJob(), "Bob"),
    done("job_deliver", ofJob(delivery), "Bob"),
    done("job_review", ofJob({ verdict: "disputed" }), "Carol"),

    done("mailbox_read", {}, "Bob"),
    done("mailbox_read", { limit: 2 }, "Bob"),
    done("mailbox_read", { since: 2, limit: 1 }, "Bob"),
    done("mailbox_ack", { through: 2 }, "Bob"),
    done("mailbox_ack", { through: 1 }, "Bob"),
    done("mailbox_read", { since: 2 }, "Bob"),
    done("mailbox_read", { since: 99, wait_seconds: 20 }, "Bob", { while_waiting: "nothing" }),
    refused("invalid_fields", "mailbox_ack", { through: 99 }, "Bob"),
    refused("invalid_fields", "mailbox_ack", {}, "Bob"),
    refused("invalid_fields", "mailbox_read", { wait_seconds: 51 }, "Bob"),
    { http: () => ({ method: "DELETE", path: "/api/mailbox", as: "Bob" }) },
    refused("notes_pruned", "mailbox_read", { since: 1 }, "Bob"),
    done("mailbox_read", {}, "Bob"),

    ...Array.from({ length: limits.open_jobs_per_name }, () => post("Ada")),
    refused("too_many_open_jobs", "job_post", text, "Ada"),
    done("jobs_list", { limit: 4 }, undefined, { keep: { page: "next" } }),
    done("jobs_list", ({ page }) => ({ limit: 4, cursor: page })),
    ...["open", "held", "delivered", "withdrawn"].map((state) => done("jobs_list", { state })),
    refused("invalid_fields", "jobs_list", { state: "lost" }),
    refused("invalid_fields", "jobs_list", { cursor: "?", sort: "best" }),
    refused("unknown_credential", "jobs_list", {}, "Ada", { with_key_of: "Bob" }),
    refused("unknown_credential", "job_read", ofJob(), "Ada", { with_key_of: "Bob" }),
    refused("invalid_fields", "job_post", { title: long(limits.job_title_chars_max), detail: "" }, "Ada"),
    refused("invalid_fields", "job_post", { ...text, tags: ["a", "b", "c", "d", "e", "f"] }, "Ada"),
    refused("invalid_fields", "job_post", { ...text, tags: ["Not a tag"] }, "Ada"),
    refused("contains_key", "job_post", ({ Bob }) => ({ ...text, title: Bob }), "Ada"),
    refused(
      "invalid_fields",
      "job_deliver",
      ofJob({ result: long(limits.job_result_chars_max), claim_no: 0 }),
      "Bob",
    ),
    refused("invalid_fields", "job_review", ofJob({ verdict: "good" }), "Ada"),
    ...unauthenticated("job_post", text),
    ...unauthenticated("mailbox_read", {}),
    ...unauthenticated("mailbox_ack", { through: 0 }),
    ...Object.entries({
      job_claim: {},
      job_extend: {},
      job_release: {},
      job_deliver: delivery,
      job_withdraw: {},
      job_review: { verdict: "accepted" },
    }).flatMap(([tool, more]) => [
      ...unauthenticated(tool, ofJob(more)),
      refused("job_not_found", tool, { id: nowhere, ...more }, "Ada"),
    ]),
    refused("job_not_found", "job_read", { id: nowhere }),
    refused("job_not_found", "job_read", { id: "42" }),
  ],
};

/** The round that runs when a scene begins: noon of 1 March 2026. */
const now = Date.parse("2026-03-01T12:00:00Z") / 60_000;
const beacon: Scene = {
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
    done("beacon", { round: now + 2 }),
    done("beacon", { round: now + 1_000 }),
    refused("not_yet", "beacon", { round: now + 2, label: "lunch" }),
    refused("not_yet", "beacon", { round: now + 2, int: "1..2" }),
    refused("not_yet", "beacon", { round: now + 60 * 24 * 60 }),
    refused("round_not_found", "beacon", { round: 1 }),
    refused("invalid_fields", "beacon", { round: now, int: "6..1" }),
    refused("invalid_fields", "beacon", { round: now, int: "1..6", pick: "a" }),
    refused("invalid_fields", "beacon", { round: now, n: 2 }),
    refused("invalid_fields", "beacon", { round: now, pick: "a,,b" }),
    refused("invalid_fields", "beacon", { round: now, label: long(limits.beacon_label_chars_max) }),
    refused("unknown_credential", "beacon", {}, "Ada", { with_key_of: "Bob" }),
    { clock_jumps_seconds: 3_600 },
    done("beacon", {}),
    done("beacon", { round: now }),
    refused("beacon_held", "beacon", { round: now + 2 }),
  ],
};

const limited: Scene = {
  name: "limits of use",
  settings: {
    rate_limit: true,
    writes_per_minute_by_name: 3,
    writes_per_minute_by_address: 12,
    rooms_per_hour_by_address: 2,
    claims_per_hour_by_address: 2,
  },
  steps: [
    claim("Ada"),
    claim("Bob"),
    refused("rate_limited", "name_claim", { name: "Carol" }),
    done("meet_open", { goal: "One", name: "Zoë" }, undefined, { keep: { room: "slug" } }),
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
    done("mailbox_ack", { through: 0 }, "Ada"),
    post("Bob"),
    { advance_seconds: 20 },
    done("job_claim", ofJob(), "Ada"),
    refused("rate_limited", "job_extend", ofJob(), "Ada"),
    refused("rate_limited", "job_release", ofJob(), "Ada"),
    refused("rate_limited", "job_deliver", ofJob(delivery), "Ada"),
    refused("rate_limited", "job_claim", ofJob(), "Ada"),
  ],
};

export const scenes: Scene[] = [rooms, names_and_receipts, lockers, jobs, beacon, limited];
