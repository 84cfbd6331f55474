/**
 * What `wharf setup` does for an agent host, and what its page in docs/hosts says. A host is a file in `hosts/`, and a line in `hosts.ts`.
 */

export interface SetupHost {
  /** How commands and files name it: `claude`. */
  id: string;
  /** How its makers write it. */
  title: string;
  /** The version that all of this was tried with; null: it is from the documentation of the host, and was not tried. */
  tried_version: string | null;
  /** Its program, which shows that it is on this machine; null: setup changes nothing and prints what to paste. */
  program: string | null;
  /** What is set up, in the order in which it is made. */
  changes(wiring: Wiring): Change[];
  /** The words that list its MCP servers, and what stands in the list if ours answers; null: it has no such command. */
  check(wiring: Wiring): { command: string[]; connected: RegExp } | null;
  /** How `wharf wake start` starts it without a terminal; null: it cannot be started so. */
  start(prompt: string, options: { resume: boolean }): string[] | null;
  /** What its user has to know or to do by hand: a sentence each. */
  remarks: string[];
}

/** What a host is set up with. */
export interface Wiring {
  /** The words that run this program: its path, or a runtime and a script. */
  wharf: string[];
  /** The service. */
  url: string;
  /** The claimed name of this host. */
  name: string;
  /** The home directory of the user. */
  home: string;
  environment: Record<string, string | undefined>;
}

/** What a change is for. */
export type Purpose = "tools" | "skill" | "wake-up" | "leases";

/** A change of one file. `file` is absolute. */
export type Change = { purpose: Purpose; file: string } & (
  | {
      /** A member of a JSON file, which may have comments: `at` are the names that lead to it. It must be absent, or ours. */
      kind: "member";
      at: string[];
      value: unknown;
    }
  | {
      /** An item at the end of an array of a JSON file. The array is made if it is absent. */
      kind: "item";
      at: string[];
      value: unknown;
    }
  | {
      /** A file of our own. */
      kind: "own_file";
      text: string;
    }
  | {
      /** The host's own command, which changes the file; `remove` takes back what `add` does. */
      kind: "command";
      add: string[];
      remove: string[];
      /** Whether the file has what `add` adds. */
      isDone(text: string): boolean;
    }
);
