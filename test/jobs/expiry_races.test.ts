/** A lease that ends while its holder uses it at another node: either the lease has ended, or the holder was in time. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPostgresOf } from "../../src/app/postgres.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import type { Identity } from "../../src/core/caller.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { default_config } from "../../src/core/settings.ts";
import { readJob } from "../../src/jobs/queries.ts";
import { useLimits } from "../support/longer_limits.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { lookKey } from "../../src/names/imitation.ts";

const claimed_ms = 1_700_000_000_000;
const end_ms = claimed_ms + 3_600_000;

describe.skipIf(lacks_postgres)("a lease that ends at one node", () => {
  // The test itself holds the lock for which both nodes wait.
  useLimits({ lock_seconds_max: 60 });

  let server: PostgresServer;
  let nodes: AppStorage[];
  let sql: Bun.SQL;
  let poster: Identity;
  let holder: Identity;
  let calls = 0;
  const directory = newDirectory();
  beforeAll(async () => {
    server = await startPostgres();
    const log = createLog(systemClock, "warn", () => undefined);
    const config = { ...default_config, data_dir: directory, database: server.url };
    nodes = [await openPostgresOf(config, log), await openPostgresOf(config, log)];
    sql = new Bun.SQL(server.url, { max: 2 });
    [poster, holder] = [await newName("poster"), await newName("holder")];
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await sql.close();
    await server.stop();
    removeDirectory(directory);
  });

  async function newName(name: string): Promise<Identity> {
    const key_sha256 = sha256Hex(`key of ${name}`);
    const input = {
      name,
      look: lookKey(name),
      key_sha256,
      recovery_sha256: sha256Hex(name),
      claims: "open" as const,
    };
    const { result } = await nodes[0]!.write("names.claim", { ...input, now_ms: claimed_ms });
    return { name, canonical: result.canonical, key_sha256 };
  }
  const input = (identity: Identity, id: string, now_ms: number) => ({
    identity,
    id,
    note_id: `note-${++calls}`,
    now_ms,
    ahead_ms: 0,
  });
  /** Resolves when `count` transactions wait for a row. */
  async function waiting(count: number): Promise<void> {
    for (;;) {
      const [row] = await sql`SELECT COUNT(*)::int AS count FROM pg_stat_activity
        WHERE wait_event IN ('transactionid', 'tuple')`;
      if (row.count === count) return;
    }
  }

  const uses = {
    extend: (id: string) => nodes[1]!.write("jobs.extend", input(holder, id, end_ms - 1)),
    release: (id: string) => nodes[1]!.write("jobs.release", input(holder, id, end_ms - 1)),
    deliver: (id: string) =>
      nodes[1]!.write("jobs.deliver", { ...input(holder, id, end_ms - 1), result: "done", claim_no: null }),
  };
  const in_time = { extend: "held", release: "open", deliver: "delivered" };

  test.each([
    ["extend", true],
    ["extend", false],
    ["release", true],
    ["release", false],
    ["deliver", true],
    ["deliver", false],
  ] as const)(
    "has one end, if its holder calls %s at another (the end comes first: %p)",
    async (use, ends_first) => {
      const id = `job ${use} ${ends_first}`;
      const text = { title: id, detail: "d", tags: [] };
      await nodes[0]!.write("jobs.post", { ...input(poster, id, claimed_ms), ...text });
      await nodes[0]!.write("jobs.claim", { ...input(holder, id, claimed_ms), held_jobs_max: 5 });
      const settle = () => nodes[0]!.write("jobs.settle", { now_ms: end_ms, ahead_ms: 0 });

      // Both have read the job before either changes it.
      const lock = await sql.reserve();
      await lock`BEGIN`;
      await lock`SELECT seq FROM jobs WHERE id = ${id} FOR UPDATE`;
      const begun: Promise<unknown>[] = [];
      const steps = [settle, () => uses[use](id)];
      for (const step of ends_first ? steps : steps.toReversed()) {
        begun.push(
          step().then(
            () => "done",
            (error: ServiceError) => error.code,
          ),
        );
        await waiting(begun.length);
      }
      await lock`ROLLBACK`;
      void lock.release();
      const outcomes = await Promise.all(begun);
      const used = outcomes[ends_first ? 1 : 0]!;
      expect(used).toBe(ends_first ? "not_holder" : "done");
      const job = await nodes[0]!.read((tx) => readJob(tx, id, { now_ms: end_ms, ahead_ms: 0 }));
      expect<string | undefined>(job?.state).toBe(ends_first ? "open" : in_time[use]);
      const rows =
        await sql`SELECT kind FROM notes WHERE content LIKE ${`%"${id}"%`} AND owner = ${poster.canonical} ORDER BY seq`;
      const noted = { extend: [], release: ["job.released"], deliver: ["job.delivered"] }[use];
      expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual([
        "job.claimed",
        ...(ends_first ? ["job.lapsed"] : noted),
      ]);
      await expectOpenCounted();
    },
  );

  /** Expects the count of open jobs to be that of the rows. */
  async function expectOpenCounted(): Promise<void> {
    const [row] = await sql`SELECT (SELECT COUNT(*)::int FROM jobs WHERE state = 'open') AS open,
      (SELECT value::int FROM counters WHERE name = 'jobs_open') AS counted`;
    expect(row.counted).toBe(row.open);
  }
});
