/** Leases, places in line and clocks that jump over two nodes of one Postgres, against the model that checks SQLite. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { command_definitions, commands, type AppCommands } from "../../../src/app/commands.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { CommandDefinitions } from "../../../src/core/commands.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Storage, Tx } from "../../../src/core/storage.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { lease_reads, LeaseSimulation, type LeaseStep } from "../../support/lease_simulation.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";

const operations = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 2_000);
/** Simulations with rooms and names of their own, at the same time: their commands share transactions. */
const worlds = 16;
/** The canonical forms of names have letters in place of digits that look like them. */
const letterOf = (n: number): string => String.fromCodePoint(97 + n);

const definitions: CommandDefinitions = command_definitions;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());

  const open = (): Promise<Storage<AppCommands>> =>
    openPostgres({
      place: { url: server.url, listen_url: server.url, connections_max: 6, prepares: true },
      commands,
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: (name) => definitions[name]!,
      log: createLog(systemClock, "warn", (line) => console.log(line)),
    });

  test(`answer ${operations} operations on leases as a plain model does`, async () => {
    const nodes = [await open(), await open()];
    const random = testRandom("leases over nodes");
    const call = ({ name, input }: LeaseStep): Promise<unknown> => {
      const node = random.oneOf(nodes);
      const read = lease_reads[name as keyof typeof lease_reads] as
        ((tx: Tx, input: object) => Promise<unknown>) | undefined;
      const called = read
        ? node.read((tx) => read(tx, input))
        : node.write(name as "jobs.post", input as never).then(({ result }) => result);
      return called.catch((error: unknown) => error);
    };
    async function expectAnswer({ model }: LeaseSimulation, step: LeaseStep): Promise<void> {
      const actual = step.seen(await call(step));
      const expected = step.expected();
      const { name, input } = step;
      if (!Bun.deepEquals(actual, expected))
        expect({ name, input, actual }).toEqual({ name, input, actual: expected });
      model.expectSound();
    }
    const worldOf = async (n: number): Promise<void> => {
      const simulation = new LeaseSimulation(random, `team${letterOf(n)}`);
      for (const step of simulation.beginning()) await expectAnswer(simulation, step);
      for (let done = 0; done < operations / worlds; done++)
        await expectAnswer(simulation, simulation.step());
    };
    await Promise.all(Array.from({ length: worlds }, (_, n) => worldOf(n)));
    await Promise.all(nodes.map((node) => node.close()));
  }, 3_600_000);
});
