/** Wharf for test suites in bun test, vitest and node:test: starts `wharf dev`, and controls it. See README.md. */

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { createClient, type ClientOptions } from "../src/client/client.ts";

export interface WharfOptions {
  /**
   * The program and its first arguments. Without it: the program in `WHARF_BIN`, otherwise that of the npm package
   * `@wharf-agents/wharf`, otherwise `wharf` on the PATH.
   */
  command?: string[];
  /** More arguments for `wharf dev`, such as `["--round-seconds", "10"]`. */
  args?: string[];
  /** Repeats the ids, keys and beacon of this number (1). */
  seed?: number;
  /** The time to start at, in ISO 8601 (2030-01-01T00:00:00.000Z). */
  at?: string;
  /** Whether the clock stands still until the suite moves it (false). */
  frozen?: boolean;
  /** A `wharf dev` that runs already, such as a container. Then nothing is started or stopped. Without it: `WHARF_URL`. */
  url?: string;
  /** How long the start may take, in seconds (30). */
  start_seconds_max?: number;
}

/** Which requests fail, and how. */
export interface FaultOptions {
  /** A method and a path as in the OpenAPI document; `*` for either part: `POST /api/jobs/{id}/claim`, `GET *`. */
  route: string;
  /** Answers with this status; the request does not run. */
  status?: number;
  /** The Retry-After of that answer, in seconds. */
  retry_after_seconds?: number;
  /** Waits this long before the request runs, in real milliseconds. */
  delay_ms?: number;
  /** Cuts the connection without an answer. */
  drop?: true;
  /** Whether the connection is cut before or after the request runs (after). */
  when?: "before" | "after";
  /** How many requests fail (1); 0 for all until the fault is deleted. */
  times?: number;
}

export interface Fault extends FaultOptions {
  id: string;
  times: number;
  /** How many requests have failed. */
  happened: number;
}

export interface LoggedRequest {
  /** 1 for the first request. */
  n: number;
  /** When it came, by the clock of the service. */
  at: string;
  method: string;
  path: string;
  /** The path as in the OpenAPI document, such as `/api/jobs/{id}`; null for an unknown path. */
  route: string | null;
  query: string;
  /** Null until it is answered, and if its connection was cut. */
  status: number | null;
  /** Real milliseconds until the answer. */
  duration_ms: number | null;
  /** Without keys. */
  headers: Record<string, string>;
  /** Null if the request did not declare its length. */
  body_bytes: number | null;
  /** The id of the fault that it met. */
  faulted?: string;
}

export interface Snapshot {
  name: string;
  /** The time of the clock in it. */
  at: string;
  bytes: number;
}

export interface ClockState {
  now: string;
  frozen: boolean;
}

/** What `GET /_dev` returns. */
export interface WharfState extends ClockState {
  /** The version of the service. */
  wharf: string;
  seed: number;
  /** The time at which the clock started. */
  at: string;
  /** Null if the data is in memory. */
  data_dir: string | null;
  /** How many requests there were. */
  requests: number;
  faults: Fault[];
  snapshots: Snapshot[];
  /** How many of each are open. */
  open: { streams: number; waits: number; subscriptions: number; bodies: number };
}

export interface Duration {
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

export type Wharf = ReturnType<typeof controlsOf> & AsyncDisposable & { stop(): Promise<void> };

// Taken now, so that a suite can replace them.
const { fetch, setTimeout, clearTimeout } = globalThis;

/** Starts a service with its data in memory. Throws with the output of the program if it does not start. */
export async function startWharf(options: WharfOptions = {}): Promise<Wharf> {
  const url = options.url ?? process.env.WHARF_URL;
  const { url: address, stop } = url ? { url, stop: async () => {} } : await run(options);
  return { ...controlsOf(address.replace(/\/+$/, "")), stop, [Symbol.asyncDispose]: stop };
}

function controlsOf(url: string) {
  /** Makes a call below /_dev. Throws with the problem if it is refused. */
  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${url}/_dev${path}`, {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_dev${path}: status ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  return {
    url,
    /** A typed client of the API (src/client/client.ts), with the key of a claimed name or without. */
    client: (options: Omit<ClientOptions, "url"> = {}) => createClient({ ...options, url }),
    state: () => call<WharfState>("GET", ""),
    /** Puts everything back to the start: data, seed, clock, faults and log. Snapshots stay. */
    reset: () => call<WharfState>("POST", "/reset"),
    clock: {
      /** Lets time pass at once. Resolves when everything that fell due has run. */
      advance: ({ seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration) =>
        call<ClockState>("POST", "/clock", {
          advance_seconds: seconds + 60 * (minutes + 60 * (hours + 24 * days)),
        }),
      /** Lets time pass until `now`. Throws if that has passed. */
      set: (now: string | Date) => call<ClockState>("POST", "/clock", { now: new Date(now).toISOString() }),
      /** Stops the clock, or with `false` lets it run. */
      freeze: (frozen = true) => call<ClockState>("POST", "/clock", { frozen }),
    },
    faults: {
      add: (fault: FaultOptions) => call<Fault>("POST", "/faults", fault),
      /** Deletes a fault, or all. */
      clear: (id?: string) => call<object>("DELETE", id === undefined ? "/faults" : `/faults/${id}`),
    },
    snapshots: {
      save: (name: string) => call<Snapshot>("POST", "/snapshots", { name }),
      /** Puts data, clock and seed back to the snapshot. */
      restore: (name: string) => call<WharfState>("POST", `/snapshots/${name}/restore`),
      list: async () => (await call<{ snapshots: Snapshot[] }>("GET", "/snapshots")).snapshots,
      delete: (name: string) => call<object>("DELETE", `/snapshots/${name}`),
    },
    /** The requests since the start, the reset or `since`, the oldest first; the last 1,000 at most. */
    log: async (filter: { route?: string; since?: number } = {}) => {
      const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      return (await call<{ requests: LoggedRequest[] }>("GET", `/log?${query}`)).requests;
    },
  };
}

/** The program of the npm package if that is installed, otherwise `wharf`. Throws if its package for this platform is missing. */
function programInstalled(): string {
  const require = createRequire(import.meta.url);
  let launcher: string;
  try {
    launcher = require.resolve("@wharf-agents/wharf");
  } catch {
    return "wharf";
  }
  return (require(launcher) as { programPath(): string }).programPath();
}

/** A time or a day in the form that `wharf dev` takes. What is neither stays as it is: the program says what is wrong with it. */
function timeOf(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? at : time.toISOString();
}

/** Runs `wharf dev` as a child process. It ends with this process, also if this process is killed. */
async function run(options: WharfOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const {
    command = [process.env.WHARF_BIN || programInstalled()],
    seed = 1,
    at,
    frozen,
    args = [],
  } = options;
  const [program = "", ...first] = command;
  const flags = ["--memory", "--port", "0", "--seed", String(seed), "--json", "--until-stdin-ends"];
  if (at !== undefined) flags.push("--at", timeOf(at));
  if (frozen) flags.push("--frozen");
  const child = spawn(program, [...first, "dev", ...flags, ...args], { stdio: "pipe" });
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });

  let output = "";
  child.stderr.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-65_536)));
  let timer: NodeJS.Timeout | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => {
      child.kill("SIGKILL");
      reject(new Error(`${[program, ...first].join(" ")} did not start: ${reason}\n${output}`.trim()));
    };
    timer = setTimeout(fail, (options.start_seconds_max ?? 30) * 1000, "it printed nothing in time");
    child.once("error", ({ message }) => fail(`${message}. Set WHARF_BIN to the path of the program`));
    child.once("close", (code, signal) => fail(`it ended with ${signal ?? `status ${code}`}`));
    createInterface({ input: child.stdout }).once("line", (line) => {
      const ready = /^\{.*"url":"([^"]+)"/.exec(line)?.[1];
      if (ready !== undefined) return resolve(ready);
      output += line;
      fail("its first line has no url");
    });
  }).finally(() => clearTimeout(timer));

  // A suite that forgets to stop the service ends all the same.
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as { unref?(): void }).unref?.();
  return {
    url,
    async stop() {
      child.ref();
      child.stdin.end();
      const killing = setTimeout(() => child.kill("SIGKILL"), 5000);
      await exited;
      clearTimeout(killing);
    },
  };
}
