/** `wharf admin hide`, `restore` and `erase`: actions on a post. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { reasonedCommand } from "./admin_command.ts";

const example_id = "01a20357-1767-72ea-8d8d-159e0a49e5d8";

const post_actions = {
  hide: "show a post as redacted by the operator; its text can be restored",
  restore: "show a hidden post again",
  erase: "destroy the text of a post for good, hidden or not",
};

/** The state of the post. */
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
      show(post, sentence(post));
    },
  ),
);
