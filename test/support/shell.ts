/** The commands of the client as processes, with settings of their own. */

import { afterAll, beforeAll } from "bun:test";
import { wharf_command } from "./binary.ts";
import { started } from "./leftovers.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "./service.ts";

export interface Ended {
  printed: string;
  errors: string;
  status: number;
}

export interface Shell {
  /** The folder with its settings, and where commands run. */
  directory: string;
  /** Starts a command. */
  start(...args: string[]): Started;
  /** Starts a command in another folder, with these variables if the first argument is an object. */
  startIn(cwd: string, ...args: [Variables, ...string[]] | string[]): Started;
  /** Runs a command until it ends. */
  run(...args: string[]): Promise<Ended>;
  remove(): void;
}

export interface Started {
  process: Bun.Subprocess;
  /** Resolves when its output has `text`. */
  prints(text: string): Promise<void>;
  ended: Promise<Ended>;
}

type Variables = Record<string, string>;

/** Settings for commands that call the service at `url`. */
export function newShell(url: string): Shell {
  const directory = newDirectory();
  const startIn: Shell["startIn"] = (cwd, ...given) => {
    const [first, ...rest] = given;
    const [variables, args] = typeof first === "object" ? [first, rest as string[]] : [{}, given as string[]];
    const child = Bun.spawn([...wharf_command, ...args], {
      cwd,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: directory, WHARF_URL: url, ...variables },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    started.push(child);
    let printed = "";
    let look = () => {};
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        printed += decoder.decode(chunk, { stream: true });
        look();
      }
      return printed;
    };
    const ended = Promise.all([read(), new Response(child.stderr).text(), child.exited]).then(
      ([, errors, status]) => ({ printed, errors, status }),
    );
    return {
      process: child,
      prints: (text) =>
        new Promise((resolve, reject) => {
          look = () => {
            if (printed.includes(text)) resolve();
          };
          look();
          void ended.then((end) => reject(new Error(`It ended without ${text}: ${JSON.stringify(end)}`)));
        }),
      ended,
    };
  };
  const start = (...args: string[]) => startIn(directory, ...args);
  return {
    directory,
    start,
    startIn,
    run: (...args) => start(...args).ended,
    remove: () => removeDirectory(directory),
  };
}

/** A service for the tests of a file or a block, and a shell that calls it. */
export function useShell(): { service: SourceService; shell: Shell } {
  const used = {} as { service: SourceService; shell: Shell };
  beforeAll(async () => {
    used.service = await startSource();
    used.shell = newShell(used.service.url);
  });
  afterAll(async () => {
    await used.service.stop();
    used.shell.remove();
  });
  return used;
}
