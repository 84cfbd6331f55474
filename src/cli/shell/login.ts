/** `wharf login`: saves which service the commands call, who speaks, and the key of a name that exists already. */

import { Command } from "commander";
import { createClient, orThrow } from "../../client/client.ts";
import { defined, textIn } from "./arguments.ts";
import { shellCommand } from "./shell_command.ts";

export const loginCommand = shellCommand(
  () =>
    new Command("login")
      .description(
        "save the service that commands call, and the name that speaks, with its key if it is claimed",
      )
      .option("--key <key>", "the key of a claimed name; - reads it from standard input (or WHARF_KEY)"),
  ["wharf login --url http://127.0.0.1:4273"],
  async (shell, { as, key: given }: { as?: string; key?: string }) => {
    const { url } = shell;
    const key = given === undefined ? shell.key : await textIn(given);
    // The service finds the name of a key, and refuses one that is not that of the name.
    const client = createClient({ url, ...defined({ name: as, key }) });
    const claimed = key === undefined ? undefined : (await orThrow(client.post("/api/name/whoami"))).name;
    if (claimed === undefined) await orThrow(client.get("/api/beacon"));
    const name = claimed ?? shell.name;
    shell.save((instance, credentials) => {
      credentials.url = url;
      if (name !== undefined) instance.name = name;
      if (claimed !== undefined) instance.names[claimed] = { ...instance.names[claimed], key: key! };
    });
    shell.show(
      { url, name, claimed: claimed !== undefined },
      `Commands call ${url}${name === undefined ? "" : ` as ${name}`} from now on.`,
    );
  },
);
