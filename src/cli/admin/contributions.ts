/**
 * `wharf admin hide`, `restore`, `erase`, `close`, `reopen`, `delete-room`, `break-lease`, `remove-slot` and `withdraw-job`: what is
 * done with a post, a room, a lease, a slot or a job.
 */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { quoted, quotedName, toSecond } from "../../core/text_form.ts";
import { reasonedCommand } from "./admin_command.ts";
import { postFound, roomFound } from "./found.ts";

const example_id = "01a20357-1767-72ea-8d8d-159e0a49e5d8";

const post_actions = {
  hide: "show a post as redacted by the operator; its text can be restored",
  restore: "show a hidden post again",
  erase: "destroy the text of a post for good, hidden or not",
};

/** What the post is now. */
function sentence({ room, n, state, redacted, changed }: Schemas["ModeratedPost"]): string {
  const post = `Post ${n} of ${room}`;
  if (changed) return `${post} is ${state}.`;
  if (state !== "erased") return `${post} is ${state} already.`;
  const by = redacted === "author" ? "its author" : `the ${redacted}`;
  return `${post} was redacted by ${by}: nothing of its text is stored.`;
}

export const postCommands = (Object.keys(post_actions) as (keyof typeof post_actions)[]).map((action) =>
  reasonedCommand(
    () =>
      new Command(action)
        .description(post_actions[action])
        .argument("<post-id>", "the id of the post; it names its room, too"),
    [`wharf admin ${action} ${example_id} --reason 'a home address' --data-dir ./wharf-data`],
    async ({ client, show }, { reason }, id) => {
      const sent = { path: { id: id }, body: { reason } };
      const post = await orThrow(client.post(`/api/admin/posts/{id}/${action}`, sent));
      show(post, [postFound(post, post.found, post.found.state), sentence(post)]);
    },
  ),
);

const room_actions = [
  ["close", "close", "close a room: it can still be read"],
  ["reopen", "reopen", "open a closed room again"],
  ["delete-room", "delete", "delete a room and its posts for good; no other room gets its slug"],
] as const;

export const roomCommands = room_actions.map(([name, action, description]) =>
  reasonedCommand(
    () =>
      new Command(name).description(description).argument("<slug>", "the slug or the address of the room"),
    [`wharf admin ${name} how-do-we-name-things --reason 'spam' --data-dir ./wharf-data`],
    async ({ client, show }, { reason }, slug) => {
      const sent = { path: { room: slug }, body: { reason } };
      const answer = await orThrow(client.post(`/api/admin/rooms/{room}/${action}`, sent));
      const { room, state, changed } = answer;
      show(answer, [...roomFound(answer), `The room ${room} is ${state}${changed ? "" : " already"}.`]);
    },
  ),
);

export const breakLeaseCommand = reasonedCommand(
  () =>
    new Command("break-lease")
      .description("end the leases on paths of a room; their holders find a note")
      .argument("<slug>", "the slug or the address of the room")
      .argument("<path>", "what is held; what covers it or lies below it ends, too"),
  [
    "wharf admin break-lease how-do-we-name-things src/auth --reason 'its holder is gone' --data-dir ./wharf-data",
  ],
  async ({ client, show }, { reason }, slug, path) => {
    const sent = { path: { room: slug }, body: { paths: [path!], reason } };
    const answer = await orThrow(client.post("/api/admin/rooms/{room}/leases/break", sent));
    if (answer.broken.length === 0) throw new Error(`Nobody holds ${quotedName(path!)} there.`);
    const found = answer.broken.map(
      ({ holder, paths }) =>
        `Found: a lease of ${quotedName(holder)} on ${paths.map(quotedName).join(", ")}.`,
    );
    show(answer, [...found, found.length === 1 ? "The lease has ended." : "These leases have ended."]);
  },
);

export const removeSlotCommand = reasonedCommand(
  () =>
    new Command("remove-slot")
      .description("remove a slot of a locker and erase its value")
      .argument("<name>", "the name whose locker it is")
      .argument("<slot>", "the name of the slot"),
  ["wharf admin remove-slot eve notes/plan --reason 'a home address' --data-dir ./wharf-data"],
  async ({ client, show }, { reason }, name, slot) => {
    const path = { name: name!, slot: slot! };
    const call = client.post("/api/admin/lockers/{name}/{slot}/remove", { path, body: { reason } });
    const answer = await orThrow(call);
    const { public: is_public, bytes, updated } = answer.found;
    const about = `${is_public ? "public" : "private"}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}, of ${toSecond(updated)}`;
    show(answer, [
      `Found: the slot ${quotedName(slot!)} of ${quotedName(name!)}, ${about}.`,
      "The slot is removed.",
    ]);
  },
);

export const withdrawJobCommand = reasonedCommand(
  () =>
    new Command("withdraw-job")
      .description("withdraw a job in any state and erase its texts")
      .argument("<job-id>", "the id of the job"),
  [`wharf admin withdraw-job ${example_id} --reason 'illegal' --data-dir ./wharf-data`],
  async ({ client, show }, { reason }, id) => {
    const call = client.post("/api/admin/jobs/{id}/withdraw", { path: { id: id! }, body: { reason } });
    const job = await orThrow(call);
    const { state, title } = job.found;
    show(job, [
      `Found: the job ${job.id}, ${state}, posted by ${quotedName(job.by)}, ${toSecond(job.created)}. Its title:`,
      quoted(title),
      "The job is withdrawn, and its texts are erased.",
    ]);
  },
);
