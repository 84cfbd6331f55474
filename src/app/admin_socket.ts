/** The unix socket of the admin API in the data directory. A caller who can open its files needs no token. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { errorText, type Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import type { Ingress } from "../web/ingress.ts";
import { faultOfSocketPath, onSocket } from "./unix_socket.ts";

/** Where the socket is, or null if there is none. */
export function adminSocketPath({ admin_socket, data_dir }: Pick<Config, "admin_socket" | "data_dir">) {
  return admin_socket === "off" ? null : (admin_socket ?? join(data_dir, "wharf.sock"));
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
