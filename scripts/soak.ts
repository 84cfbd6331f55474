/**
 * Soak tests: `bun run soak <name>` runs test files many times while busy processes use the processors, and writes the
 * results into test/SOAK.md. `bun run soak` lists the names.
 */

import { mkdtempSync } from "node:fs";
import { cpus, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeRow } from "./table_rows.ts";

interface Soak {
  about: string;
  /** Test files, from test/ and without their ending. All of them run at once, each in a process of its own. */
  files: string[];
  /** Sizes of the tests: small ones if the soak repeats the files, larger ones if one run takes long. */
  environment: Record<string, string>;
}

const soaks: Record<string, Soak> = {
  busy: {
    about: "locks, stops, crashes, power cuts, streams and idle connections on a busy machine",
    files: [
      ...["all/stop", "scenarios/authorisation", "web/event_streams"],
      ...["all/idle_connections", "all/streams_load"],
      ...["crash", "database_lock", "job_crash", "power_cut", "wal_size"].map((name) => `all/sqlite/${name}`),
    ],
    environment: { WHARF_TEST_KILLS: "5", WHARF_TEST_CUTS: "2", WHARF_TEST_RUNS: "10" },
  },
  beacon: {
    about: "1,000,000 reads of a beacon whose clock is set while it sleeps and restarts",
    files: ["all/beacon_simulation"],
    environment: { WHARF_TEST_OPERATIONS: "1000000" },
  },
  crashes: {
    about: "200 kills between a command and its notes, and 20 power cuts",
    files: ["all/sqlite/job_crash", "all/sqlite/power_cut"],
    environment: { WHARF_TEST_KILLS: "200", WHARF_TEST_CUTS: "20" },
  },
  stops: {
    about:
      "15 stops and 15 notified stops under load, 6 reloads with TLS and without, and a migration of all posts, killed 15 times",
    files: ["all/signals_under_load", "all/sqlite/moved_posts", "all/postgres/moved_posts"],
    environment: { WHARF_TEST_KILLS: "15" },
  },
  nodes: {
    about: "two nodes on one Postgres: readers of 100,000 posts, kills, crashes and network cuts",
    files: ["all/postgres/nodes", "all/postgres/cuts"],
    environment: { WHARF_TEST_OPERATIONS: "100000", WHARF_TEST_KILLS: "20", WHARF_TEST_CUTS: "5" },
  },
  kills: {
    about: "kills in the first start of a copied directory, and in restores, imports and copies",
    files: ["all/sqlite/first_start_kills", "all/sqlite/new_directory_kills"],
    environment: { WHARF_TEST_KILLS: "20" },
  },
  races: {
    about: "100,000 calls at two nodes on one Postgres, against the model of jobs",
    files: ["all/postgres/simulation"],
    environment: { WHARF_TEST_OPERATIONS: "100000" },
  },
  leases: {
    about:
      "1,000,000 steps on leases against a model, and 64 racers for leases at a service that is killed 20 times (--runs 1 --load 0)",
    files: ["all/lease_simulation", "all/lease_waits", "all/sqlite/lease_races"],
    environment: {
      WHARF_TEST_OPERATIONS: "1000000",
      WHARF_TEST_STEPS: "10000",
      WHARF_TEST_KILLS: "20",
      WHARF_TEST_GRANTS: "3000",
    },
  },
  lease_nodes: {
    about: "the same at two nodes on one Postgres: 100,000 steps and the racers, each with 20 kills",
    files: ["all/postgres/lease_simulation", "all/postgres/lease_races"],
    environment: {
      WHARF_TEST_OPERATIONS: "100000",
      WHARF_TEST_KILLS: "20",
      WHARF_TEST_GRANTS: "3000",
    },
  },
  copy: {
    about: "`wharf copy` of 1,000,000 posts into Postgres and back",
    files: ["soak/copy"],
    environment: {},
  },
  hosts: {
    about:
      "two agents of Claude Code, Codex, Gemini CLI and opencode want the same file (--runs 1 --load 0; takes 1.1 GB from npm)",
    files: ["soak/lease_hosts"],
    environment: {},
  },
  plugins: {
    about: "Claude Code and Gemini CLI install the plugin (--runs 1 --load 0; takes 1.1 GB from npm)",
    files: ["soak/plugin_hosts"],
    environment: {},
  },
  wake: {
    about:
      "a stand-in of an agent is started for each of 100 mentions, while the watcher and the service are killed",
    files: ["all/wake_kills"],
    environment: { WHARF_TEST_KILLS: "100" },
  },
  wake_hosts: {
    about:
      "the same with Claude Code, Codex, Gemini CLI and opencode, ten mentions each (--runs 1 --load 0; takes 1.1 GB from npm)",
    files: ["soak/wake_hosts"],
    environment: { WHARF_TEST_KILLS: "10" },
  },
  setup: {
    about:
      "`wharf setup` with Claude Code, Codex, Gemini CLI and opencode: a task through the tools, and all files as before (--runs 1 --load 0; takes 1.1 GB from npm)",
    files: ["soak/setup_hosts"],
    environment: {},
  },
  first_hour: {
    about:
      "from the source to an answer on Debian with Node alone (--runs 1 --load 0; as root, with mmdebstrap; takes 0.5 GB from Debian)",
    files: ["soak/first_hour_debian"],
    environment: {},
  },
  members: {
    about:
      "the times of 10,000 requests each about a private room of others and about none, on SQLite and Postgres (--runs 1 --load 0)",
    files: ["soak/members"],
    environment: { WHARF_TEST_OPERATIONS: "10000" },
  },
  waits: {
    about: "2,000 waits of 280 s beside readers and writers (one run takes five minutes)",
    files: ["soak/waits"],
    environment: {},
  },
  fuzz: {
    about:
      "an hour of random calls over HTTP and MCP, as bytes (--runs 1 --load 0; WHARF_TEST_SEED makes them again)",
    files: ["all/fuzz"],
    environment: { WHARF_TEST_SECONDS: "3600" },
  },
  watch: {
    about: "`wharf watch` through 100,000 notes, while it and the service are killed",
    files: ["all/watch_kills"],
    environment: { WHARF_TEST_OPERATIONS: "100000", WHARF_TEST_KILLS: "300" },
  },
  webhooks: {
    about:
      "webhooks for 100,000 notes through 50 kills of the service and of the receiver, on SQLite and with two nodes on Postgres (--runs 1 --load 0)",
    files: ["all/webhook_kills", "all/postgres/webhooks"],
    environment: { WHARF_TEST_OPERATIONS: "100000", WHARF_TEST_KILLS: "50" },
  },
  litestream: {
    about: "Litestream beside a service that is killed (needs the program; the file says how to install it)",
    files: ["soak/litestream"],
    environment: { WHARF_TEST_RUNS: "3" },
  },
};

/** The options with their defaults. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** Number of runs. */
    runs: { type: "string", default: "50" },
    /** Number of busy processes. */
    load: { type: "string", default: "8" },
    /** Their priority: from 0, the same as the tests, to 19, the lowest, for a shared machine. */
    nice: { type: "string", default: "0" },
  },
});

interface Outcome {
  passed: number;
  /** Titles of the failed tests. */
  failed: string[];
  seconds: number;
  /** What tests have printed after `MEASURED: `. */
  measured: string[];
}

/** Runs a test file once and writes its output to `log`. */
async function runFile(file: string, log: string, environment: Record<string, string>): Promise<Outcome> {
  const began = performance.now();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "7200000", `test/${file}.test.ts`], {
    env: { ...process.env, ...environment },
    stdout: Bun.file(log),
    stderr: Bun.file(`${log}.tests`),
  });
  const status = await child.exited;
  const lines = (await Bun.file(`${log}.tests`).text()).split("\n");
  const failed = [
    ...new Set(lines.flatMap((line) => /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1] ?? [])),
  ];
  const passed = Number(
    lines
      .findLast((line) => line.endsWith(" pass"))
      ?.trim()
      .split(" ")[0] ?? 0,
  );
  if (status !== 0 && failed.length === 0) failed.push(`${file} ended without a summary`);
  const measured = (await Bun.file(log).text())
    .split("\n")
    .flatMap((line) => /^MEASURED: (.+)/.exec(line)?.[1] ?? []);
  return { passed, failed, seconds: (performance.now() - began) / 1000, measured };
}

/** Runs all test files of a soak once, concurrently. */
async function runOnce({ files, environment }: Soak, log: string): Promise<Outcome> {
  const outcomes = await Promise.all(
    files.map((file) => runFile(file, `${log}.${file.replaceAll("/", ".")}`, environment)),
  );
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.flatMap(({ failed }) => failed),
    seconds: Math.max(...outcomes.map(({ seconds }) => seconds)),
    measured: outcomes.flatMap(({ measured }) => measured),
  };
}

/** Starts processes that each keep a processor busy. */
function startBusy(count: number, nice: number): Bun.Subprocess[] {
  return Array.from({ length: count }, () => {
    const child = Bun.spawn([process.execPath, "-e", "for (;;);"]);
    setPriority(child.pid, nice);
    return child;
  });
}

/** Runs a soak and writes its results. Returns the number of failed tests. */
async function soak(name: string, chosen: Soak): Promise<number> {
  const [runs, load, nice] = [Number(values.runs), Number(values.load), Number(values.nice)];
  const busy = startBusy(load, nice);
  process.once("exit", () => busy.forEach((child) => child.kill("SIGKILL")));
  const logs = mkdtempSync(join(tmpdir(), `soak-${name}-`));
  const outcomes: Outcome[] = [];
  const loads: number[] = [];
  for (let run = 1; run <= runs; run++) {
    const outcome = await runOnce(chosen, join(logs, String(run)));
    outcomes.push(outcome);
    loads.push(loadavg()[0]!);
    const { passed, failed, seconds } = outcome;
    console.log(
      `run ${run}: ${passed} passed, ${failed.length} failed, ${seconds.toFixed(0)} s ${failed.join("; ")}`,
    );
  }
  // Stop the busy processes before formatting the results.
  for (const child of busy) child.kill("SIGKILL");
  const total = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0);
  const passed = total((outcome) => outcome.passed);
  const failed = total((outcome) => outcome.failed.length);
  const seconds = median(outcomes.map((outcome) => outcome.seconds)).toFixed(0);
  const load_average = median(loads).toFixed(0);
  console.log(
    `${name}: ${runs} runs, ${passed} passed, ${failed} failed, median ${seconds} s; logs in ${logs}`,
  );
  const day = new Date(Date.now()).toISOString().slice(0, 10);
  const beside = `${load}, priority ${nice}`;
  const machine = `${load_average} on ${cpus().length} processors`;
  const measured = outcomes.at(-1)?.measured.join("; ") ?? "";
  const cells = [name, runs, beside, machine, passed, failed, `${seconds} s`, day, measured];
  await writeRow(join(import.meta.dir, "../test/SOAK.md"), cells);
  return failed;
}

// Stop the busy processes if the soak is interrupted: an exit handler does not run for an unhandled signal.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const [name = ""] = positionals;
const chosen = soaks[name];
if (chosen) process.exit((await soak(name, chosen)) === 0 ? 0 : 1);
for (const [name, { about, files }] of Object.entries(soaks)) {
  console.log(`bun run soak ${name}: ${about} (${files.join(", ")})`);
}
console.log("Options: --runs <50> --load <8 busy processes> --nice <0, their priority>");
process.exit(name === "" ? 0 : 2);
