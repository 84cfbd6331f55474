/** `wharf name grants`: the programs that act under a claimed name. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { quotedName } from "../../core/text_form.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { keyedCommand } from "./shell_command.ts";
import { minuteOf } from "./texts.ts";

const listCommand = keyedCommand(
  () => new Command("list").description("list the programs that act under the name"),
  ["wharf name grants list --as ada"],
  async (shell) => {
    const { grants } = await orThrow(shell.client.get("/api/name/grants"));
    for (const grant of grants) {
      const { id, client_name, client_host, created, used } = grant;
      const times = `since ${minuteOf(created)}, last used ${minuteOf(used)}`;
      const claim = client_name === "" ? "" : `, calls itself ${quotedName(client_name)}`;
      shell.show(grant, `${id}  ${client_host}${claim}, ${times}`);
    }
    if (grants.length === 0) shell.nothing(`no program acts under ${shell.name}.`);
  },
);

const endCommand = keyedCommand(
  () =>
    new Command("end")
      .description("end the grant of a program; its tokens stop at once")
      .argument("<id>", "the id of the grant"),
  ["wharf name grants end 01a20357-1767-72ea-8d8d-159e0a49e5d8"],
  async (shell, _options: object, id: string) => {
    const ended = await orThrow(shell.client.delete("/api/name/grants/{id}", { path: { id } }));
    shell.show(ended, `The grant ${ended.id} has ended.`);
  },
);

export function nameGrantsCommand(terminal: Terminal): Command {
  const grants = new Command("grants")
    .description("list the programs that act under the name, or end the grant of one")
    .addCommand(listCommand(terminal), { isDefault: true })
    .addCommand(endCommand(terminal));
  return withExamples(grants, "wharf name grants --as ada");
}
