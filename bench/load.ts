/** The load on a server: builds the generator (load.c) and runs it beside the server, as a process of its own. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";

export interface LoadOptions {
  /** Whole HTTP requests, sent in turn. */
  requests: string[];
  connections: number;
  /** Requests a second at fixed times; 0: each connection sends again when it was answered. */
  rate?: number;
  seconds: number;
  /** Not measured. */
  warm_seconds?: number;
  /** Failures are what is measured. */
  refused?: boolean;
  /** The address that it comes from; left out: what the system chooses. */
  from?: string;
}

/** What the load saw; a time counts from when its request was due, in microseconds. */
export interface LoadResult {
  answers: number;
  /** Answers with a status outside of 2xx. */
  failures: number;
  per_second: number;
  p50_us: number;
  p99_us: number;
  p999_us: number;
}

/** Where everything that is built for the benchmark goes. */
const built = join(import.meta.dir, "../dist/bench");

/** Compiles a C file of this directory. Answers with the path of what came out. */
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

/** Compiles an entry of the benchmark in the way in which scripts/build.ts compiles the service. */
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

/** Puts load on the server at `url` and waits until it has ended. Throws when an answer was a failure. */
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
  const result = (await new Response(child.stdout).json()) as LoadResult;
  if (result.failures > 0 && !options.refused)
    throw new Error(`${result.failures} of ${result.answers} answers were failures.`);
  return result;
}

/** A GET as it goes over the wire. */
export const getRequest = (url: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;

/** A POST of JSON as it goes over the wire. */
export function postRequest(url: string, path: string, value: unknown): string {
  const body = JSON.stringify(value);
  const length = Buffer.byteLength(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
  );
}
