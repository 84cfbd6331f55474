/**
 * Jobs, mailboxes and a clock that jumps, against a plain model: the answers of all commands and of reads between them,
 * on a real SQLite file through the real writer, many commands to a group.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../src/app/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import { TransactionRunner } from "../../src/storage/sqlite/group_commit.ts";
import { failureFromThread, type PlainFailure } from "../../src/storage/sqlite/thread_failure.ts";
import { Refused } from "../support/job_model.ts";
import { reads } from "../support/job_reads.ts";
import { answered, claimsOf, Simulation } from "../support/job_simulation.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const operations = Number(process.env.WHARF_TEST_OPERATIONS ?? 100_000);
const group_size = 1_000;

const thrown = (failure: PlainFailure): Error =>
  failureFromThread(failure, "the command failed", { noteDamage: () => {} });

test(`answers ${operations} operations as a plain model does`, async () => {
  const directory = newDirectory();
  const writer = TransactionRunner.open(join(directory, "wharf.db"), { ...commands, ...reads }, systemClock);
  const simulation = new Simulation(testRandom("jobs simulation"));
  for (const claim of claimsOf(simulation)) await writer.commit([{ ...claim, call: undefined }]);
  const outcomes = new Map<string, number>();
  for (let done = 0; done < operations; done += group_size) {
    const steps = Array.from({ length: group_size }, () => {
      const step = simulation.step();
      const expected = step.expected();
      step.afterwards();
      return { ...step, expected };
    });
    const requests = steps.map(({ name, input }) => ({ name, input, call: undefined }));
    const { replies } = await writer.commit(requests);
    for (const [i, { name, input, expected }] of steps.entries()) {
      const reply = replies[i]!;
      const actual = answered(reply.failure ? thrown(reply.failure) : reply.result, expected);
      const outcome = `${name} ${actual instanceof Refused ? actual.code : "done"}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (!Bun.deepEquals(actual, expected))
        expect({ operation: done + i, name, input, actual }).toEqual({
          operation: done + i,
          name,
          input,
          actual: expected,
        });
    }
    writer.checkpoints.afterGroup();
  }
  writer.close();
  removeDirectory(directory);
  // A run that never reached some of the rules would prove nothing about them.
  console.log(Object.fromEntries(outcomes));
  if (operations >= 50_000) expect(outcomes.size).toBeGreaterThanOrEqual(33);
}, 300_000);
