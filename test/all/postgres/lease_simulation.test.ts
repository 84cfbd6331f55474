/** Leases, places in line and clocks that jump over two nodes of one Postgres, against the model that checks SQLite. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { command_definitions, commands, type AppCommands } from "../../../src/app/commands.ts";
import { systemClock, type ServiceClock } from "../../../src/core/clock.ts";
import type { CommandDefinitions } from "../../../src/core/commands.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { createLog } from "../../../src/core/log.ts";
import { OpenCalls } from "../../../src/core/open_calls.ts";
import { sha256Hex } from "../../../src/core/secrets.ts";
import type { Storage, Tx } from "../../../src/core/storage.ts";
import { createNameAdministration } from "../../../src/names/administration.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { lease_reads, LeaseSimulation, type LeaseStep } from "../../support/lease_simulation.ts";
import { modelState, storedState } from "../../support/lease_state.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";

const operations = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 2_000);
const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 2);
const now_ms = Date.parse("2026-03-01T12:00:00.000Z");
/** Simulations with rooms and names of their own, at the same time: their commands share transactions. */
const worlds = 16;
/** The canonical forms of names have letters in place of digits that look like them. */
const letterOf = (n: number): string => String.fromCodePoint(97 + n);

/** Whether the connection was lost, or the node does not call the database at all. */
const isUnavailable = (outcome: unknown): boolean =>
  outcome instanceof ServiceError && /^storage_(?:failed|busy)$/.test(outcome.code);

const definitions: CommandDefinitions = command_definitions;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());

  const open = (node = ""): Promise<Storage<AppCommands>> =>
    openPostgres({
      place: { url: server.url, listen_url: server.url, connections_max: 6, prepares: true, node },
      commands,
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: (name) => definitions[name]!,
      log: createLog(systemClock, "error", (line) => console.log(line)),
    });

  test(`answer ${operations} operations on leases as a plain model does, and are killed ${kills} times`, async () => {
    const nodes = [await open("node-0"), await open("node-1")];
    const random = testRandom("leases over nodes");
    /** Ends the connections of a node in the middle of what it does, as its death does, and puts another in its place. */
    const kill = async (): Promise<void> => {
      const n = random.below(nodes.length);
      const killed = nodes[n]!;
      const name = `%node-${n}`;
      await using sql = new Bun.SQL(server.url, { max: 1 });
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE ${name}`;
      nodes[n] = await open(`node-${n}`);
      await killed.close();
    };
    const tally = { done: 0, kills: 0, lost: 0, lost_but_done: 0 };
    const count = async (): Promise<void> => {
      tally.done++;
      if (tally.done % Math.ceil(operations / (kills + 1)) !== 0 || tally.kills === kills) return;
      tally.kills++;
      await kill();
    };
    const readUntilAnswered = async <Result>(read: (tx: Tx) => Promise<Result>): Promise<Result> => {
      for (;;) {
        const answer = await random
          .oneOf(nodes)
          .read(read)
          .catch((error: unknown) => error as Error);
        if (!(answer instanceof Error)) return answer;
        if (!isUnavailable(answer)) throw answer;
      }
    };
    const call = ({ name, input }: LeaseStep): Promise<unknown> => {
      const read = lease_reads[name as keyof typeof lease_reads] as
        ((tx: Tx, input: object) => Promise<unknown>) | undefined;
      const called = read
        ? readUntilAnswered((tx) => read(tx, input))
        : random
            .oneOf(nodes)
            .write(name as "jobs.post", input as never)
            .then(({ result }) => result);
      return called.catch((error: unknown) => error);
    };
    async function expectAnswer(simulation: LeaseSimulation, world: string, step: LeaseStep): Promise<void> {
      const { model } = simulation;
      const outcome = await call(step);
      await count();
      const { name, input } = step;
      if (isUnavailable(outcome)) {
        // It is done as a whole, or not at all.
        tally.lost++;
        const stored = await readUntilAnswered((tx) => storedState(tx, world));
        if (Bun.deepEquals(stored, modelState(model))) return expectAnswer(simulation, world, step);
        step.expected();
        expect({ name, input, stored }).toEqual({ name, input, stored: modelState(model) });
        tally.lost_but_done++;
      } else {
        const actual = step.seen(outcome);
        const expected = step.expected();
        if (!Bun.deepEquals(actual, expected))
          expect({ name, input, actual }).toEqual({ name, input, actual: expected });
      }
      model.expectSound();
    }
    const worldOf = async (n: number): Promise<void> => {
      const world = `team${letterOf(n)}`;
      const simulation = new LeaseSimulation(random, world);
      for (const step of simulation.beginning()) await expectAnswer(simulation, world, step);
      for (let done = 0; done < operations / worlds; done++)
        await expectAnswer(simulation, world, simulation.step());
      // Everything, and not only what answers have shown.
      expect(await readUntilAnswered((tx) => storedState(tx, world))).toEqual(modelState(simulation.model));
    };
    await Promise.all(Array.from({ length: worlds }, (_, n) => worldOf(n)));
    console.log(`MEASURED: ${JSON.stringify(tally)}`);
    expect(tally.kills).toBe(kills);
    await Promise.all(nodes.map((node) => node.close()));
  }, 3_600_000);

  test("leave no lease to a name that is suspended while it takes one", async () => {
    const nodes = [await open(), await open()] as const;
    const clock = { now: () => now_ms, moment: () => ({ now_ms, ahead_ms: 0 }) };
    const administration = createNameAdministration({
      storage: nodes[1],
      clock: clock as unknown as ServiceClock,
      open_calls: new OpenCalls(),
    } as unknown as Parameters<typeof createNameAdministration>[0]);
    const operator = { actor: "operator", scopes: [] };
    const key_sha256 = sha256Hex("key");
    const person = {
      name: "racer",
      look: "racer",
      recovery_sha256: sha256Hex("code"),
      key_sha256,
      claims: "open",
      now_ms,
    } as const;
    const { canonical } = (await nodes[0].write("names.claim", person)).result;
    const host = { name: "host", goal: "g", visibility: "unlisted", identity: null } as const;
    await nodes[0].write("rooms.open", { ...host, slugs: ["the-room"], host_key_sha256: key_sha256, now_ms });
    const identity = { name: person.name, canonical, key_sha256 };
    const held = async (): Promise<number> =>
      (await nodes[0].read((tx) => tx.all("SELECT fence FROM leases WHERE holder = $1 LIMIT 10", canonical)))
        .length;
    for (let n = 0; n < 100; n++) {
      const moment = { now_ms, ahead_ms: 0, room: "the-room" };
      const taking = nodes[0]
        .write("leases.take", { ...moment, identity, paths: [`path-${n}`], ttl_seconds: 600, purpose: null })
        .catch((error: ServiceError) => expect(error.code).toBe("name_suspended"));
      await Promise.all([taking, administration.suspend(operator, { name: "Racer", reason: "r" })]);
      expect(await held()).toBe(0);
      await administration.unsuspend(operator, { name: "Racer", reason: "r" });
    }
    await Promise.all(nodes.map((node) => node.close()));
  }, 300_000);
});
