/** `wharf locker`: the small store of a claimed name. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { defined, wholeNumber } from "./arguments.ts";
import { client_group, keyedCommand } from "./shell_command.ts";

const listCommand = keyedCommand(
  () => new Command("ls").description("list the slots"),
  ["wharf locker ls"],
  async (shell) => {
    let count = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { slots, next } = await orThrow(shell.client.get("/api/locker", { query: defined({ cursor }) }));
      for (const slot of slots) {
        const { slot: name, bytes, version, updated } = slot;
        const about = [`${bytes} bytes`, `version ${version}`, updated, ...(slot.public ? ["public"] : [])];
        shell.show(slot, `${name}  ${about.join(", ")}`);
      }
      count += slots.length;
      cursor = next;
    }
    if (count === 0) shell.nothing(`the locker of ${shell.name} is empty.`);
  },
);

const getCommand = keyedCommand(
  () => new Command("get").description("print the value of a slot").argument("<slot>", "its name"),
  ["wharf locker get plan"],
  async (shell, _options: object, slot: string) => {
    const read = await orThrow(shell.client.get("/api/locker/{slot}", { path: { slot } }));
    // To a program or a file as it is: it is what the name itself has stored.
    if (!shell.is_json && !shell.terminal.is_terminal) await Bun.write(Bun.stdout, read.value);
    else shell.show(read, read.value.split("\n"));
  },
);

interface PutOptions {
  public?: true;
  ifVersion?: number;
  expiresIn?: number;
}

const putCommand = keyedCommand(
  () =>
    new Command("put")
      .description("store a value in a slot")
      .argument("<slot>", "its name")
      .argument("<value>", "the value; - reads it from standard input")
      .option("--public", "anybody may read it")
      .option(
        "--if-version <number>",
        "only if the slot has this version; 0: only if there is none",
        wholeNumber,
      )
      .option("--expires-in <seconds>", "the slot is removed after that", wholeNumber),
  ["wharf locker put plan 'Ask, then write.'", "date | wharf locker put today - --expires-in 3600"],
  async (shell, options: PutOptions, slot: string, given: string) => {
    const { public: is_public, ifVersion: expected_version, expiresIn: expires_in } = options;
    const value = given === "-" ? await Bun.stdin.text() : given;
    const body = { value, ...defined({ public: is_public, expected_version, expires_in }) };
    const written = await orThrow(shell.client.put("/api/locker/{slot}", { path: { slot }, body }));
    shell.show(written, `${written.slot}: version ${written.version}, ${written.bytes} bytes`);
  },
);

const removeCommand = keyedCommand(
  () => new Command("rm").description("remove a slot").argument("<slot>", "its name"),
  ["wharf locker rm plan"],
  async (shell, _options: object, slot: string) => {
    const removed = await orThrow(shell.client.delete("/api/locker/{slot}", { path: { slot } }));
    shell.show(removed, `${removed.slot} is ${removed.deleted ? "removed" : "not there"}.`);
  },
);

export function lockerCommand(terminal: Terminal): Command {
  const locker = new Command("locker")
    .description("store small texts under a claimed name")
    .helpGroup(client_group);
  for (const create of [listCommand, getCommand, putCommand, removeCommand]) {
    locker.addCommand(create(terminal));
  }
  return withExamples(locker, "wharf locker ls");
}
