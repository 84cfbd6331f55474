/** `wharf admin ban` and `unban`, of a network or a name; `reserve`, `unreserve` and `release`, of a name. */

import { Command } from "commander";
import { looksLikeNetwork } from "../../bans/networks.ts";
import { orThrow, type Client, type Schemas } from "../../client/client.ts";
import { isoTime, parseTime, systemClock } from "../../core/clock.ts";
import { duration } from "../../core/setting_values.ts";
import { UsageError } from "../../core/settings.ts";
import { defined } from "../shell/arguments.ts";
import { adminCommand, reasonedCommand } from "./admin_command.ts";
import { liftedFound, nameFound, networkFound } from "./found.ts";

/** The time that `--until` names: itself, or that long from now. */
function endOf(text: string): string {
  const time = parseTime(text);
  if (time !== null) return time;
  try {
    return isoTime(systemClock.now() + duration(text) * 1000);
  } catch (error) {
    const message = "--until must be a time such as 2026-03-01T12:00:00Z, or a duration such as 12h or 7d.";
    throw new UsageError(message, { cause: error });
  }
}

const ending = (until: string | null | undefined): string => (until ? ` until ${until}` : "");

const name_actions = [
  ["reserve", "let nobody claim a name, and nobody without its key speak under it", "is reserved"],
  ["unreserve", "end the reservation of a name", "is not reserved any more"],
  [
    "release",
    "free a claimed name for others: its keys stop working, its locker and mailbox are erased",
    "is released",
  ],
] as const;

/**
 * Ends the suspension or the reservation of a name. Throws if there was none: the answer is the same, but only an action that changes
 * something has a line in the audit log.
 */
async function endOn(client: Client, action: "unsuspend" | "unreserve", name: string, reason: string) {
  const lines = async () => (await orThrow(client.get("/api/admin/audit"))).lines;
  const last = (await lines())[0]?.seq ?? 0;
  const sent = { path: { name }, body: { reason } };
  const standing = await orThrow(client.post(`/api/admin/names/{name}/${action}`, sent));
  const is_ended = (await lines()).some((line) => line.seq > last && line.action === `name.${action}`);
  if (is_ended) return standing;
  throw new Error(`The name ${standing.name} was not ${action === "unsuspend" ? "suspended" : "reserved"}.`);
}

async function allBans(client: Client): Promise<Schemas["Ban"][]> {
  const bans: Schemas["Ban"][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = defined({ limit: 1000, cursor });
    const page = await orThrow(client.get("/api/admin/bans", { query }));
    bans.push(...page.bans);
    cursor = page.next;
  }
  return bans;
}

const target = "an address, a network such as 192.0.2.0/24, or a name; an IPv6 address means its /64";

export const nameCommands = [
  reasonedCommand<{ until?: string }>(
    () =>
      new Command("ban")
        .description("refuse all calls from a network, or suspend a name")
        .argument("<target>", target)
        .option("--until <time>", "when it ends: a time, or a duration such as 12h or 7d; left out: never"),
    [
      "wharf admin ban 192.0.2.0/24 --until 7d --reason 'floods rooms' --data-dir ./wharf-data",
      "wharf admin ban eve --reason 'threats' --data-dir ./wharf-data",
    ],
    async ({ client, show }, { reason, until }, banned) => {
      const body = { reason, ...(until !== undefined && { until: endOf(until) }) };
      if (looksLikeNetwork(banned)) {
        const ban = await orThrow(client.post("/api/admin/bans", { body: { ...body, network: banned } }));
        return show(ban, [networkFound(ban), `${ban.network} is banned${ending(ban.until)}.`]);
      }
      const sent = { path: { name: banned }, body };
      const name = await orThrow(client.post("/api/admin/names/{name}/suspend", sent));
      const said = `The name ${name.name} is suspended${ending(name.suspended?.until)}.`;
      show(name, [nameFound(name), said]);
    },
  ),
  reasonedCommand(
    () =>
      new Command("unban")
        .description("end the ban of exactly this network, or the suspension of a name")
        .argument("<target>", target),
    ["wharf admin unban 192.0.2.0/24 --reason 'they wrote to us' --data-dir ./wharf-data"],
    async ({ client, show }, { reason }, banned) => {
      if (looksLikeNetwork(banned)) {
        const body = { network: banned, reason };
        const lifted = await orThrow(client.post("/api/admin/bans/lift", { body }));
        if (!lifted.lifted) throw new Error(`${lifted.network} was not banned.`);
        return show(lifted, [liftedFound(lifted), `${lifted.network} is not banned any more.`]);
      }
      const name = await endOn(client, "unsuspend", banned, reason);
      show(name, [nameFound(name), `The name ${name.name} is not suspended.`]);
    },
  ),
  adminCommand(
    () => new Command("bans").description("list the banned networks"),
    ["wharf admin bans --data-dir ./wharf-data"],
    async ({ client, show }) => {
      const bans = await allBans(client);
      const lines = bans.map(
        ({ network, until, created, reason }) => `${network} since ${created}${ending(until)}: ${reason}`,
      );
      show({ bans, next: null }, lines.length > 0 ? lines : "No network is banned.");
    },
  ),
  ...name_actions.map(([action, description, said]) =>
    reasonedCommand(
      () =>
        new Command(action).description(description).argument("<name>", "the name, in any spelling of it"),
      [`wharf admin ${action} eve --reason 'impersonates a person' --data-dir ./wharf-data`],
      async ({ client, show }, { reason }, given) => {
        const sent = { path: { name: given }, body: { reason } };
        const name = await (action === "unreserve"
          ? endOn(client, action, given, reason)
          : orThrow(client.post(`/api/admin/names/{name}/${action}`, sent)));
        show(name, [nameFound(name), `The name ${name.name} ${said}.`]);
      },
    ),
  ),
];
