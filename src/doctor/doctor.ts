/** `wharf doctor`: checks an instance, running or stopped, and changes nothing. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import { checkBackups } from "./backups.ts";
import { checkDatabase } from "./database.ts";
import { checkDisk, checkFiles, checkFileSystem, checkLogFile, checkPermissions } from "./directory.ts";
import type { Finding } from "./finding.ts";
import { checkBaseUrl, checkCertificate, checkReach } from "./network.ts";
import {
  checkIgnored,
  checkOpenFiles,
  checkPort,
  checkService,
  checkSocket,
  findService,
} from "./service.ts";

export interface DoctorDeps {
  clock: Clock;
  /** The id of the user who runs it; null if the system has none. */
  user: number | null;
  /** The limit of open files of this process; null if there is none. */
  files_max: number | null;
}

/** Runs all checks. Without a database those of the data directory end early. */
export async function examine(config: Config, { clock, user, files_max }: DoctorDeps): Promise<Finding[]> {
  const running = await findService(config);
  const { data_dir } = config;
  const files = checkFiles(config, running.is_running);
  const has_database = existsSync(join(data_dir, "wharf.db"));
  const database = has_database ? await checkDatabase(data_dir, running.is_running, clock) : null;
  const of_directory = database
    ? [
        checkPermissions(config, user),
        checkDisk(config),
        checkFileSystem(config),
        checkLogFile(config, running.is_running),
        ...database.findings,
        checkBackups(config, clock),
      ]
    : [];
  return [
    files,
    ...of_directory,
    await checkService(running),
    checkPort(config, running),
    checkSocket(config),
    checkOpenFiles(files_max),
    checkBaseUrl(config),
    checkCertificate(config, clock.now()),
    await checkReach(config, database?.kid ?? null),
    ...(await checkIgnored(running)),
  ];
}
