/** What a hook of an agent host says to the guard, and how the guard answers. Each host has a file of its own. */

import { resolve } from "node:path";

/** A call of a hook: a tool of the host is about to edit files, a session has ended, or something that needs no check. */
type HookCall =
  | { event: "edit"; session: string; paths: string[] }
  | { event: "end"; session: string }
  | { event: "other" };

export interface Host {
  /** Reads the JSON that the host sends. Paths are absolute. */
  read(sent: Sent): HookCall;
  /** The JSON that stops the edit and gives the model a reason. */
  deny(reason: string): object;
  /** The JSON that allows the edit and shows a line to the user. */
  allow(notice: string): object;
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
}

/** An edit of the files that are given by paths from `directory`; no check if there is none. */
export function editOf(session: string, directory: string, paths: string[]): HookCall {
  const given = paths.filter((path) => path !== "").map((path) => resolve(directory, path));
  return given.length > 0 ? { event: "edit", session, paths: given } : { event: "other" };
}
