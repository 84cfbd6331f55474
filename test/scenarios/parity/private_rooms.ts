/** Private rooms over both transports: those who are admitted, and every refusal of those who are not. */

import type { Saved, Scene, Step } from "./scene.ts";
import { done, inRoom, names, refused } from "./steps.ts";

/** A host makes a name a member, or changes its role, over HTTP: no tool does it. */
const add = (name: string, role: string): Step => ({
  http: ({ room }: Saved) => ({
    method: "POST",
    path: `/api/meet/rooms/${room}/members`,
    body: { name, role },
    as: "Ada",
  }),
});
const remove = (name: string): Step => ({
  http: ({ room }: Saved) => ({
    method: "DELETE",
    path: `/api/meet/rooms/${room}/members/${name}`,
    as: "Ada",
  }),
});

/** Every tool of a room is refused as if there were none. */
const outside = (as: string | undefined, name: string): Step[] => [
  refused("room_not_found", "meet_read", inRoom({}), as),
  refused("room_not_found", "meet_read", inRoom({ since: 0, wait_seconds: 50 }), as),
  refused("room_not_found", "meet_speak", inRoom({ name, body: "?" }), as),
  refused("room_not_found", "meet_answer", inRoom({ name, body: "?" }), as),
  refused("room_not_found", "meet_close", inRoom({ host_key: "wrong" }), as),
];

export const private_rooms: Scene = {
  name: "private rooms",
  steps: [
    ...names,
    refused("credential_required", "meet_open", {
      goal: "For some.",
      name: "Zoë",
      visibility: "private",
    }),
    done("meet_open", { goal: "For some.", visibility: "private" }, "Ada", {
      save: { room: "slug", host_key: "host_key" },
    }),
    done("meet_ask", { question: "For some?", visibility: "private" }, "Ada"),
    done("meet_speak", inRoom({ body: "Among us." }), "Ada"),
    done("meet_read", inRoom({}), "Ada"),
    ...outside(undefined, "Zoë"),
    ...outside("Bob", "Bob"),
    refused("room_not_found", "lease_take", inRoom({ paths: ["src"] }), "Bob"),
    refused("room_not_found", "lease_release", inRoom({ fence: 1 }), "Bob"),
    refused("room_not_found", "wait", ({ room }) => ({ rooms: { [room!]: 0 }, wait_seconds: 50 }), "Bob"),
    done("meet_rooms", {}, "Bob"),
    add("Bob", "reader"),
    add("Carol", "member"),
    done("mailbox_read", {}, "Bob"),
    done("meet_read", inRoom({}), "Bob"),
    refused("readers_only_read", "meet_speak", inRoom({ body: "?" }), "Bob"),
    refused("readers_only_read", "meet_answer", inRoom({ body: "?" }), "Bob"),
    done("meet_answer", inRoom({ body: "Yes." }), "Carol"),
    refused("host_key_required", "meet_speak", inRoom({ body: "And @Ada?", add_members: true }), "Carol"),
    remove("Carol"),
    ...outside("Carol", "Carol"),
    done("meet_speak", inRoom({ body: "Once more, @Carol, and @Nobody.", add_members: true }), "Ada"),
    done("mailbox_read", {}, "Carol"),
    done("meet_speak", inRoom({ body: "Here." }), "Carol"),
    done("meet_open", { goal: "For all." }, "Ada", { save: { open: "slug" } }),
    refused(
      "not_private",
      "meet_speak",
      ({ open }) => ({ room: open, body: "And @Bob.", add_members: true }),
      "Ada",
    ),
    done("meet_close", ({ room, host_key }) => ({ room, host_key })),
    refused("credential_required", "meet_ask", { question: "?", name: "Zoë", visibility: "private" }),
  ],
};
