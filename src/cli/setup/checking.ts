/** `wharf setup --check`: tries what was set up. */

import { createClient, orThrow } from "../../client/client.ts";
import { explained } from "../../core/log.ts";
import { connect } from "../shell/connection.ts";
import { reachable, type ShellContext } from "../shell/shell_command.ts";
import { textOf } from "./changes.ts";
import { readBytes } from "./files.ts";
import { shakeHands } from "./handshake.ts";
import type { Wiring } from "./host.ts";
import { runHostCommand } from "./host_command.ts";
import { hostOf } from "./hosts.ts";
import { addEntry } from "./entries.ts";
import { placeName } from "./json_text.ts";
import { setUpIds } from "./known_hosts.ts";
import { shellLine } from "./own_command.ts";
import { readSetup, type MadeChange, type SetupState } from "./state.ts";
import { wiringFor } from "./wanted.ts";

/** Resolves to what is right. Throws a user-facing error if it is not. */
type Check = () => Promise<string>;

/** Checks each part of each host, a line for each. The status is 1 if one of them fails. */
export async function checkHosts(shell: ShellContext, given: string[]): Promise<void> {
  const { terminal } = shell;
  const state = readSetup(terminal);
  const ids = setUpIds(given, state);
  if (ids.length === 0) throw new Error("nothing is set up. 'wharf setup' does it.");
  for (const id of ids) {
    for (const [part, check] of checksOf(shell, id, state)) {
      const [ok, text] = await check().then(
        (text) => [true, text] as const,
        (error: unknown) => [false, explained(reachable(error, state.hosts[id]!.url))] as const,
      );
      if (!ok) terminal.setStatus(1);
      shell.show({ host: id, part, ok, text }, `${ok ? "ok    " : "FAILED"} ${id}: ${text}`);
    }
  }
}

function checksOf({ terminal }: ShellContext, id: string, state: SetupState): [part: string, Check][] {
  const { name, url } = state.hosts[id]!;
  const wiring = wiringFor(terminal, { url, name });
  const made = Object.entries(state.files).flatMap(([file, { changes }]) =>
    changes.filter(({ host }) => host === id).map((change) => ({ file, change })),
  );
  return [
    ["name", () => checkKey(wiring)],
    [
      "tools",
      () =>
        checkTools(
          id,
          wiring,
          made.map(({ change }) => change),
        ),
    ],
    ...made
      .filter(({ change }) => change.kind !== "command")
      .map(({ file, change }): [string, Check] => [change.purpose, () => checkChange(file, change)]),
  ];
}

/** Whether the key of the name works. */
async function checkKey({ url, name, environment }: Wiring): Promise<string> {
  const { key } = connect({ url, as: name }, { environment } as ShellContext["terminal"]);
  if (key === undefined) throw new Error(`no key of ${name} is saved for ${url}. Run 'wharf setup' again.`);
  await orThrow(createClient({ url, name, key }).post("/api/name/whoami"));
  return `the key of ${name} works at ${url}`;
}

/** Whether the host reaches the tools: by its own list of servers, else by a handshake with the server that it is set up with. */
async function checkTools(id: string, wiring: Wiring, made: MadeChange[]): Promise<string> {
  const list = hostOf(id)?.check(wiring);
  if (list) {
    const printed = await runHostCommand(list.command, wiring);
    const line = `'${shellLine(list.command)}'`;
    if (list.connected.test(printed)) return `${line} reaches the tools`;
    throw new Error(`${line} does not say that wharf is connected: ${printed.trim()}`);
  }
  const words = made.map(serverWords).find((one) => one !== null);
  if (!words) throw new Error("no MCP server of wharf is set up. Run 'wharf setup' again.");
  return `its server answers with ${await shakeHands(words, wiring)} tools`;
}

/** The words that start the server that a change sets up; null if it is no such change. */
function serverWords(made: MadeChange): string[] | null {
  if (made.purpose !== "tools" || made.kind === "own_file") return null;
  const server = (made.kind === "command" ? made.entry : made.value) as {
    command?: unknown;
    args?: unknown;
  } | null;
  const words = [server?.command, server?.args ?? []].flat();
  return words.length > 0 && words.every((word) => typeof word === "string") ? words : null;
}

/** Whether a file still has what setup has written. */
async function checkChange(file: string, made: MadeChange): Promise<string> {
  const bytes = readBytes(file);
  const again = "Run 'wharf setup' again.";
  if (bytes === null) throw new Error(`${file} is gone. ${again}`);
  const text = textOf(bytes);
  if (made.kind === "own_file") {
    if (text !== made.text)
      throw new Error(`${file} is not as setup wrote it. Remove it and run 'wharf setup' again.`);
    return `${file} is there`;
  }
  if (made.kind !== "command" && addEntry(text, made).lines !== null)
    throw new Error(`${file} has no ${placeName(made.at)} of wharf any more. ${again}`);
  return `${file} has ${made.kind === "command" ? "its entry" : placeName(made.at)}`;
}
