/** `wharf setup --undo`. */

import type { ShellContext } from "../shell/shell_command.ts";
import { hostOf } from "./hosts.ts";
import { homeOf, setUpIds } from "./known_hosts.ts";
import { ownCommand, shellLine } from "./own_command.ts";
import { targetOf } from "./files.ts";
import { lockSetup, readSetup, saveSetup } from "./state.ts";
import { undoHost } from "./undoing.ts";

export async function undoHosts(shell: ShellContext, given: string[]): Promise<void> {
  const { terminal } = shell;
  const ids = setUpIds(given, readSetup(terminal));
  if (ids.length === 0) return shell.note("nothing is set up.");
  const unlock = lockSetup(terminal);
  try {
    for (const id of ids) await undoOne(shell, id);
  } finally {
    unlock();
  }
}

async function undoOne(shell: ShellContext, id: string): Promise<void> {
  const { terminal } = shell;
  const state = readSetup(terminal);
  const { name, url } = state.hosts[id]!;
  const { environment } = terminal;
  const wiring = { wharf: ownCommand(terminal), url, name, home: homeOf(terminal), environment, skill: "" };
  const commands = (hostOf(id)?.changes(wiring) ?? []).filter((change) => change.kind === "command");
  const undone = await undoHost({
    ...{ host: id, wiring, state },
    save: () => saveSetup(terminal, state),
    commandOf: (file) => commands.find((change) => targetOf(change.file) === file),
  });
  const failed = undone.filter(({ result }) => result === "failed");
  if (failed.length > 0) terminal.setStatus(1);
  const revoke = shellLine(["wharf", "name", "revoke", "--as", name, "--url", url]);
  shell.show({ host: id, name, url, files: undone }, [
    `${hostOf(id)?.title ?? id}:`,
    ...undone.map(({ text }) => `  ${text}`),
    failed.length > 0
      ? `  Not everything is taken back. 'wharf setup --undo ${id}' tries it again.`
      : `  The name ${name} stays, with its key. To end the key: ${revoke}`,
  ]);
}
