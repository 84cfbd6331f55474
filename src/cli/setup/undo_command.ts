/** `wharf setup --undo`. */

import type { ShellContext } from "../shell/shell_command.ts";
import type { SetupHost, Wiring } from "./host.ts";
import { hostOf } from "./hosts.ts";
import { setUpIds } from "./known_hosts.ts";
import { shellLine } from "./own_command.ts";
import { targetOf } from "./files.ts";
import { lockSetup, readSetup, saveSetup } from "./state.ts";
import { undoHost } from "./undoing.ts";
import { isEnabled, serviceCommands, wiringFor } from "./wanted.ts";

export async function undoHosts(shell: ShellContext, given: string[]): Promise<void> {
  const { terminal } = shell;
  const ids = setUpIds(given, readSetup(terminal));
  if (ids.length === 0) return shell.note("nothing is set up.");
  const unlock = await lockSetup(shell);
  try {
    for (const id of ids) await undoOne(shell, id);
  } finally {
    unlock();
  }
}

async function undoOne(shell: ShellContext, id: string): Promise<void> {
  const { terminal } = shell;
  const state = readSetup(terminal);
  const { name, url, folder } = state.hosts[id]!;
  const host = hostOf(id);
  const wiring = wiringFor(terminal, { url, name });
  if (host && folder !== undefined && isEnabled(host, wiring)) return refuse(shell, host, wiring);
  const commands = (host?.changes(wiring) ?? []).filter((change) => change.kind === "command");
  const undone = await undoHost({
    ...{ host: id, wiring, state },
    save: () => saveSetup(terminal, state),
    commandOf: (file) => commands.find((change) => targetOf(change.file) === file),
  });
  const failed = undone.filter(({ result }) => result === "failed");
  if (failed.length > 0) terminal.setStatus(1);
  const revoke = shellLine(["wharf", "name", "revoke", "--as", name, "--url", url]);
  shell.show({ host: id, name, url, files: undone }, [
    `${host?.title ?? id}:`,
    ...undone.map(({ text }) => `  ${text}`),
    failed.length > 0
      ? `  Not everything is taken back. 'wharf setup --undo ${id}' tries it again.`
      : `  The name ${name} stays, with its key. To end the key: ${revoke}`,
  ]);
}

/** A unit that is removed while it is enabled runs on, and cannot be disabled any more. */
function refuse(shell: ShellContext, host: SetupHost, wiring: Wiring): void {
  const { disable } = serviceCommands(host, wiring);
  const text = `Its service is enabled. End it first: ${disable}`;
  shell.terminal.setStatus(1);
  shell.show({ host: host.id, failed: text }, [`${host.title}:`, `  ${text}`]);
}
