/** Checks of the running service, and of whether one can run here. */

import { lstatSync, type Stats } from "node:fs";
import { adminSocketPath, ownersCall } from "../app/admin_socket.ts";
import { app_limits } from "../app/limits.ts";
import { remedyOf } from "../core/failures.ts";
import type { Config } from "../core/settings.ts";
import { isLocked } from "../storage/sqlite/lock.ts";
import type { Ignored } from "../web/request_origin.ts";
import { messageOf } from "../core/log.ts";
import { findingsOf, type Finding } from "./finding.ts";

/** Whether a service uses the data directory, and whether it answers by its socket. */
export interface Running {
  is_running: boolean;
  /** Calls the service by its socket; null if it cannot be reached there. */
  call: ((path: string) => Promise<Response>) | null;
}

const answer_seconds_max = 5;

/** Finds the service of the data directory. */
export async function findService(config: Pick<Config, "admin_socket" | "data_dir">): Promise<Running> {
  const call = await ownersCall(config, answer_seconds_max);
  if (call === null) return { is_running: isLocked(config.data_dir), call };
  return {
    is_running: true,
    call: (path) => call(path, { signal: AbortSignal.timeout(answer_seconds_max * 1000) }),
  };
}

/** Whether the service works, as `/readyz` says. */
export async function checkService({ is_running, call }: Running): Promise<Finding> {
  const { ok, warning, failed } = findingsOf("service");
  if (!is_running) return ok("No service runs on this directory.");
  if (call === null) {
    return warning(
      "A service runs, and does not answer at its admin socket: its state is not known.",
      "Start it without --admin-socket off, or name the same --admin-socket here.",
    );
  }
  try {
    const response = await call("/readyz");
    const { checks } = (await response.json()) as {
      checks: Record<string, { status: string; code?: string }>;
    };
    const failing = Object.entries(checks).filter(([, { status }]) => status === "failing");
    if (failing.length === 0) return ok("The service runs and works.");
    const parts = failing.map(([part, { code }]) => `${part} (${code ?? "failing"})`).join(", ");
    return failed(
      `The service fails in ${parts}.`,
      "Look up the code at /problems/<code> of the service, and its log.",
    );
  } catch (error) {
    return failed(`The service does not answer: ${messageOf(error)}.`, "Look at its log, and restart it.");
  }
}

/** Whether a proxy or a host name is used that the settings do not allow. */
export async function checkIgnored({ call }: Running): Promise<Finding[]> {
  if (call === null) return [];
  const response = await call("/api/admin/network");
  if (!response.ok) return [];
  const { hosts, proxies } = (await response.json()) as Ignored;
  const some = (names: string[]) =>
    names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  return [
    proxies.length === 0
      ? findingsOf("proxies").ok("No forwarded header was ignored.")
      : findingsOf("proxies").warning(
          `Forwarded headers of ${some(proxies)} were ignored: all callers behind it count as one address.`,
          "If that is your proxy, name it with --trusted-proxy. In containers: --trusted-proxy private.",
        ),
    hosts.length === 0
      ? findingsOf("host-names").ok("No host name was refused.")
      : findingsOf("host-names").warning(
          `Requests for the host ${some(hosts)} were refused.`,
          "If one of them is yours, name it with --base-url or --allowed-host. Others are scanners.",
        ),
  ];
}

/** Whether the service can listen at its port. */
export function checkPort(
  { host, port, socket }: Pick<Config, "host" | "port" | "socket">,
  { is_running }: Running,
): Finding {
  const { ok, failed } = findingsOf("port");
  if (is_running || port === 0 || socket !== null) return ok("The port is not in question.");
  try {
    Bun.listen({ hostname: host, port, exclusive: true, socket: { data: () => undefined } }).stop(true);
    return ok(`${host}:${port} is free.`);
  } catch (error) {
    return failed(
      `${host}:${port} cannot be listened at: ${messageOf(error)}.`,
      "End the other program, or start with another --port or --host.",
    );
  }
}

/** Whether the admin socket is for the owner alone. */
export function checkSocket(config: Pick<Config, "admin_socket" | "data_dir">): Finding {
  const { ok, failed } = findingsOf("admin-socket");
  const path = adminSocketPath(config);
  let stat: Stats | undefined;
  try {
    stat = path === null ? undefined : lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return failed(
      `The admin socket cannot be found: ${messageOf(error)}.`,
      remedyOf(error) ?? "Check the path.",
    );
  }
  if (path === null || !stat) return ok("There is no admin socket now.");
  if (!stat.isSocket())
    return failed(`${path} is no socket.`, "Remove it, or name another with --admin-socket.");
  if ((stat.mode & 0o077) === 0) return ok("Only its owner may open the admin socket.");
  return failed(`Others may open ${path}, and run the instance by it.`, `Run: chmod 600 ${path}`);
}

/** Whether enough connections can be open. `files_max`: the limit of this process; null if there is none. */
export function checkOpenFiles(files_max: number | null): Finding {
  const { ok, warning, failed } = findingsOf("open-files");
  const remedy = "Raise it: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.";
  const found = `At most ${files_max} files may be open: about 40 for the service, and one for each connection.`;
  if (files_max === null) return ok("The number of open files is not limited.");
  if (files_max < app_limits.open_files_min) return failed(`${found} The service does not start.`, remedy);
  if (files_max < app_limits.open_files_wanted) return warning(found, remedy);
  return ok(found);
}
