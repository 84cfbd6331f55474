/** What a hook of an agent host says to this program, and how it is answered. Each host has a file of its own. */

import { resolve } from "node:path";

/** A call of a hook: what has happened in the host, or something that no hook of this program is about. */
export type HookCall =
  /** A tool of the host is about to edit files. */
  | { event: "edit"; session: string; paths: string[] }
  /** A session has ended. */
  | { event: "end"; session: string }
  /** A session begins, or somebody has written a prompt. `hook`: how the host calls that. */
  | { event: "prompt"; hook: string }
  /** The model has ended its turn. `is_continued`: a hook has continued this turn already. */
  | { event: "turn end"; is_continued: boolean }
  | { event: "other" };

export interface Host {
  /** Whether it shows the standard error of a hook to nobody but who looks for faults. */
  hides_errors: boolean;
  /** Reads the JSON that the host sends. Paths are absolute. */
  read(sent: Sent): HookCall;
  /** The JSON that stops the edit and gives the model a reason. */
  deny(reason: string): object;
  /** The JSON that allows the edit and shows a line to the user. */
  allow(notice: string): object;
  /** The JSON that adds a text to what the model reads, at the hook `hook` of a prompt. */
  addText(hook: string, text: string): object;
  /** The JSON that continues the turn with a text. */
  continueWith(text: string): object;
}

/** A member of the JSON of another program. */
export class Sent {
  constructor(private readonly value: unknown) {}

  /** The member `name`; one that is absent is empty. */
  at(name: string): Sent {
    const { value } = this;
    const has_it = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return new Sent(has_it ? (value as Record<string, unknown>)[name] : undefined);
  }

  /** Its text; empty if it is none. */
  get text(): string {
    return typeof this.value === "string" ? this.value : "";
  }

  /** Whether it is `true`. */
  get is_true(): boolean {
    return this.value === true;
  }
}

/** What a host has sent. Anything but JSON is empty. */
export function sentIn(input: string): Sent {
  try {
    return new Sent(JSON.parse(input));
  } catch {
    return new Sent(undefined);
  }
}

/** An edit of the files that are given by paths from `directory`; no check if there is none. */
export function editOf(session: string, directory: string, paths: string[]): HookCall {
  const given = paths.filter((path) => path !== "").map((path) => resolve(directory, path));
  return given.length > 0 ? { event: "edit", session, paths: given } : { event: "other" };
}

/** A call of one of the hooks around a turn, which all hosts send alike but for the names of the hooks; null if it is another one. */
export function turnCall(sent: Sent, hook: string, prompts: string[], turn_end: string): HookCall | null {
  if (prompts.includes(hook)) return { event: "prompt", hook };
  return hook === turn_end ? { event: "turn end", is_continued: sent.at("stop_hook_active").is_true } : null;
}
