/** Runs the command of a watcher for a batch of news. */

import { closeSync } from "node:fs";
import { messageOf } from "../../../core/log.ts";
import { quotedJson } from "../../../core/text_form.ts";
import type { Terminal } from "../../terminal.ts";
import { inputFrom } from "./input_file.ts";
import type { Items } from "./news.ts";
import type { Watched } from "./position.ts";

export interface Run {
  /** Resolves to null if the command ended with status 0, else to how it ended. */
  failure: Promise<string | null>;
  signal(signal: NodeJS.Signals): void;
}

interface RunOptions {
  /** The program and its arguments. No shell reads them. */
  command: readonly string[];
  terminal: Pick<Terminal, "environment">;
  watched: Watched;
  /** A file for the input of the command. It is removed before the command starts. */
  input_file: string;
  /** The descriptor that holds the lock. The command inherits it, so that it is locked until both have ended. */
  lock: number;
}

/** Starts the command with `items` as one JSON object on its standard input. */
export function startRun({ command, terminal, watched, input_file, lock }: RunOptions, items: Items): Run {
  const { url, name } = watched;
  const input = inputFrom(input_file, `${quotedJson({ url, name, ...items })}\n`);
  try {
    const child = Bun.spawn([...command], {
      env: { ...terminal.environment, WHARF_URL: url, WHARF_NAME: name, ...idsOf(items) },
      stdio: [input, "inherit", "inherit", lock],
    });
    return {
      failure: child.exited.then(() => {
        if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
        return child.exitCode === 0 ? null : `ended with status ${child.exitCode}`;
      }),
      signal: (signal) => child.kill(signal),
    };
  } catch (error) {
    return { failure: Promise.resolve(`cannot be started: ${messageOf(error)}`), signal: () => {} };
  } finally {
    closeSync(input);
  }
}

type Ids = Partial<Record<"room" | "job", string>> & { seq?: number };

/** The ids of the news, with spaces between them. The service makes ids, so no text of a stranger is among them. */
function idsOf({ posts = {}, notes = [], jobs = [], new_rooms = [], closed = [] }: Items) {
  const about = notes as Ids[];
  const list = (ids: (string | number | undefined)[]): string =>
    [...new Set(ids)].filter((id) => id !== undefined).join(" ");
  return {
    WHARF_ROOMS: list([
      ...Object.keys(posts),
      ...about.map(({ room }) => room),
      ...new_rooms.map(({ slug }) => slug),
      ...closed,
    ]),
    WHARF_JOBS: list([...about.map(({ job }) => job), ...jobs.map(({ id }) => id)]),
    WHARF_NOTES: list(about.map(({ seq }) => seq)),
  };
}
