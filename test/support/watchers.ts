/** `wharf watch` as a process, with settings and a state of its own. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wharf_command } from "./binary.ts";
import { started } from "./leftovers.ts";
import type { Holder } from "./names.ts";

export interface Watcher {
  process: Bun.Subprocess;
  /** The next line of its output, or of that of its command. Rejects if it ends without one. */
  line(): Promise<string>;
  /** What it has reported on standard error. */
  reports(): string;
  /** Resolves when it has reported this. */
  reported(text: string): Promise<void>;
  /** Resolves with the exit status, when everything that it has reported was read. */
  ended: Promise<number>;
}

/** The environment of a shell whose user has only this home. */
export const homeOf = (home: string, more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: home,
  ...more,
});

/** The same for the holder of a name at the service at `url`. */
export const environmentOf = (home: string, url: string, { name, key }: Holder) =>
  homeOf(home, { WHARF_URL: url, WHARF_NAME: name, WHARF_KEY: key });

/** Starts `wharf watch` with these words. */
export function startWatch(env: Record<string, string>, ...words: string[]): Watcher {
  const child = Bun.spawn([...wharf_command, "watch", ...words], {
    env,
    cwd: env["HOME"],
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  let reports = "";
  let look = () => {};
  const all_reported = (async () => {
    for await (const chunk of child.stderr) {
      reports += new TextDecoder().decode(chunk);
      look();
    }
  })();
  const lines = linesOf(child.stdout);
  return {
    process: child,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`wharf watch has ended: ${reports}`);
      return value;
    },
    reports: () => reports,
    reported: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (reports.includes(text)) resolve();
        };
        look();
        void all_reported.then(() => reject(new Error(`It ended without "${text}": ${reports}`)));
      }),
    ended: all_reported.then(() => child.exited),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}

/** The only saved position of a home; null if there is none. */
export function savedPosition(home: string): { cursors: { mailbox?: number; rooms?: object } } | null {
  const folder = join(home, ".local/state/wharf");
  if (!existsSync(folder)) return null;
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return file === undefined
    ? null
    : (JSON.parse(readFileSync(join(folder, file), "utf8")) as { cursors: object });
}
