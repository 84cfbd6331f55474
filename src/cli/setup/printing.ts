/** `wharf setup --print`: what to paste, for any host. */

import { UsageError } from "../../core/settings.ts";
import type { ShellContext } from "../shell/shell_command.ts";
import { withChanges } from "./changes.ts";
import type { Change, SetupHost, Wiring } from "./host.ts";
import { hostNamed } from "./known_hosts.ts";
import { usualName } from "./names.ts";
import { shellLine } from "./own_command.ts";
import { readSetup } from "./state.ts";
import { wiringFor } from "./wanted.ts";

/** Prints it for each of these hosts. Throws a `UsageError` without any. */
export function printHosts(shell: ShellContext, ids: string[], given: string | undefined): void {
  if (ids.length === 0) throw new UsageError("--print needs a host, such as: wharf setup --print claude");
  for (const id of ids) printHost(shell, hostNamed(id), given);
}

function printHost(shell: ShellContext, host: SetupHost, given: string | undefined): void {
  const { terminal, url } = shell;
  const { environment } = terminal;
  const known = readSetup(terminal).hosts[host.id];
  const name = given ?? (known?.url === url ? known.name : usualName(host.id, environment));
  const wiring = wiringFor(terminal, { url, name });
  const steps = pasted(host, wiring);
  const claim = shellLine(["wharf", "name", "claim", name, "--url", url]);
  shell.show({ host: host.id, name, url, claim, steps, remarks: host.remarks }, [
    `${host.title}. Claim its name first: ${claim}`,
    ...steps.flatMap(({ file, command, text }) =>
      command !== undefined
        ? [`Run: ${command}`]
        : [
            `In ${file}:`,
            ...text!
              .trimEnd()
              .split("\n")
              .map((line) => `    ${line}`),
          ],
    ),
    ...host.remarks,
  ]);
}

interface Step {
  file?: string;
  /** What the file gets, as if it were empty. */
  text?: string;
  /** What does it instead. */
  command?: string;
}

/** What has to be done by hand, in its order: the changes that setup makes. */
export function pasted(host: Pick<SetupHost, "changes" | "id">, wiring: Wiring): Step[] {
  const by_file = Map.groupBy(host.changes(wiring), ({ file }) => file);
  return [...by_file].map(([file, changes]) => stepFor(file, changes, host.id, wiring));
}

function stepFor(file: string, changes: Change[], host: string, { url }: Wiring): Step {
  const [first] = changes;
  if (first?.kind === "command") return { file, command: shellLine(first.add) };
  if (first?.purpose === "skill")
    return { file, command: shellLine(["curl", "--create-dirs", "-o", file, `${url}/SKILL.md`]) };
  return { file, text: new TextDecoder().decode(withChanges(null, changes, host).bytes) };
}
