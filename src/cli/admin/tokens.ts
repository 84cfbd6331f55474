/** `wharf admin token`, `tokens` and `revoke-token`: tokens for those who help to run or moderate the instance. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { quotedName, toSecond } from "../../core/text_form.ts";
import { revokedBefore } from "./found.ts";
import { adminCommand, reasonedCommand } from "./admin_command.ts";

export const tokenCommands = [
  adminCommand<Schemas["CreateToken"]>(
    () =>
      new Command("token")
        .description("make a token of the admin API; it is printed once")
        .requiredOption("--label <text>", "whose token it is, as the audit log names it")
        .option("--scope <scope>", "moderate, or operate for everything", "moderate"),
    ["wharf admin token --label grace --scope moderate --data-dir ./wharf-data"],
    async ({ client, show }, { label, scope }) => {
      const made = await orThrow(client.post("/api/admin/tokens", { body: { label, scope } }));
      show(made, made.token);
    },
  ),
  adminCommand(
    () => new Command("tokens").description("list the tokens"),
    ["wharf admin tokens --data-dir ./wharf-data"],
    async ({ client, show }) => {
      const answer = await orThrow(client.get("/api/admin/tokens"));
      const lines = answer.tokens.map(
        ({ id, label, scope, created, revoked_at }) =>
          `${id} ${scope} ${label}, made ${created}${revoked_at === null ? "" : `, revoked ${revoked_at}`}`,
      );
      show(answer, lines.length > 0 ? lines : "There are no tokens.");
    },
  ),
  reasonedCommand(
    () => new Command("revoke-token").description("revoke a token").argument("<id>", "the id of the token"),
    [
      "wharf admin revoke-token 01a20357-1767-72ea-8d8d-159e0a49e5d8 --reason 'left the team' --data-dir ./wharf-data",
    ],
    async ({ client, show }, { reason }, id) => {
      const sent = { path: { id: id }, body: { reason } };
      const token = await orThrow(client.post("/api/admin/tokens/{id}/revoke", sent));
      const { label, scope, created, found } = token;
      show(token, [
        `Found: the token of ${quotedName(label)}, scope ${scope}, made ${toSecond(created)}${revokedBefore(found)}.`,
        `The token of ${label} is revoked.`,
      ]);
    },
  ),
];
