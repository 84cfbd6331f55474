/**
 * Sends requests of an admin: over the network with a token, to the running service of a data directory by its socket, or to
 * the app over the data directory of a stopped one. All three get the same answers.
 */

import { ownersCall } from "../../app/admin_socket.ts";
import { systemClock } from "../../core/clock.ts";
import { createLog, withReason } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import type { Config } from "../../core/settings.ts";
import type { Terminal } from "../terminal.ts";

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface AdminClient {
  send(path: string, init: Call): Promise<Response>;
  close(): Promise<void>;
}

/** A backup or a removal may take longer than the 5 minutes of Bun's `fetch`. */
const without_end: object = { timeout: false };

/** A client of the service at `url`. */
export function clientAt(url: string, token: string): AdminClient {
  const base = url.replace(/\/+$/, "");
  return {
    async send(path, init) {
      const headers = { ...init.headers, authorization: `Bearer ${token}` };
      try {
        return await fetch(base + path, { ...init, headers, ...without_end });
      } catch (error) {
        throw withReason(`${url} cannot be reached`, error);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** A client of the owner of a data directory, whether its service runs or not. Throws a user-facing error. */
export async function clientOfOwner(config: Config, terminal: Terminal): Promise<AdminClient> {
  const call = await ownersCall(config);
  if (call !== null) {
    return { send: (path, init) => call(path, { ...init, ...without_end }), close: () => Promise.resolve() };
  }
  const log = createLog(systemClock, "warn", terminal.writeError);
  // Imported here: most commands reach a running service, and need no app.
  const { openStopped } = await import("../../app/stopped.ts");
  const app = await openStopped(config, { clock: systemClock, random: systemRandom, log });
  return {
    send: (path, init) => app.fetchForOwner(new Request(`http://localhost${path}`, init)),
    close: () => app.close(),
  };
}
