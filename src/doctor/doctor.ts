/** `wharf doctor`: checks an instance, running or stopped, and changes nothing. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import { parseIdentity, readIdentityFile } from "../storage/sqlite/identity.ts";
import { checkBackups } from "./backups.ts";
import { checkDatabase, type Examined } from "./database.ts";
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
  type Running,
} from "./service.ts";

interface DoctorDeps {
  clock: Clock;
  /** The id of the user who runs it; null if the system has none. */
  user: number | null;
  /** The limit of open files of this process; null if there is none. */
  files_max: number | null;
}

/** Runs all checks. Without a database the checks of the data directory end early. */
export async function examine(config: Config, { clock, user, files_max }: DoctorDeps): Promise<Finding[]> {
  const running = await findService(config);
  const stored = await checkStored(config, running, { clock, user });
  return [
    ...stored.findings,
    await checkService(running),
    checkPort(config, running),
    checkSocket(config),
    checkOpenFiles(files_max),
    checkBaseUrl(config),
    checkCertificate(config, clock.now()),
    await checkReach(config, stored.kid),
    ...(await checkIgnored(running)),
  ];
}

/** The checks of the data directory or of Postgres. Without a database the checks of the directory end early. */
async function checkStored(
  config: Config,
  { is_running }: Running,
  { clock, user }: Pick<DoctorDeps, "clock" | "user">,
): Promise<Examined> {
  if (config.database !== null) {
    const { checkPostgres } = await import("./postgres.ts");
    return checkPostgres(config, clock);
  }
  const { data_dir } = config;
  const files = checkFiles(config, is_running, clock);
  if (!existsSync(join(data_dir, "wharf.db"))) return { findings: [files], kid: null };
  const database = await checkDatabase(data_dir, is_running, clock);
  const findings = [
    files,
    checkPermissions(config, user),
    checkDisk(config, database.reusable_bytes),
    checkFileSystem(config),
    checkLogFile(config, is_running),
    ...database.findings,
    checkBackups(config, parseIdentity(readIdentityFile(data_dir) ?? ""), clock),
  ];
  return { findings, kid: database.kid };
}
