/** `wharf admin clients`: programs that sign in by OAuth. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { quotedName, toSecond } from "../../core/text_form.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { adminCommand, reasonedCommand } from "./admin_command.ts";

const grantsText = (count: number): string => `${count} ${count === 1 ? "grant" : "grants"}`;

const lineOf = ({ client_id, origin, name, grants, used }: Schemas["OAuthClient"]): string =>
  `${client_id} ${quotedName(name)}, ${origin}, ${grantsText(grants)}${used === null ? "" : `, last used ${toSecond(used)}`}`;

const listCommand = adminCommand(
  () => new Command("list").description("list the programs, those first that were used last"),
  ["wharf admin clients list --data-dir ./wharf-data"],
  async ({ client, show }) => {
    const answer = await orThrow(client.get("/api/admin/clients"));
    const lines = answer.clients.map(lineOf);
    show(answer, lines.length > 0 ? lines : "No program has registered, was added or was let in.");
  },
);

const addCommand = adminCommand<{ secret?: true }, [string, string[]]>(
  () =>
    new Command("add")
      .description("add a program that need not register; its client_id is printed")
      .argument("<name>", "what people see as its name")
      .argument("<redirect...>", "the addresses that its answers may go to")
      .option("--secret", "with a secret, which is printed once"),
  ["wharf admin clients add Example https://client.example/callback --secret --data-dir ./wharf-data"],
  async ({ client, show }, { secret }, name, redirect_uris) => {
    const body = { name, redirect_uris, ...(secret && { with_secret: true }) };
    const added = await orThrow(client.post("/api/admin/clients", { body }));
    const { client_id, client_secret } = added;
    show(added, [`client_id: ${client_id}`, ...(client_secret ? [`client_secret: ${client_secret}`] : [])]);
  },
);

const endCommand = reasonedCommand(
  () =>
    new Command("end")
      .description("end all grants to a program, and forget its registration")
      .argument("<client-id>", "its client_id"),
  [
    "wharf admin clients end 01a20357-1767-72ea-8d8d-159e0a49e5d8 --reason 'it floods rooms' --data-dir ./wharf-data",
  ],
  async ({ client, show }, { reason }, client_id) => {
    const ended = await orThrow(client.post("/api/admin/clients/end", { body: { client_id, reason } }));
    const { registered, grants } = ended.found;
    show(ended, [
      `Found: the program ${client_id}, ${registered ? "registered or added" : "described by its document"}, ${grantsText(grants)}.`,
      "The program is ended.",
    ]);
  },
);

export function clientsCommand(terminal: Terminal): Command {
  const clients = new Command("clients")
    .description("list the programs that sign in by OAuth, add one, or end one")
    .addCommand(listCommand(terminal), { isDefault: true })
    .addCommand(addCommand(terminal))
    .addCommand(endCommand(terminal));
  return withExamples(clients, "wharf admin clients --data-dir ./wharf-data");
}
