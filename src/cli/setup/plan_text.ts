/** A plan for a reader, and for a program. */

import type { ChosenName } from "./names.ts";
import { shellLine } from "./own_command.ts";
import type { FilePlan, HostPlan } from "./planning.ts";

/** How many lines of a file of our own are shown. */
const shown_lines_max = 20;

export interface NamedPlan extends HostPlan {
  chosen: ChosenName;
  /** Where the agent of its service works, if it gets one. */
  folder?: string;
}

/** An entry of a JSON file in one line: a reader looks for its command, and not for its brackets. */
const inOneLine = (lines: string[]): string => lines.map((line) => line.trim()).join(" ");

/** What is added to a file: an entry of a JSON file in one line, else as it is written; a long file of our own only by its length. */
function addedLines(plan: Extract<FilePlan, { kind: "edit" }>): string[] {
  const is_json = /\.jsonc?$/.test(plan.file);
  return plan.made.added.flatMap(({ at, lines }) => {
    if (is_json) return [`    + ${at === "" ? "" : `${at}: `}${inOneLine(lines)}`];
    const place = at === "" ? [] : [`    at ${at}:`];
    if (lines.length > shown_lines_max && plan.base === null && at === "")
      return [
        ...place,
        `    + ${lines.length} lines, which begin with:`,
        ...lines.slice(0, 4).map((line) => `    + ${line}`),
      ];
    return [...place, ...lines.map((line) => `    + ${line}`)];
  });
}

function fileLines(plan: FilePlan): string[] {
  const { file, named, now, is_tracked } = plan;
  const link = file === named ? "" : ` (a link to ${file})`;
  const git = is_tracked ? ["    git tracks this file, so the change will show there. It has no key."] : [];
  if (plan.kind === "command") {
    const runs = plan.commands.map((words) => `  runs ${shellLine(words)}`);
    return [...runs, `  ${named}${link}: changed by ${runs.length > 0 ? "that" : "an earlier run"}`, ...git];
  }
  const is_new = now === null ? ", a new file" : "";
  return [`  ${named}${link}${is_new}`, ...git, ...addedLines(plan)];
}

/** What would be changed for a host. */
export function planLines({ host, wiring, chosen, files }: NamedPlan): string[] {
  const { name, url } = wiring;
  const claim = chosen.is_new
    ? `  claims the name ${name} at ${url}; its key is saved with the others of wharf`
    : `  has the name ${name} at ${url}`;
  if (files.length === 0 && !chosen.is_new)
    return [`${host.title}: everything is set up, as ${name} at ${url}.`];
  return [`${host.title}:`, claim, ...files.flatMap(fileLines)];
}

/** The same for a program. */
export const planObject = ({ host, wiring, chosen, files }: NamedPlan) => ({
  host: host.id,
  url: wiring.url,
  name: wiring.name,
  claims: chosen.is_new,
  files: files.map((plan) => ({
    file: plan.file,
    tracked_by_git: plan.is_tracked,
    ...(plan.kind === "command"
      ? { commands: plan.commands }
      : { added: plan.made.added.map(({ at, lines }) => ({ at, text: lines.join("\n") })) }),
  })),
});
