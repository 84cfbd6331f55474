/** `wharf admin invite`, `invites` and `revoke-invite`: invitations to claim a name. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { count, duration } from "../../core/setting_values.ts";
import { toSecond } from "../../core/text_form.ts";
import { optionValue } from "../option_value.ts";
import { revokedBefore } from "./found.ts";
import { adminCommand, reasonedCommand } from "./admin_command.ts";

export const inviteCommands = [
  adminCommand<{ uses: string; expires?: string }>(
    () =>
      new Command("invite")
        .description("make an invitation to claim a name (--claims invite); its code is printed once")
        .option("--uses <count>", "how many names can be claimed with it", "1")
        .option("--expires <time>", "how long it can be used, such as 12h or 7d; left out: without end"),
    ["wharf admin invite --uses 5 --expires 7d --data-dir ./wharf-data"],
    async ({ client, show }, { uses, expires }) => {
      const body = {
        uses: optionValue("--uses", count, uses),
        ...(expires !== undefined && { expires_in: optionValue("--expires", duration, expires) }),
      };
      const made = await orThrow(client.post("/api/admin/invites", { body }));
      show(made, made.code);
    },
  ),
  adminCommand(
    () => new Command("invites").description("list the invitations"),
    ["wharf admin invites --data-dir ./wharf-data"],
    async ({ client, show }) => {
      const answer = await orThrow(client.get("/api/admin/invites"));
      const lines = answer.invites.map(
        ({ id, state, uses, uses_left, expires }) =>
          `${id} ${state}, ${uses_left} of ${uses} left${expires === null ? "" : `, until ${expires}`}`,
      );
      show(answer, lines.length > 0 ? lines : "There are no invitations.");
    },
  ),
  reasonedCommand(
    () =>
      new Command("revoke-invite")
        .description("revoke an invitation; names that were claimed with it stay")
        .argument("<id>", "the id of the invitation"),
    [
      "wharf admin revoke-invite 01a20357-1767-72ea-8d8d-159e0a49e5d8 --reason 'sent to a list' --data-dir ./wharf-data",
    ],
    async ({ client, show }, { reason }, id) => {
      const sent = { path: { id: id }, body: { reason } };
      const invite = await orThrow(client.post("/api/admin/invites/{id}/revoke", sent));
      const { uses, uses_left, created, found } = invite;
      show(invite, [
        `Found: the invitation ${invite.id}, made ${toSecond(created)}, ${uses_left} of ${uses} left${revokedBefore(found)}.`,
        "The invitation is revoked.",
      ]);
    },
  ),
];
