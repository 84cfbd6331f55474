/**
 * Leases, places in line and clocks that jump, against a plain model: the answers of all commands and of reads between them, on a real
 * SQLite file through the real writer, which is opened again from time to time.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../src/app/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import { TransactionRunner } from "../../src/storage/sqlite/group_commit.ts";
import { failureFromThread, type PlainFailure } from "../../src/storage/sqlite/thread_failure.ts";
import { lease_reads, LeaseSimulation, type LeaseStep } from "../support/lease_simulation.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const operations = Number(process.env.WHARF_TEST_OPERATIONS ?? 10_000);
const group_size = 1_000;

const thrown = (failure: PlainFailure): Error =>
  failureFromThread(failure, "the command failed", { noteDamage: () => {} });

test(`answers ${operations} operations on leases as a plain model does`, async () => {
  const directory = newDirectory();
  const open = () =>
    TransactionRunner.open(join(directory, "wharf.db"), { ...commands, ...lease_reads }, systemClock);
  let writer = open();
  const simulation = new LeaseSimulation(testRandom("leases simulation"));
  const outcomes = new Map<string, number>();
  async function run(steps: LeaseStep[], expected: unknown[], done: number): Promise<void> {
    const requests = steps.map(({ name, input }) => ({ name, input, call: undefined }));
    const { replies } = await writer.commit(requests);
    for (const [i, { name, input, seen }] of steps.entries()) {
      const reply = replies[i]!;
      const actual = seen(reply.failure ? thrown(reply.failure) : reply.result);
      const { code = "done" } = (actual ?? {}) as { code?: string };
      outcomes.set(`${name} ${code}`, (outcomes.get(`${name} ${code}`) ?? 0) + 1);
      if (!Bun.deepEquals(actual, expected[i])) {
        const operation = { operation: done + i, name, input };
        expect({ ...operation, actual }).toEqual({ ...operation, actual: expected[i] });
      }
    }
    writer.checkpoints.afterGroup();
  }
  for (const step of simulation.beginning()) {
    const expected = step.expected();
    await run([step], [expected], 0);
  }
  for (let done = 0; done < operations; done += group_size) {
    const steps: LeaseStep[] = [];
    const expected: unknown[] = [];
    for (let n = 0; n < group_size; n++) {
      const step = simulation.step();
      steps.push(step);
      expected.push(step.expected());
      if (n % 10 === 0) simulation.model.expectSound();
    }
    await run(steps, expected, done);
    if (simulation.random.below(20) > 0) continue;
    writer.close();
    writer = open();
  }
  writer.close();
  removeDirectory(directory);
  // A run that never reached some of the rules would prove nothing about them.
  console.log(Object.fromEntries(outcomes));
  if (operations >= 10_000) expect(outcomes.size).toBeGreaterThanOrEqual(24);
  console.log(`MEASURED: ${operations} steps on leases, ${outcomes.get("leases.take done")} granted`);
}, 3_600_000);
