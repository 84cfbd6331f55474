/** A program in a pseudo-terminal, as a person sees and uses it. */

import { started } from "./leftovers.ts";

export interface InTerminal {
  process: Bun.Subprocess;
  /** Types text as a keyboard sends it: `\r` is the return key, `\t` the tabulator, `\x03` Ctrl-C. */
  type(text: string): void;
  /** Everything that it has printed. */
  shown(): string;
  /** Resolves with everything printed so far when that matches; rejects if the program ends before. */
  until(pattern: RegExp): Promise<string>;
}

/** Starts `command` with only these variables and PATH. */
export function inTerminal(
  command: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): InTerminal {
  const decoder = new TextDecoder();
  let shown = "";
  let look = () => {};
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: "dumb", ...env },
    terminal: {
      cols: 200,
      rows: 50,
      data(_terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
        look();
      },
    },
  });
  started.push(child);
  return {
    process: child,
    type: (text) => void child.terminal!.write(text),
    shown: () => shown,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (pattern.test(shown)) resolve(shown);
        };
        look();
        void child.exited.then(() => reject(new Error(`It ended without ${pattern.source}: ${shown}`)));
      }),
  };
}
