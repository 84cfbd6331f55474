/** `wharf setup`: plans, asks, claims the names and makes the changes. */

import { orThrow } from "../../client/client.ts";
import { explained } from "../../core/log.ts";
import { UsageError } from "../../core/settings.ts";
import type { ShellContext } from "../shell/shell_command.ts";
import { applyFile } from "./applying.ts";
import type { SetupHost } from "./host.ts";
import { homeOf, hostsFor } from "./known_hosts.ts";
import { chooseName, claimName } from "./names.ts";
import { ownCommand } from "./own_command.ts";
import { planHost } from "./planning.ts";
import { planLines, planObject, type NamedPlan } from "./plan_text.ts";
import { lockSetup, readSetup, saveSetup, type SetupState } from "./state.ts";

export interface SetupOptions {
  name?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** A host that cannot be set up, and why. The others are. */
interface Refused {
  host: SetupHost;
  reason: string;
}

export async function setUp(shell: ShellContext, ids: string[], options: SetupOptions): Promise<void> {
  const { terminal, is_json } = shell;
  const hosts = hostsFor(ids, terminal);
  if (options.name !== undefined && hosts.length > 1)
    throw new UsageError(`--name is for one host. Name it: ${hosts.map(({ id }) => id).join(" or ")}.`);
  const skill = await skillOf(shell);
  const state = readSetup(terminal);
  const plans: NamedPlan[] = [];
  const refused: Refused[] = [];
  for (const host of hosts) {
    const plan = await planned(shell, host, state, skill, options.name);
    if ("reason" in plan) refused.push(plan);
    else plans.push(plan);
  }
  for (const plan of plans) shell.show({ plan: planObject(plan) }, planLines(plan));
  for (const { host, reason } of refused) {
    if (is_json) shell.show({ host: host.id, refused: reason }, []);
    else shell.note(`${host.title} is not set up: ${reason}`);
  }
  if (refused.length > 0) terminal.setStatus(1);
  const needed = plans.filter(({ files, chosen }) => files.length > 0 || chosen.is_new);
  if (options.dryRun || needed.length === 0) return;
  if (!options.yes && !(await isConfirmed(shell))) return shell.note("nothing was changed.");
  await makeAll(shell, needed, skill);
}

/** The text of the service's skill. Throws if that is no service of ours. */
async function skillOf({ anybody, url }: ShellContext): Promise<string> {
  const text = await orThrow(anybody.get("/SKILL.md", { as: "text" }));
  if (text.startsWith("---\nname: wharf\n")) return text;
  throw new Error(`${url}/SKILL.md is no skill of wharf. Check the address.`);
}

async function planned(
  shell: ShellContext,
  host: SetupHost,
  state: SetupState,
  skill: string,
  given: string | undefined,
): Promise<NamedPlan | Refused> {
  const { terminal, url } = shell;
  const { environment } = terminal;
  const chosen = await chooseName(shell, terminal, host.id, state, given);
  const wiring = {
    wharf: ownCommand(terminal),
    url,
    name: chosen.name,
    home: homeOf(terminal),
    environment,
    skill,
  };
  try {
    return { ...planHost(host, wiring, host.changes(wiring), state), chosen };
  } catch (error) {
    return { host, reason: explained(error) };
  }
}

/** Asks at a terminal. Throws a `UsageError` if there is none. */
async function isConfirmed({ terminal, is_json }: ShellContext): Promise<boolean> {
  const answer = is_json ? null : await terminal.ask("Make these changes? [y/N] ");
  if (answer === null)
    throw new UsageError(
      "there is no terminal to ask at. --yes makes the changes, and --dry-run shows them.",
    );
  return /^y(?:es)?$/i.test(answer.trim());
}

async function makeAll(shell: ShellContext, plans: NamedPlan[], skill: string): Promise<void> {
  const unlock = lockSetup(shell.terminal);
  try {
    for (const plan of plans) await makeOne(shell, plan, skill);
  } finally {
    unlock();
  }
}

/** Makes the changes of a host. They are planned again: its files may have changed since. */
async function makeOne(shell: ShellContext, { host, chosen }: NamedPlan, skill: string): Promise<void> {
  const { terminal, url } = shell;
  const state = readSetup(terminal);
  const plan = await planned(shell, host, state, skill, chosen.name);
  const file_texts: string[] = [];
  try {
    if ("reason" in plan) throw new Error(plan.reason);
    const { name } = plan.wiring;
    if (plan.chosen.is_new) await claimName(shell, name);
    const save = () => saveSetup(terminal, state);
    state.hosts[host.id] = { name, url };
    save();
    for (const file of plan.files) {
      await applyFile(file, { host: host.id, wiring: plan.wiring, state, save });
      file_texts.push(file.named);
    }
    shell.show({ host: host.id, name, url, changed: file_texts, remarks: host.remarks }, [
      `${host.title} is set up as ${name}. Restart it.`,
      ...host.remarks.map((remark) => `  ${remark}`),
      `  Check it: wharf setup --check ${host.id}`,
    ]);
  } catch (error) {
    terminal.setStatus(1);
    const reason = explained(error);
    if (shell.is_json) shell.show({ host: host.id, failed: reason, changed: file_texts }, []);
    else
      shell.note(
        `${host.title} is not set up: ${reason} 'wharf setup ${host.id}' continues, 'wharf setup --undo ${host.id}' takes it back.`,
      );
  }
}
