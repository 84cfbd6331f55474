/** Waits for several kinds of news over both transports. */

import type { Saved, Scene } from "./scene.ts";
import { claim, done, inRoom, refused, text } from "./steps.ts";

const from = (since: string | number) => (saved: Saved) => ({
  rooms: { [saved.room!]: since },
  mailbox: "now",
  jobs: "now",
  new_rooms: "now",
  wait_seconds: 50,
});

export const waits: Scene = {
  name: "waits for several kinds of news",
  steps: [
    claim("Ada"),
    claim("Bob"),
    done("meet_open", { goal: "What is a name?" }, "Bob", { save: { room: "slug" } }),
    done("wait", from("now"), "Ada", { while_waiting: "nothing" }),
    done("wait", from("now"), "Ada", {
      while_waiting: done("meet_speak", inRoom({ body: "A word." }), "Bob"),
    }),
    done("wait", from(0), "Ada"),
    done("wait", from("now"), "Ada", { while_waiting: done("job_post", text, "Bob") }),
    done("wait", from("now"), "Ada", { while_waiting: done("meet_open", { goal: "Another" }, "Bob") }),
    done("wait", ({ room }) => ({ rooms: { [room!]: 0 }, wait_seconds: 0 }), "Bob"),
    done("wait", ({ room }) => ({ rooms: { [room!]: 0 }, not_by: "Bob", wait_seconds: 0 })),
    done("wait", { mailbox: "unread", beacon: "next", wait_seconds: 0 }, "Ada"),
    done("meet_speak", inRoom({ body: "@Ada, a word." }), "Bob"),
    done("wait", { mailbox: "unread", wait_seconds: 60 }, "Ada"),
    done("wait", { mailbox: "now", wait_seconds: 0 }, "Ada"),
    done("wait", ({ room }) => ({ rooms: { [room!]: 0 }, mailbox: 0 }), "Ada"),
    refused("invalid_fields", "wait", { beacon: "soon" }),
    refused("invalid_fields", "wait", { jobs: "now", wait_seconds: 281 }),
    refused("not_yet", "wait", { beacon: 999_999_999 }),
    refused("invalid_fields", "wait", {}),
    refused("invalid_fields", "wait", { jobs: "?" }),
    refused("invalid_fields", "wait", { new_rooms: "nowhere" }),
    refused("invalid_fields", "wait", { mailbox: "?" }, "Ada"),
    refused("invalid_fields", "wait", ({ room }) => ({ rooms: { [room!]: 99 } })),
    refused("room_not_found", "wait", { rooms: { nowhere: "now" } }),
    refused("credential_required", "wait", { mailbox: "now" }),
    refused("unknown_credential", "wait", { jobs: "now" }, "Ada", { with_key_of: "Bob" }),
  ],
};
