/** `wharf name`: claims a name, and looks after its key, which is saved. */

import { Argument, Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { UsageError } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { defined, nameIn, textIn } from "./arguments.ts";
import { nameExportCommand } from "./name_export.ts";
import { nameGrantsCommand } from "./name_grants.ts";
import { minuteOf, nameShown, quoted } from "./texts.ts";
import { client_group, keyedCommand, shellCommand, type ShellContext } from "./shell_command.ts";

const leaving = `
To leave: "wharf name export --out FILE" saves everything of the name, "wharf name revoke" ends its key, and the directory
wharf in $XDG_CONFIG_HOME (~/.config) has all that these commands have saved. docs/operating.md says more under "Uninstall".`;

/** An answer that has a new key. */
type NewKey = Schemas["Claimed"] | Schemas["Rotated"] | Schemas["Recovered"];

/** Gets a new key and saves it. A name that was claimed or recovered speaks from now on. Shows the answer: its secrets only to a program. */
async function saveKeyOf(
  shell: ShellContext,
  call: () => Promise<NewKey>,
  lineOf: (name: string) => string,
): Promise<void> {
  // Throws before there is a key that it cannot save.
  shell.save(() => {});
  const answer = await call();
  const { name, key } = answer;
  const recovery = "recovery_code" in answer ? answer.recovery_code : null;
  shell.save((instance) => {
    instance.names[name] = { ...instance.names[name], ...(key && { key }), ...(recovery && { recovery }) };
    if (recovery) instance.name = name;
  });
  const mentions = "mentions" in answer ? answer.mentions : undefined;
  shell.show(answer, [lineOf(name), ...(mentions ? mentionsLines(mentions) : [])]);
}

/** Posts from before a claim that mention the name, each with its excerpt. */
const mentionsLines = (mentions: Schemas["EarlierMention"][]): string[] => [
  "It was mentioned before:",
  ...mentions.flatMap(({ room, n, at, by, claimed, excerpt }) => [
    `${room} #${n}  ${minuteOf(at)}  ${nameShown(by)}${claimed ? " *" : ""}`,
    ...quoted(excerpt),
  ]),
];

const claimCommand = shellCommand(
  () =>
    new Command("claim")
      .description("claim a name; its key and its recovery code are saved")
      .argument("<name>", "1 to 64 letters, digits, spaces, dots, dashes and underscores")
      .option("--invite <code>", "an invite, where the operator gives names by invite"),
  ["wharf name claim ada"],
  (shell, { invite }: { invite?: string }, given: string) =>
    saveKeyOf(
      shell,
      () =>
        orThrow(shell.anybody.post("/api/name", { body: { name: nameIn(given), ...defined({ invite }) } })),
      (claimed) => `${nameShown(claimed)} is yours at ${shell.url}. Its key is saved.`,
    ),
);

const whoAmICommand = keyedCommand(
  () => new Command("whoami").description("check the key of the claimed name"),
  ["wharf name whoami", "wharf name whoami --as ada"],
  async (shell) => {
    const found = await orThrow(shell.client.post("/api/name/whoami"));
    shell.show(found, `${nameShown(found.name)} at ${shell.url}`);
  },
);

const rotateCommand = keyedCommand(
  () => new Command("rotate").description("get a new key; the old one stops at once"),
  ["wharf name rotate --as ada"],
  (shell) =>
    saveKeyOf(
      shell,
      () => orThrow(shell.client.post("/api/name/rotate")),
      (name) => `${name} has a new key, which is saved.`,
    ),
);

const recoverCommand = shellCommand(
  () =>
    new Command("recover")
      .description("get a new key and a new recovery code with the saved recovery code")
      .argument("<name>", "the claimed name")
      .option("--code <code>", "the recovery code; - reads it from standard input"),
  ["wharf name recover ada"],
  async (shell, { code }: { code?: string }, given: string) => {
    const name = nameIn(given);
    const recovery_code = code === undefined ? shell.saved.names[name]?.recovery : await textIn(code);
    if (recovery_code === undefined) {
      throw new UsageError(`no recovery code of ${name} is saved. Give it with --code.`);
    }
    await saveKeyOf(
      shell,
      () => orThrow(shell.anybody.post("/api/name/recover", { body: { name, recovery_code } })),
      (recovered) => `${recovered} has a new key and a new recovery code, which are saved.`,
    );
  },
);

const revokeCommand = shellCommand(
  () =>
    new Command("revoke")
      .description("disable a key that has become known: a leaked one, or that of the name")
      .argument("[key]", "- reads it from standard input; left out: the key of the name"),
  ["wharf name revoke --as ada"],
  async (shell, _options: object, given?: string) => {
    const key = given === undefined ? shell.key : await textIn(given);
    if (key === undefined) throw new UsageError("no key is saved. Give the one to revoke.");
    const revoked = await orThrow(shell.anybody.post("/api/name/revoke", { body: { key } }));
    shell.save(({ names }) => {
      if (names[revoked.name]?.key === key) delete names[revoked.name]!.key;
    });
    shell.show(revoked, `The key of ${revoked.name} is revoked. 'wharf name recover' gets a new one.`);
  },
);

/** The settings of a name, and the values that each has. */
const settings = { delivery: ["on", "off"] };

const setCommand = keyedCommand(
  () =>
    new Command("set")
      .description("delivery: whether authors see what became of their posts to the name")
      .addArgument(new Argument("<setting>", "what is set").choices(Object.keys(settings)))
      .addArgument(new Argument("<value>", "on or off").choices(settings.delivery)),
  ["wharf name set delivery off", "wharf name set delivery on --as ada"],
  async (shell, _options: object, _setting: string, value: string) => {
    const body = { shown: value === "on" };
    const set = await orThrow(shell.client.put("/api/mailbox/delivery", { body }));
    shell.show(
      set,
      set.shown
        ? "Authors see whether the name has got, read and answered their posts to it."
        : "Authors see whether the name has answered their posts to it, and nothing more.",
    );
  },
);

export function nameCommand(terminal: Terminal): Command {
  const name = new Command("name")
    .description("claim a name, and look after its key")
    .helpGroup(client_group);
  const commands = [claimCommand, whoAmICommand, setCommand, rotateCommand, recoverCommand, revokeCommand];
  for (const create of [...commands, nameGrantsCommand, nameExportCommand]) name.addCommand(create(terminal));
  return withExamples(name.addHelpText("after", leaving), "wharf name claim ada");
}
