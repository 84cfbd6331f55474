/** Looks for secrets where they do not belong: in the arguments and the environment of processes, and in files. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const secret_form = /wf[a-z]_[0-9A-Za-z]{49}/;
const look_ms = 20;

/** The processes that this one has started, and theirs. */
function descendants(): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = textOf(`/proc/${entry}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(process.pid);
}

/** What a file of /proc has; nothing if its process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** Looks at the processes until it is stopped. `stop` returns where a secret was, and how many processes were looked at. */
export function watchProcesses() {
  const found = new Set<string>();
  const seen = new Set<number>();
  const look = () => {
    for (const pid of descendants()) {
      const command = textOf(`/proc/${pid}/cmdline`);
      if (command !== "") seen.add(pid);
      if (secret_form.test(command)) found.add(`the arguments of ${command.split("\0")[0]}`);
      if (secret_form.test(textOf(`/proc/${pid}/environ`)))
        found.add(`the environment of ${command.split("\0")[0]}`);
    }
  };
  const timer = setInterval(look, look_ms);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { found: [...found].toSorted(), seen: seen.size };
    },
  };
}

/** The files below a folder that have one of these texts. */
export function filesWith(folder: string, texts: string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return texts.some((text) => bytes.includes(text));
    });
}
