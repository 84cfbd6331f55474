/** Real services for tests: the source in this process on a fake clock, or the compiled binary as a process of its own. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, type Log } from "../../src/core/log.ts";
import type { FeatureSet } from "../../src/app/features.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import { serve, type Service } from "../../src/app/serve.ts";
import { default_config, setting_names, settings, type Config } from "../../src/core/settings.ts";
import { binary, lacks_binary } from "./binary.ts";
import { watchOutput } from "./canaries.ts";
import { FakeClock } from "./clock.ts";
import { keepNoConnections } from "./http.ts";
import { started } from "./leftovers.ts";
import { databaseOf, is_on_postgres } from "./postgres.ts";
import { seededRandom } from "../../src/dev/random.ts";

export interface TestService {
  url: string;
  directory: string;
  /** Its log and its other output. */
  output(): string;
  stop(): Promise<void>;
}

export type TestSettings = Partial<Config>;

/** Creates a directory for a service's files. `removeDirectory` deletes it. */
export const newDirectory = (): string => mkdtempSync(join(tmpdir(), "wharf-test-"));
export const removeDirectory = (directory: string): void =>
  rmSync(directory, { recursive: true, force: true });

const test_config: Config = { ...default_config, port: 0, rate_limit: false };

export interface SourceService extends TestService {
  clock: FakeClock;
  open: Service["open"];
  metrics_url: string | null;
}

/** Starts the source in this process, on a socket that the system chose, with a fake clock, a seed and an optional storage. */
export async function startSource(
  settings: TestSettings = {},
  clock = new FakeClock(),
  seed = 1,
  openStorage?: (directory: string, clock: FakeClock, log: Log) => Promise<AppStorage>,
  features?: FeatureSet,
  node_clock?: FakeClock,
  lookup?: (host: string) => Promise<readonly string[]>,
): Promise<SourceService> {
  const directory = settings.data_dir ?? newDirectory();
  if (settings.port) keepNoConnections(settings.port);
  let output = "";
  const log = createLog(clock, "debug", (line) => void (output += line), settings.log_format);
  const config = { ...test_config, ...databaseOf(directory), ...settings, data_dir: directory };
  const storage = await openStorage?.(directory, clock, log);
  const service = await serve(config, {
    clock,
    random: seededRandom(seed),
    log,
    ...(storage && { storage }),
    ...(features && { features }),
    ...(node_clock && { node_clock }),
    ...(lookup && { lookup }),
  });
  const lookThrough = watchOutput(service.url, () => output);
  return {
    url: service.url,
    open: service.open,
    metrics_url: service.metrics_url,
    directory,
    clock,
    output: () => output,
    async stop() {
      await service.stop();
      log.close();
      lookThrough();
      if (!settings.data_dir) removeDirectory(directory);
    },
  };
}

/** The flags for `settings`: one for each setting that differs from its default. */
export function flagsOf(chosen: TestSettings): string[] {
  const config = { ...test_config, ...chosen };
  return setting_names.flatMap((name) => {
    const { flag, value_name } = settings[name];
    if (String(config[name]) === String(default_config[name])) return [];
    return value_name === null ? [`--${flag}`] : [`--${flag}`, String(config[name])];
  });
}

export type Process = Bun.Subprocess<"ignore", "pipe", "pipe">;

/** The compiled binary as a process, as `startProgram` starts it. */
export const startBinary = async (settings?: TestSettings, environment?: Record<string, string>) =>
  startProgram([binary()], settings, environment);

/** Starts the service as a process. Resolves when it prints that it serves; otherwise throws with its output. */
export async function startProgram(
  program: string[],
  settings: TestSettings = {},
  environment: Record<string, string> = {},
  cwd?: string,
): Promise<TestService & { process: Process }> {
  const directory = settings.data_dir ?? newDirectory();
  if (settings.port) keepNoConnections(settings.port);
  const config = { ...databaseOf(directory), ...settings, data_dir: directory };
  const child = Bun.spawn([...program, "serve", ...flagsOf(config)], {
    env: { ...process.env, ...environment },
    ...(cwd && { cwd }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>, seen: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      seen(output);
    }
  };
  const url = await new Promise<string>((resolve, reject) => {
    const look = (text: string) => {
      const found = /serving at (https?:\/\/[^/\s]+|unix:\S+)/.exec(text);
      if (found) resolve(found[1]!);
    };
    void Promise.all([collect(child.stdout, look), collect(child.stderr, look)]).then(() =>
      reject(new Error(output)),
    );
  });
  const lookThrough = watchOutput(url, () => output);
  return {
    url,
    directory,
    process: child,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      lookThrough();
      if (!settings.data_dir) removeDirectory(directory);
    },
  };
}

type Way = [string, (settings?: TestSettings) => Promise<TestService>];

/**
 * The two ways to run a scenario. The binary is skipped if it is missing or older than the source, and on Postgres, where it runs
 * the same code.
 */
export const ways: Way[] = [
  ["source", startSource],
  ...(lacks_binary || is_on_postgres ? [] : [["binary", startBinary] satisfies Way]),
];
