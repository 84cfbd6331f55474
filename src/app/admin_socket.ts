/** The unix socket of the admin API in the data directory. A caller who can open its files needs no token. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorText, type Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import type { Ingress } from "../web/ingress.ts";
import { faultOfSocketPath, onSocket } from "./unix_socket.ts";

/** Where the socket is, or null if there is none. */
export function adminSocketPath({ admin_socket, data_dir }: Pick<Config, "admin_socket" | "data_dir">) {
  return admin_socket === "off" ? null : (admin_socket ?? join(data_dir, "wharf.sock"));
}

/** Sends a request to the service of a data directory, as its owner. */
type OwnersCall = (path: string, init?: BunFetchRequestInit) => Promise<Response>;

/**
 * The call to the running service of `config`; null if none answers at its socket. A socket that a killed process has left
 * refuses connections. `answer_seconds_max`: how long it may take to answer whether it runs.
 */
export async function ownersCall(
  config: Pick<Config, "admin_socket" | "data_dir">,
  answer_seconds_max?: number,
): Promise<OwnersCall | null> {
  const unix = adminSocketPath(config);
  if (unix === null || !existsSync(unix)) return null;
  const call: OwnersCall = (path, init) => fetch(`http://localhost${path}`, { ...init, unix });
  const signal = answer_seconds_max === undefined ? null : AbortSignal.timeout(answer_seconds_max * 1000);
  try {
    return (await call("/healthz", { signal })).ok ? call : null;
  } catch {
    return null;
  }
}

/**
 * Listens at `path`, which only this user can open (0600). If the system cannot, warns and returns null: the service runs
 * without it. A socket that an ended process has left is replaced; any other file is not.
 */
export function listenOnAdminSocket(
  path: string,
  fetch: Ingress,
  log: Log,
): Pick<Bun.Server<undefined>, "stop"> | null {
  const warn = (reason: string): null => {
    log.warn("admin.no_socket", { path, reason, hint: "Set --admin-socket to another path, or to off." });
    return null;
  };
  const fault = faultOfSocketPath(path);
  if (fault !== null) return warn(fault);
  try {
    const options = { unix: path, development: false, maxRequestBodySize: 2 ** 40, fetch } as const;
    // Without a timeout: a backup or an export may take long before its first byte. Bun's types do not know the option here.
    const server = onSocket(path, 0o600, () => Bun.serve({ ...options, idleTimeout: 0 } as typeof options));
    return {
      async stop(closes_connections) {
        await server.stop(closes_connections);
        rmSync(path, { force: true });
      },
    };
  } catch (error) {
    return warn(errorText(error));
  }
}
