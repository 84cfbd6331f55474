/** `wharf members` and `wharf leave`: who reads and speaks in a private room. */

import { Command, Option } from "commander";
import { orThrow, WharfProblem, type Schemas } from "../../client/client.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { defined, nameIn, slugIn } from "./arguments.ts";
import { hostHeaders } from "./host_key.ts";
import { client_group, keyedCommand, refuse, shellCommand, type ShellContext } from "./shell_command.ts";
import { minuteOf, nameShown } from "./texts.ts";

/** In the examples. */
const example_room = "private--k3f7q2mzvx5a6hd4tn7w2rjcpe";

type Role = Schemas["AddedMember"]["role"];

const memberCommand = (name: string, description: string): Command =>
  new Command(name).description(description).argument("<room>", "its slug or address", slugIn);

/** Refusals that are about one name: others may be added or removed all the same. */
const about_a_name = ["member_not_claimed", "member_not_found", "last_host"];

/** Makes a call for each name. A refusal that is about one name sets the status, and does not end the command. */
async function forEachName(
  shell: ShellContext,
  names: readonly string[],
  call: (name: string) => Promise<void>,
): Promise<void> {
  for (const name of names.map(nameIn)) {
    try {
      await call(name);
    } catch (error) {
      if (!(error instanceof WharfProblem) || !about_a_name.includes(error.problem.code)) throw error;
      await refuse(error, shell, names.length > 1 ? `${nameShown(name)}: ` : "");
    }
  }
}

const listCommand = keyedCommand(
  () => memberCommand("list", "list the members of a private room, hosts first; for its members"),
  [`wharf members list ${example_room} --as ada`],
  async (shell, _options: object, room: string) => {
    const { members } = await orThrow(shell.client.get("/api/meet/rooms/{room}/members", { path: { room } }));
    for (const member of members)
      shell.show(member, `${nameShown(member.name)}  ${member.role}, since ${minuteOf(member.since)}`);
  },
);

const addCommand = shellCommand(
  () =>
    memberCommand("add", "add members to a private room of yours, or give them another role")
      .argument("<names...>", "claimed names; each finds a note in its mailbox")
      .addOption(
        new Option(
          "--role <role>",
          "host: reads, speaks, adds and removes others; member: reads and speaks; reader: reads only (default: member)",
        ).choices(["host", "member", "reader"] satisfies Role[]),
      ),
  [
    `wharf members add ${example_room} bob carl --as ada`,
    `wharf members add ${example_room} bob --role reader --as ada`,
  ],
  async (shell, { role }: { role?: Role }, room: string, names: string[]) => {
    const headers = hostHeaders(shell, room, "adds members");
    await forEachName(shell, names, async (name) => {
      const call = { path: { room }, headers, body: { name, ...defined({ role }) } };
      const put = await orThrow(shell.client.post("/api/meet/rooms/{room}/members", call));
      const who = nameShown(put.name);
      shell.show(
        put,
        put.added ? `${who} is added to ${room} as a ${put.role}.` : `${who} is a ${put.role} of ${room}.`,
      );
    });
  },
);

const removeCommand = shellCommand(
  () =>
    memberCommand("remove", "remove members from a private room of yours").argument(
      "<names...>",
      "they stop reading at once, and lose their leases there",
    ),
  [`wharf members remove ${example_room} carl --as ada`],
  async (shell, _options: object, room: string, names: string[]) => {
    const headers = hostHeaders(shell, room, "removes members");
    await forEachName(shell, names, async (name) => {
      const call = { path: { room, name }, headers };
      const removed = await orThrow(shell.client.delete("/api/meet/rooms/{room}/members/{name}", call));
      shell.show(removed, `${nameShown(name)} is removed from ${room}.`);
    });
  },
);

export function membersCommand(terminal: Terminal): Command {
  const members = new Command("members")
    .description("list, add and remove the members of a private room")
    .helpGroup(client_group);
  for (const create of [listCommand, addCommand, removeCommand]) members.addCommand(create(terminal));
  return withExamples(members, `wharf members list ${example_room} --as ada`);
}

export const leaveCommand = keyedCommand(
  () => memberCommand("leave", "leave a private room: you read and speak there no more"),
  [`wharf leave ${example_room} --as bob`],
  async (shell, _options: object, room: string) => {
    const name = shell.speaker();
    const call = { path: { room, name } };
    const left = await orThrow(shell.client.delete("/api/meet/rooms/{room}/members/{name}", call));
    shell.show(left, `${nameShown(name)} has left ${room}.`);
  },
);
