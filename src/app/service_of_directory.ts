/** The service of a data directory, for a program that needs it: the one that runs there, or one that is started in this process. */

import type { Config } from "../core/settings.ts";
import { isLocked } from "../storage/sqlite/lock.ts";
import { ownersCall } from "./admin_socket.ts";
import { serve, type Service } from "./serve.ts";
import type { Runtime } from "../core/runtime.ts";

/** Another process has locked the directory and does not serve there now. It may be starting or stopping. */
export class DirectoryInUse extends Error {
  constructor(directory: string, cause: unknown) {
    super(
      `Another wharf uses ${directory}, and does not answer at its admin socket. If it serves, give its address with --url.`,
      { cause },
    );
  }
}

/** How long the running service may take to say that it runs. */
const answer_seconds_max = 5;

/** `is_port_chosen`: whether no other port may be taken for that of `config`. */
export function serviceOfDirectory(config: Config, is_port_chosen: boolean, deps: Runtime) {
  const { data_dir } = config;
  let own: Service | undefined;
  let finding: Promise<string> | undefined;
  /** Where the service was found. */
  let found: string | undefined;

  async function running(): Promise<string | null> {
    const call = await ownersCall(config, answer_seconds_max);
    const response = await call?.("/api/admin/network");
    if (!response?.ok) return null;
    const { urls: [url = null] = [] } = (await response.json()) as { urls?: string[] };
    return url;
  }

  async function start(): Promise<string> {
    const begin = (port: number) => serve({ ...config, port }, { ...deps, follows_database: true });
    own = await begin(config.port).catch((error: unknown) => {
      if (is_port_chosen || !isTaken(error)) throw error;
      return begin(0);
    });
    own.prepare();
    return own.urls[0]!;
  }

  async function find(): Promise<string> {
    try {
      return (await running()) ?? (await start());
    } catch (error) {
      // Another process may have started it meanwhile.
      const other = await running().catch(() => null);
      if (other) return other;
      throw isLocked(data_dir) ? new DirectoryInUse(data_dir, error) : error;
    }
  }

  return {
    /**
     * Finds the service, or starts it. Resolves to its URL on this machine, or to `unix:` and the path of its socket. Throws `DirectoryInUse`,
     * or a user-facing error if it cannot be started.
     */
    async find(): Promise<string> {
      const present = (finding ??= find());
      try {
        return (found = await present);
      } catch (error) {
        if (finding === present) finding = undefined;
        throw error;
      }
    },

    /** Notes that the service does not answer at `url`, where it was found: the next `find` looks for another. */
    lost(url: string): void {
      // Many calls lose the same connection: what the first of them has found since must stay.
      if (!own && url === found) found = finding = undefined;
    },

    /** Stops the service if this process runs it. */
    async stop(): Promise<void> {
      await finding?.catch(() => {});
      await own?.stop();
    },
  };
}

const isTaken = (error: unknown): boolean =>
  ((error as Error).cause as { code?: unknown } | undefined)?.code === "EADDRINUSE";
