/** `wharf setup`: plans, asks, claims the names and makes the changes. */

import { resolve } from "node:path";
import { orThrow, WharfProblem } from "../../client/client.ts";
import { explained } from "../../core/log.ts";
import { UsageError } from "../../core/settings.ts";
import { problemText } from "../problem_text.ts";
import type { ShellContext } from "../shell/shell_command.ts";
import { applyFile, makeFolder } from "./applying.ts";
import type { SetupHost } from "./host.ts";
import { hostsFor } from "./known_hosts.ts";
import { chooseName, claimName } from "./names.ts";
import { planHost } from "./planning.ts";
import { planLines, planObject, type NamedPlan } from "./plan_text.ts";
import { serviceFolder } from "./service.ts";
import { lockSetup, readSetup, saveSetup, type SetupState } from "./state.ts";
import { serviceCommands, wantedChanges, wiringFor } from "./wanted.ts";

export interface SetupOptions {
  name?: string;
  dryRun?: boolean;
  yes?: boolean;
  service?: boolean;
  folder?: string;
}

/** What the plans of all hosts share. */
interface Wanted extends SetupOptions {
  state: SetupState;
  skill: string;
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
  if (options.service && ids.length === 0)
    throw new UsageError(`--service needs its host: ${hosts.map(({ id }) => id).join(" or ")}.`);
  if (options.folder !== undefined && !options.service) throw new UsageError("--folder is for --service.");
  const skill = await skillOf(shell);
  const state = readSetup(terminal);
  const wanted = { ...options, state, skill };
  const plans: NamedPlan[] = [];
  const refused: Refused[] = [];
  for (const host of hosts) {
    const plan = await planned(shell, host, wanted);
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
  await makeAll(shell, needed, wanted);
}

/** The text of the service's skill. Throws if that is no service of ours. */
async function skillOf({ anybody, url }: ShellContext): Promise<string> {
  const text = await orThrow(anybody.get("/SKILL.md", { as: "text" }));
  if (text.startsWith("---\nname: wharf\n")) return text;
  throw new Error(`${url}/SKILL.md is no skill of wharf. Check the address.`);
}

async function planned(shell: ShellContext, host: SetupHost, wanted: Wanted): Promise<NamedPlan | Refused> {
  const { terminal, url } = shell;
  const { state, skill, name, service } = wanted;
  const chosen = await chooseName(shell, terminal, host.id, state, name);
  const wiring = wiringFor(terminal, { url, name: chosen.name }, skill);
  try {
    if (service && host.start === null)
      throw new Error("it cannot be started without a terminal, so it gets no service.");
    const folder = service ? resolve(wanted.folder ?? serviceFolder(wiring, host)) : undefined;
    const changes = wantedChanges(host, wiring, state, folder);
    return { ...planHost(host, wiring, changes, state), chosen, ...(folder !== undefined && { folder }) };
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

async function makeAll(shell: ShellContext, plans: NamedPlan[], wanted: Wanted): Promise<void> {
  const unlock = await lockSetup(shell);
  try {
    for (const plan of plans) await makeOne(shell, plan, wanted);
  } finally {
    unlock();
  }
}

/** Makes the changes of a host. They are planned again: its files may have changed since. */
async function makeOne(shell: ShellContext, { host, chosen }: NamedPlan, wanted: Wanted): Promise<void> {
  const { terminal, url } = shell;
  const state = readSetup(terminal);
  const changed: string[] = [];
  try {
    const plan = await planned(shell, host, { ...wanted, state, name: chosen.name });
    if ("reason" in plan) throw new Error(plan.reason);
    const { wiring, folder = state.hosts[host.id]?.folder } = plan;
    const { name } = wiring;
    if (plan.chosen.is_new) await claimName(shell, name);
    const save = () => saveSetup(terminal, state);
    state.hosts[host.id] = { name, url, ...(folder !== undefined && { folder }) };
    if (folder !== undefined) makeFolder(folder, state);
    save();
    for (const file of plan.files) {
      await applyFile(file, { host: host.id, wiring, state, save });
      changed.push(file.named);
    }
    const enable = folder === undefined ? undefined : serviceCommands(host, wiring).enable;
    shell.show({ host: host.id, name, url, changed, remarks: host.remarks, ...(enable && { enable }) }, [
      `${host.title} is set up as ${name}. Restart it.`,
      ...host.remarks.map((remark) => `  ${remark}`),
      ...(enable === undefined ? [] : [`  Start its service, now and at every login: ${enable}`]),
      `  Check it: wharf setup --check ${host.id}`,
      ...(host.start === null ? [] : [`  Try whether it is reached: wharf wake test ${host.id}`]),
    ]);
  } catch (error) {
    terminal.setStatus(1);
    const reason = error instanceof WharfProblem ? await refusalOf(error) : explained(error);
    if (shell.is_json) shell.show({ host: host.id, failed: reason, changed }, []);
    else
      shell.note(
        `${host.title} is not set up: ${reason} 'wharf setup ${host.id}' continues, 'wharf setup --undo ${host.id}' takes it back.`,
      );
  }
}

/** Why the service gives no name, and what to do. */
const refusalOf = async ({ problem }: WharfProblem): Promise<string> =>
  `${await problemText(problem)} (${problem.code}) A name that you have claimed is used by --name NAME.`;
