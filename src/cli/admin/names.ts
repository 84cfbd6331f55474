/** `wharf admin ban` and `unban`, of a network or a name; `reserve`, `unreserve` and `release`, of a name. */

import { Command } from "commander";
import { networkIn } from "../../bans/networks.ts";
import type { Ban } from "../../bans/schema.ts";
import { isoTime, parseTime, systemClock } from "../../core/clock.ts";
import { duration } from "../../core/setting_values.ts";
import { UsageError } from "../../core/settings.ts";
import type { NameStanding } from "../../names/admin_commands.ts";
import { withExamples } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { adminCommand, type AdminContext } from "./admin_command.ts";

interface Reason {
  reason: string;
}

const why = "why; it is written into the audit log";

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

const nameAction = (
  { call }: AdminContext,
  name: string,
  action: string,
  sent: object,
): Promise<NameStanding> => call("POST", `/api/admin/names/${encodeURIComponent(name)}/${action}`, sent);

const name_actions = {
  reserve: {
    description: "let nobody claim a name, and nobody without its key speak under it",
    said: "is reserved",
  },
  unreserve: { description: "end the reservation of a name", said: "is not reserved any more" },
  release: {
    description: "free a claimed name for others: its keys stop working, its locker and mailbox are erased",
    said: "is released",
  },
};

const target = "an address, a network such as 192.0.2.0/24, or a name; an IPv6 address means its /64";

export const nameCommands = (terminal: Terminal): Command[] => [
  withExamples(
    adminCommand<Reason & { until?: string }>(
      new Command("ban")
        .description("refuse all calls from a network, or suspend a name")
        .argument("<target>", target)
        .option("--until <time>", "when it ends: a time, or a duration such as 12h or 7d; left out: never")
        .requiredOption("--reason <text>", why),
      terminal,
      async (admin, { reason, until }, banned) => {
        const sent = { reason, ...(until !== undefined && { until: endOf(until) }) };
        if (networkIn(banned)) {
          const ban = await admin.call<Ban>("POST", "/api/admin/bans", { ...sent, network: banned });
          return admin.show(ban, `${ban.network} is banned${ending(ban.until)}.`);
        }
        const name = await nameAction(admin, banned, "suspend", sent);
        admin.show(name, `The name ${name.name} is suspended${ending(name.suspended?.until)}.`);
      },
    ),
    "wharf admin ban 192.0.2.0/24 --until 7d --reason 'floods rooms' --data-dir ./wharf-data",
    "wharf admin ban eve --reason 'threats' --data-dir ./wharf-data",
  ),
  withExamples(
    adminCommand<Reason>(
      new Command("unban")
        .description("end the ban of exactly this network, or the suspension of a name")
        .argument("<target>", target)
        .requiredOption("--reason <text>", why),
      terminal,
      async (admin, { reason }, banned) => {
        if (networkIn(banned)) {
          const sent = { network: banned, reason };
          const lifted = await admin.call<{ network: string; lifted: boolean }>(
            "POST",
            "/api/admin/bans/lift",
            sent,
          );
          const said = lifted.lifted ? "is not banned any more" : "was not banned";
          return admin.show(lifted, `${lifted.network} ${said}.`);
        }
        const name = await nameAction(admin, banned, "unsuspend", { reason });
        admin.show(name, `The name ${name.name} is not suspended.`);
      },
    ),
    "wharf admin unban 192.0.2.0/24 --reason 'they wrote to us' --data-dir ./wharf-data",
  ),
  withExamples(
    adminCommand(new Command("bans").description("list the banned networks"), terminal, async (admin) => {
      const answer = await admin.call<{ bans: Ban[] }>("GET", "/api/admin/bans?limit=1000");
      const lines = answer.bans.map(
        ({ network, until, created, reason }) => `${network} since ${created}${ending(until)}: ${reason}`,
      );
      admin.show(answer, lines.length > 0 ? lines : "No network is banned.");
    }),
    "wharf admin bans --data-dir ./wharf-data",
  ),
  ...Object.entries(name_actions).map(([action, { description, said }]) =>
    withExamples(
      adminCommand<Reason>(
        new Command(action)
          .description(description)
          .argument("<name>", "the name, in any spelling of it")
          .requiredOption("--reason <text>", why),
        terminal,
        async (admin, { reason }, given) => {
          const name = await nameAction(admin, given, action, { reason });
          admin.show(name, `The name ${name.name} ${said}.`);
        },
      ),
      `wharf admin ${action} eve --reason 'impersonates a person' --data-dir ./wharf-data`,
    ),
  ),
];
