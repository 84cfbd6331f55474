/**
 * Receivers of webhooks that verify calls with the official libraries of Standard Webhooks: programs in JavaScript, Python and Go.
 *
 * A receiver listens at a port, which it prints. PUT sets its state: its secrets, and whether it fails. For each POST it prints a JSON line
 * with the headers, the body, and which of its secrets has signed it. It answers 401 if none has, 503 if it fails, and otherwise 200 with
 * the challenge of the call. Without secrets it accepts everything: the first call comes before its secret is known.
 */

import { join } from "node:path";
import { go_environment, newGo } from "./go.ts";
import { linesOf, pythonWith } from "./python.ts";
import { lacks } from "./programs.ts";

const programs = join(import.meta.dir, "../all/webhooks");

/** A call as a receiver got it. */
export interface VerifiedCall {
  headers: Record<string, string>;
  body: string;
  /** By secret. */
  verified: boolean[];
}

export interface LibraryReceiver {
  url: string;
  /** Sets its state. */
  become(state: { secrets: string[]; failing?: boolean }): Promise<void>;
  /** The next call that it got. */
  next(): Promise<VerifiedCall>;
  stop(): Promise<void>;
}

interface Library {
  is_missing: boolean;
  /** Installs the library. Returns the command of the receiver. `directory` is for what is built. */
  install(directory: string): string[];
}

export const libraries: Record<string, Library> = {
  "standardwebhooks 1.1.1 for JavaScript": {
    is_missing: lacks("the library for JavaScript of Standard Webhooks", "node"),
    install: () => ["node", join(programs, "receiver.mjs")],
  },
  "standardwebhooks 1.1.0 for Python": {
    is_missing: lacks("the library for Python of Standard Webhooks", "python3"),
    install: () => [pythonWith("1.1.0", "standardwebhooks"), join(programs, "receiver.py")],
  },
  "standard-webhooks 0.0.1 for Go": {
    is_missing: lacks("the library for Go of Standard Webhooks", "go"),
    install(directory) {
      const program = join(directory, "receiver");
      const { success, stderr } = Bun.spawnSync([newGo(), "build", "-o", program, "."], {
        cwd: join(programs, "go"),
        env: go_environment,
      });
      if (!success) throw new Error(stderr.toString());
      return [program];
    },
  },
};

/** Starts a receiver with this command. */
export async function startLibraryReceiver(command: string[]): Promise<LibraryReceiver> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const errors = new Response(child.stderr).text();
  const lines = linesOf(child.stdout);
  async function nextLine(): Promise<string> {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The receiver has ended: ${await errors}`);
    return value;
  }
  const url = `http://127.0.0.1:${await nextLine()}/hook`;
  return {
    url,
    async become({ secrets, failing = false }) {
      await fetch(url, { method: "PUT", body: JSON.stringify({ secrets, failing }) });
    },
    next: async () => JSON.parse(await nextLine()) as VerifiedCall,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
