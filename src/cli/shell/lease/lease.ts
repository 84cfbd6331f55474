/** `wharf lease`: leases of files and other things in a room. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../../client/client.ts";
import { UsageError } from "../../../core/settings.ts";
import { withExamples, type Terminal } from "../../terminal.ts";
import { wholeNumber } from "../arguments.ts";
import { client_group } from "../shell_command.ts";
import { quoted } from "../texts.ts";
import { lease_limits } from "../../../api/limits.ts";
import { guardCommand } from "./guard_command.ts";
import { leasePaths } from "./lease_paths.ts";
import { leasesIn, ownParts } from "./own_leases.ts";
import { roomCommand, type RoomOptions } from "./room_command.ts";
import { runCommand } from "./run.ts";
import { takeLease, withTakeOptions, type TakeOptions } from "./taking.ts";

/** A lease that is held now. */
const heldLines = ({ fence, until, paths }: Schemas["TakenLease"]): string[] => [
  `lease ${fence}, until ${until}:`,
  ...paths.flatMap(quoted),
];

const takeCommand = roomCommand(
  () =>
    withTakeOptions(
      new Command("take")
        .description("hold paths, all or none, each with what lies below it")
        .argument("<paths...>", "files and folders, or other things such as issue/12"),
    ),
  [
    "wharf lease take src/auth/login.ts --room our-team --purpose 'Refactoring the login'",
    "wharf lease take issue/12 port/3000 --room our-team --ttl 3600 --wait 600",
  ],
  async (shell, { room, tree }, options: RoomOptions & TakeOptions, given: string[]) => {
    const taken = await takeLease(shell, room, leasePaths(given, tree), options);
    shell.show(taken, heldLines(taken));
  },
);

const extendCommand = roomCommand(
  () =>
    new Command("extend")
      .description("hold a lease for longer")
      .argument("<fence>", "the number of the lease", wholeNumber)
      .option("--ttl <seconds>", "how long from now on", wholeNumber, lease_limits.lease_seconds_default),
  ["wharf lease extend 1 --room our-team --ttl 3600"],
  async (shell, { room }, { ttl: ttl_seconds }: RoomOptions & { ttl: number }, fence: number) => {
    const call = { path: { room }, body: { fence, ttl_seconds } };
    const extended = await orThrow(shell.client.post("/api/meet/rooms/{room}/leases/extend", call));
    shell.show(extended, heldLines(extended));
  },
);

const releaseCommand = roomCommand(
  () =>
    new Command("release")
      .description("give a lease back, or paths of it")
      .argument("[fence]", "the number of the lease; left out: your leases on the paths")
      .argument("[paths...]", "what to give back; left out: all of the lease"),
  ["wharf lease release 1 --room our-team", "wharf lease release issue/12 --room our-team"],
  async (shell, { room, tree }, _options: RoomOptions, first?: string, rest: string[] = []) => {
    if (first === undefined) throw new UsageError("name the lease by its number, or its paths.");
    const has_fence = /^\d{1,15}$/.test(first);
    const paths = leasePaths(has_fence ? rest : [first, ...rest], tree);
    const parts = has_fence
      ? [{ fence: Number(first), ...(paths.length > 0 && { paths }) }]
      : await ownParts(shell, room, paths);
    for (const body of parts) {
      const call = { path: { room }, body };
      const released = await orThrow(shell.client.post("/api/meet/rooms/{room}/leases/release", call));
      shell.show(released, ["released:", ...released.released.flatMap(quoted)]);
    }
  },
);

const listCommand = roomCommand(
  () =>
    new Command("list")
      .description("list who holds what, and who waits")
      .argument("[path]", "only leases on this path, below it, or above it"),
  ["wharf lease list --room our-team", "wharf lease list src --room our-team --json"],
  async (shell, { room, tree }, _options: RoomOptions, given?: string) => {
    const [prefix] = given === undefined ? [] : leasePaths([given], tree);
    const { leases, in_line } = await leasesIn(shell, room, prefix);
    for (const lease of leases) shell.show(lease, leaseLines(lease));
    for (const place of in_line)
      shell.show(place, [`${place.name} waits for:`, ...place.paths.flatMap(quoted)]);
    if (leases.length + in_line.length === 0) shell.nothing(`nothing is held in ${room}.`);
  },
  true,
);

/** A lease of a list: its holder, and its number if it is one's own, then its paths and its purpose. */
const leaseLines = ({ holder, fence, until, paths, purpose }: Schemas["ListedLease"]): string[] => [
  `${holder}${fence === undefined ? "" : `, lease ${fence}`}, until ${until}:`,
  ...paths.flatMap(quoted),
  ...(purpose === undefined ? [] : ["  for:", ...quoted(purpose)]),
];

export function leaseCommand(terminal: Terminal): Command {
  const lease = new Command("lease")
    .description("hold files and other things, so that nobody else changes them")
    .helpGroup(client_group);
  for (const create of [takeCommand, extendCommand, releaseCommand, listCommand, runCommand, guardCommand])
    lease.addCommand(create(terminal));
  return withExamples(lease, "wharf lease list --room our-team");
}
