/** Builds the load generator (load.c) and runs it as a separate process. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";

export interface LoadOptions {
  /** Whole HTTP requests, sent in turn. */
  requests: string[];
  connections: number;
  /** Requests per second at fixed times; 0: each connection sends the next request after its answer. */
  rate?: number;
  seconds: number;
  /** Time before the measurement. */
  warm_seconds?: number;
  /** Whether failures are expected. */
  refused?: boolean;
  /** The source address; by default the system chooses. */
  from?: string;
}

/** The measured values. A time counts from when its request was due. */
export interface LoadResult {
  answers: number;
  /** Answers with a status other than 2xx. */
  failures: number;
  per_second: number;
  p50_us: number;
  p99_us: number;
  p999_us: number;
}

/** The directory of built programs. */
const built = join(import.meta.dir, "../dist/bench");

/** Compiles a C file of this directory. Returns the path of the output. */
export function compileC(source: string, output: string, ...flags: string[]): string {
  mkdirSync(built, { recursive: true });
  const path = join(built, output);
  const command = ["gcc", "-O2", "-Wall", "-Wextra", ...flags, "-o", path, join(import.meta.dir, source)];
  if (Bun.which("gcc") === null)
    throw new Error("The benchmark needs gcc (Debian: apt-get install gcc libc6-dev).");
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return path;
}

/** Compiles a baseline with the same flags as scripts/build.ts. Returns the path of the program. */
export function compileEntry(entry: string): string {
  const path = join(built, entry.replace(/\.ts$/, ""));
  const flags = [
    "--bytecode",
    "--format=esm",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
  ];
  const source = join(import.meta.dir, "baselines", entry);
  const { exitCode, stderr } = Bun.spawnSync([
    "bun",
    "build",
    "--compile",
    ...flags,
    source,
    "--outfile",
    path,
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return path;
}

let generator: string | undefined;

/** Runs the load on the server at `url`. Throws if an answer was a failure, unless `refused` is set. */
export async function load(url: string, options: LoadOptions): Promise<LoadResult> {
  generator ??= compileC("load.c", "load");
  const { requests, connections, rate = 0, seconds, warm_seconds = 0.5 } = options;
  const numbers = [connections, rate, warm_seconds, seconds].map(String);
  const from = options.from === undefined ? [] : [options.from];
  const child = Bun.spawn([generator, new URL(url).port, ...numbers, ...from], {
    stdin: new Blob([requests.join("\0")]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("The load generator failed; its error is above.");
  const result = JSON.parse(output) as LoadResult;
  if (result.failures > 0 && !options.refused)
    throw new Error(`${result.failures} of ${result.answers} answers were failures.`);
  return result;
}

/** The bytes of a GET request. */
export const getRequest = (url: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;

/** The bytes of a POST request with JSON. */
export function postRequest(url: string, path: string, value: unknown): string {
  const body = JSON.stringify(value);
  const length = Buffer.byteLength(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
  );
}
