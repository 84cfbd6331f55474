/** Stand-ins of agent hosts: programs on the PATH of a home that record how they were started, and answer where their name was mentioned. */

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orThrow } from "../../src/client/client.ts";
import { quotedForShell } from "../../src/core/text_form.ts";
import { wharf_command } from "./binary.ts";
import { clientOf } from "./client.ts";
import type { Holder } from "./names.ts";
import { environmentOf } from "./watchers.ts";

export interface AgentHome {
  home: string;
  environment: Record<string, string>;
  /** Puts a script for sh on the PATH. */
  program(name: string, lines: string): void;
  /** What a stand-in has recorded. */
  recorded(what: "words" | "input" | "folder" | "environment" | "descriptors"): string;
}

/** Records its words, its input, its folder, its environment and its descriptors, and answers in every room that is new. */
export const answering_agent = `printf '%s\\0' "$@" >"$HOME/words"; pwd >"$HOME/folder"; env >"$HOME/environment"
ls "/proc/$$/fd" 2>/dev/null >"$HOME/descriptors"; cat >"$HOME/input"
for room in $WHARF_ROOMS; do wharf say "$room" "On it." >/dev/null || exit 9; done`;

/** A home of an agent, with `wharf` on its PATH, and its key in the environment. */
export function agentHome(home: string, url: string, who: Holder): AgentHome {
  const programs = join(home, "bin");
  mkdirSync(programs, { recursive: true });
  const base = environmentOf(home, url, who);
  const environment = { ...base, PATH: `${programs}:${base["PATH"]}` };
  const program = (name: string, lines: string): void => {
    const file = join(programs, name);
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
  };
  const [wharf, ...script] = wharf_command;
  if (script.length === 0) symlinkSync(wharf!, join(programs, "wharf"));
  else program("wharf", `exec ${wharf_command.map(quotedForShell).join(" ")} "$@"`);
  return { home, environment, program, recorded: (what) => readFileSync(join(home, what), "utf8") };
}

/** Mentions a name in a new room. Returns the room. */
export async function mentionIn(url: string, by: Holder, name: string): Promise<string> {
  const client = clientOf(url, by);
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal: "Talk", name: by.name } }));
  const body = { name: by.name, body: `@${name}, look` };
  await orThrow(client.post("/api/meet/rooms/{room}/posts", { path: { room: slug }, body }));
  return slug;
}
