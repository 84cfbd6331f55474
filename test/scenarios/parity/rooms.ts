/** Rooms over both transports: every tool, and every state that refuses it. */

import { limits } from "../../../src/core/limits.ts";
import type { Saved, Scene, Step } from "./scene.ts";
import { done, inRoom, long, names, nowhere, refused } from "./steps.ts";
import { room_limits } from "../../../src/api/limits.ts";

/** The field with the text, by tool. */
const text_of = { meet_open: "goal", meet_ask: "question", meet_speak: "body", meet_answer: "body" };

export const rooms: Scene = {
  name: "rooms",
  steps: [
    ...names,
    done("meet_rooms", {}),
    done("meet_open", { goal: "What is a name?", name: "Zoë" }, undefined, {
      save: { room: "slug", host_key: "host_key" },
    }),
    done("meet_open", { goal: "What is a name?", name: "Ada", visibility: "unlisted" }, "Ada"),
    done("meet_open", { goal: "Whose?" }, "Bob", { save: { slow: "slug" } }),
    done("meet_read", inRoom({})),
    done("meet_answer", inRoom({ name: "Zoë", body: "To an empty room." }), undefined, {
      save: { first: "n" },
    }),
    { advance_seconds: 1 },
    done("meet_speak", inRoom({ name: "Zoë", body: "A word\nfor a thing. @ada" }), undefined, {
      save: { post: "n" },
    }),
    done(
      "meet_speak",
      ({ room, post: latest }) => ({ room, body: "Yes.", receipt: true, if_latest: latest }),
      "Ada",
      { save: { hers: "n" } },
    ),
    done("meet_answer", inRoom({ body: "To the first." }), "Bob"),
    done(
      "meet_answer",
      ({ room, hers }) => ({ room, body: "To Ada.", in_reply_to: hers, receipt: true }),
      "Bob",
    ),
    done("meet_ask", { question: "Why?", name: "Zoë" }),
    done("meet_ask", { question: "Why so?", visibility: "unlisted" }, "Ada"),
    done("meet_rooms", {}),
    done("meet_rooms", { limit: 1 }, undefined, { save: { page: "next" } }),
    done("meet_rooms", ({ page }) => ({ limit: 1, cursor: page })),
    done("meet_rooms", { query: "thing" }, "Ada"),
    done("meet_open", { goal: "Members only", visibility: "private" }, "Ada"),
    done("meet_rooms", { visibility: "private" }, "Ada"),
    done("meet_rooms", { visibility: "private", query: "members" }, "Ada"),
    done("meet_rooms", { visibility: "private" }, "Bob"),
    refused("credential_required", "meet_rooms", { visibility: "private" }),
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

    {
      http: ({ slow }) => ({
        method: "PUT",
        path: `/api/meet/rooms/${slow}/pace`,
        body: { pace: { posts: 2 } },
        as: "Bob",
      }),
    },
    done("meet_speak", ({ slow }) => ({ room: slow, name: "Zoë", body: "One." })),
    done("meet_answer", ({ slow }) => ({ room: slow, name: "Zoë", body: "Two." })),
    refused("slow_down", "meet_speak", ({ slow }) => ({ room: slow, name: "Zoë", body: "Three." })),
    refused("slow_down", "meet_answer", ({ slow }) => ({ room: slow, name: "Zoë", body: "Three." })),
    refused("room_moved_on", "meet_speak", inRoom({ name: "Zoë", body: "Too early.", if_latest: 0 })),
    refused("room_moved_on", "meet_answer", inRoom({ body: "Too early.", if_latest: 1 }), "Ada"),
    refused("room_moved_on", "meet_close", ({ room, host_key }) => ({ room, host_key, if_latest: 1 })),
    refused("invalid_fields", "meet_speak", inRoom({ name: "Zoë", body: "Too far.", if_latest: 999 })),

    refused("room_not_found", "meet_read", { room: "nowhere" }),
    refused("room_not_found", "meet_speak", { room: "nowhere", name: "Zoë", body: "?" }),
    refused("room_not_found", "meet_answer", { room: "nowhere", name: "Zoë", body: "?" }),
    refused("invalid_fields", "meet_read", inRoom({ since: "yesterday" })),
    refused("invalid_fields", "meet_read", inRoom({ since: nowhere })),
    refused("invalid_fields", "meet_read", inRoom({ wait_seconds: 281 })),
    refused("invalid_fields", "meet_rooms", { cursor: "?" }),
    refused("invalid_fields", "meet_rooms", { query: long(limits.search_chars_max) }),
    refused("invalid_fields", "meet_open", { goal: " ", name: "a\u202eb" }),
    refused("invalid_fields", "meet_open", {
      goal: long(room_limits.goal_chars_max),
      name: "Zoë",
      visibility: "secret",
    }),
    refused(
      "invalid_fields",
      "meet_speak",
      inRoom({ name: "", body: long(room_limits.post_body_chars_max) }),
    ),
    refused("invalid_fields", "meet_speak", inRoom({ name: "Zoë", body: "\ud800" })),
    refused("invalid_characters", "meet_speak", inRoom({ name: "Zoë", body: "\u001b[31m" })),
    refused("invalid_characters", "meet_open", { goal: "a\rb", name: "a\u202eb" }),
    refused("invalid_fields", "meet_speak", inRoom({ name: "Zoë", body: "?", in_reply_to: nowhere })),
    refused("invalid_fields", "meet_answer", inRoom({ name: "Zoë", body: "?", in_reply_to: "first" })),
    refused("invalid_fields", "meet_ask", { question: "?", name: " Zoë" }),
    refused("name_reserved", "meet_open", { goal: "Mine", name: "Wharf" }),
    refused("name_reserved", "meet_speak", inRoom({ name: "оperator", body: "Mine." })),
    refused("name_reserved", "meet_ask", { question: "Mine?", name: "ASSISTANT" }),
    refused("name_reserved", "name_claim", { name: "Wharf Admin" }),
    refused("unknown_field", "meet_open", { goal: "Mine", name: "Zoë", visiblity: "unlisted" }),
    refused("unknown_field", "meet_speak", inRoom({ name: "Zoë", body: "Mine.", reply: "first" })),
    ...Object.entries(text_of).flatMap(([tool, field]): Step[] => {
      const in_room = field === "body";
      const sent =
        (name: string) =>
        ({ room }: Saved) => ({ ...(in_room && { room }), name, [field]: "Mine." });
      const with_key = ({ room, Carol }: Saved) => ({
        ...(in_room && { room }),
        name: "Zoë",
        [field]: `My key is ${Carol}`,
      });
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
    refused("wrong_host_key", "meet_close", inRoom({ host_key: "wrong" })),
    refused("room_not_found", "meet_close", { room: "no-such-room", host_key: "wrong" }),
    refused("invalid_fields", "meet_close", ({ room, host_key }) => ({
      room,
      host_key,
      last_word: "By whom?",
    })),
    refused("name_is_claimed", "meet_close", ({ room, host_key }) => ({
      ...{ room, host_key },
      ...{ last_word: "Not hers.", name: "Ada" },
    })),
    done("meet_close", ({ room, host_key }) => ({ room, host_key, last_word: "That is all." }), "Ada"),
    done("meet_close", ({ room, host_key }) => ({ room, host_key })),
    refused("room_closed", "meet_close", ({ room, host_key }) => ({
      ...{ room, host_key },
      ...{ last_word: "One more.", name: "Zoë" },
    })),
    refused("room_closed", "meet_speak", inRoom({ name: "Zoë", body: "Too late." })),
    refused("room_closed", "meet_answer", inRoom({ name: "Zoë", body: "Too late." })),
    done("meet_read", inRoom({ wait_seconds: 50, since: "2027-01-01T00:00:00.000Z" })),
    done("meet_rooms", {}),
    done("mailbox_read", {}, "Ada"),
    done("mailbox_read", {}, "Bob"),
  ],
};
