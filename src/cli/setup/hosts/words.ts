/** What the settings of every host contain: the words that run this program, without a key. */

import { join } from "node:path";
import { shellLine } from "../own_command.ts";
import type { Change, Wiring } from "../host.ts";

/** The name of our entry in the list of MCP servers of a host. */
export const server_name = "wharf";

/** The program and the arguments of the MCP server. */
export function serverWords({ wharf, url, name }: Wiring, ...more: string[]): [string, ...string[]] {
  const [program, ...words] = wharf;
  return [program!, ...words, "mcp", "--url", url, "--as", name, ...more];
}

/** The words that say what is unread, for a hook of the host `id`. */
export const inboxWords = ({ wharf, url, name }: Wiring, id: string): string[] => [
  ...[...wharf, "inbox", "--hook", id, "--as", name, "--url", url],
];

/** The words that check an edit. The service is that of the repository: its file names it. */
export const guardWords = ({ wharf, name }: Wiring, id: string): string[] => [
  ...[...wharf, "lease", "guard", "--hook", id, "--as", name],
];

/** The skill, in the folder where a host reads skills. */
export const skillIn = (folder: string, { skill }: Wiring): Change => ({
  purpose: "skill",
  kind: "own_file",
  file: join(folder, server_name, "SKILL.md"),
  text: skill,
});

/** A hook of an event, in the form that Claude Code, Codex and Gemini CLI share. */
interface Hook {
  event: string;
  words: string[];
  /** The tools whose calls it gets. */
  matcher?: string;
  /** In the unit of the host. */
  timeout: number;
  /** Gemini CLI shows it to its user. */
  name?: string;
}

/** Adds the hook to the settings in `file`. */
export const hookIn = (
  file: string,
  purpose: Change["purpose"],
  { event, words, matcher, ...rest }: Hook,
): Change => ({
  purpose,
  kind: "item",
  file,
  at: ["hooks", event],
  value: {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: "command", command: shellLine(words), ...rest }],
  },
});
