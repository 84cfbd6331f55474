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
  /** What is set up, in the order in which it is made. The same wiring gives the same changes. */
  changes(wiring: Wiring): Change[];
  /**
   * The words that list its MCP servers, and what its output has if ours answers; null: it has no such command. Then setup starts the
   * server itself for a check.
   */
  check(wiring: Wiring): { command: string[]; connected: RegExp } | null;
  /** How `wharf wake start` starts it without a terminal; null: it cannot be started so. */
  start: StartHost | null;
  /** What its user has to know or to do by hand: a sentence each. */
  remarks: string[];
}

/** What a host is set up with. */
export interface Wiring {
  /** The words that run this program: its path, or a runtime and a script. `shellLine` makes a line for a shell of them. */
  wharf: string[];
  /** The service. */
  url: string;
  /** The claimed name of this host. */
  name: string;
  /** The home directory of the user. */
  home: string;
  environment: Record<string, string | undefined>;
  /** The text of the service's SKILL.md. Its folder must be called `wharf`. */
  skill: string;
}

/** What a change is for. */
type Purpose = "tools" | "skill" | "wake-up" | "leases" | "service";

/** A change of one file. `file` is absolute. Several changes can be of the same file. No change contains a key. */
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
      /** A table at the end of a TOML file: `at` are the names that lead to it. It must be absent, or ours. */
      kind: "table";
      at: string[];
      value: Record<string, string | string[]>;
    }
  | {
      /** A file of our own. */
      kind: "own_file";
      text: string;
    }
  | {
      /**
       * The host's own command, which changes the file; `remove` takes back what `add` does. The first word of both is the program. No other
       * change is of the same file.
       */
      kind: "command";
      add: string[];
      remove: string[];
      /** What the file has under our name, as plain data; undefined: nothing. Throws if it cannot read the text. */
      entry(text: string): unknown;
      /** Whether that entry is what `add` makes. */
      isWanted(entry: unknown): boolean;
    }
);

/** What a start needs to know. */
interface StartOptions {
  /** Whether it continues the last session of the current folder. */
  resume: boolean;
  /** The commands that its agent may run: each as the beginning of a line for a shell, such as `wharf say`. */
  commands: string[];
  /** The path of a file that is written before the start, if the host needs one. */
  file: string;
}

/** A start of a host. Its standard input is what is new. */
interface HostStart {
  words: string[];
  /** Variables beside those of its caller. */
  environment?: Record<string, string>;
  /** The text of the file. */
  text?: string;
}

/** `prompt` is one argument: it has nothing from a stranger. */
export type StartHost = (prompt: string, options: StartOptions) => HostStart;
