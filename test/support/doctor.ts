/** What the tests of `wharf doctor` share: findings of a directory, and services with keys of their own. */

import { join } from "node:path";
import type { Clock } from "../../src/core/clock.ts";
import { default_config, type Config } from "../../src/core/settings.ts";
import { examine } from "../../src/doctor/doctor.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { databaseOf } from "./postgres.ts";
import { startSource, type SourceService, type TestSettings } from "./service.ts";

export const own_user = process.getuid!();

export interface Examiner {
  clock: Clock;
  files_max?: number;
  user?: number;
}

/** The findings for `directory`, of a service that listens at a port of the system's choice. */
export const findings = (directory: string, settings: Partial<Config>, by: Examiner): Promise<Finding[]> =>
  examine(
    { ...default_config, ...databaseOf(directory), port: 0, data_dir: directory, ...settings },
    { user: own_user, files_max: 65_536, ...by },
  );

/** The finding of one check. */
export const of = (found: Finding[], check: string): Finding =>
  found.find((finding) => finding.check === check)!;

let started = 0;

/** Starts a service with keys of its own in a new folder of `root`. */
export const startOwn = (root: string, settings: TestSettings = {}): Promise<SourceService> =>
  startSource({ data_dir: join(root, `service-${++started}`), ...settings }, undefined, 1 + started);
