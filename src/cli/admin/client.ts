/**
 * The client of an admin: over the network with a token, to the running service of a data directory by its socket, or to the app
 * over the data directory of a stopped one. All three get the same answers.
 */

import { ownersCall } from "../../app/admin_socket.ts";
import { createClient, type Client, type ClientOptions } from "../../client/client.ts";
import { systemClock } from "../../core/clock.ts";
import { createLog, withReason } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import type { Config } from "../../core/settings.ts";
import type { Terminal } from "../terminal.ts";

export interface AdminClient {
  client: Client;
  close(): Promise<void>;
}

/** A backup or a removal may take longer than the 5 minutes of Bun's `fetch`. */
const without_end: object = { timeout: false };

const clientBy = (url: string, options: Omit<ClientOptions, "url">): Client =>
  createClient({ url, retries: 0, ...options });

/** A client of the service at `url`. */
export const clientAt = (url: string, token: string): AdminClient => ({
  client: clientBy(url, {
    key: token,
    fetch: (address, init) =>
      fetch(address, { ...init, ...without_end }).catch((error: unknown) => {
        throw withReason(`${url} cannot be reached`, error);
      }),
  }),
  close: () => Promise.resolve(),
});

/** A client of the owner of a data directory, whether its service runs or not. Throws a user-facing error. */
export async function clientOfOwner(config: Config, terminal: Terminal): Promise<AdminClient> {
  const url = "http://localhost";
  const call = await ownersCall(config);
  if (call !== null) {
    const client = clientBy(url, {
      fetch: (address, init) =>
        call(address.slice(url.length), { ...init, ...without_end } as BunFetchRequestInit),
    });
    return { client, close: () => Promise.resolve() };
  }
  const log = createLog(systemClock, "warn", terminal.writeError);
  // Imported here: most commands reach a running service, and need no app.
  const { openStopped } = await import("../../app/stopped.ts");
  const app = await openStopped(config, { clock: systemClock, random: systemRandom, log });
  const client = clientBy(url, { fetch: (address, init) => app.fetchForOwner(new Request(address, init)) });
  return { client, close: () => app.close() };
}
