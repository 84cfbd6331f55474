/**
 * Jobs, mailboxes and a clock that jumps over two nodes of one Postgres, against the model that checks SQLite: one call after the
 * other at either node, and 64 at the same time at both.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { command_definitions, commands, type AppCommands } from "../../../src/app/commands.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { CommandDefinitions } from "../../../src/core/commands.ts";
import { isFailure, ServiceError } from "../../../src/core/errors.ts";
import { service_errors } from "../../../src/core/general_errors.ts";
import { createLog } from "../../../src/core/log.ts";
import type { CommandMap, Storage, Tx } from "../../../src/core/storage.ts";
import type { Note } from "../../../src/api/mailbox.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { Refused } from "../../support/job_model.ts";
import { reads } from "../../support/job_reads.ts";
import { answered, claimsOf, people, Simulation, type Step } from "../../support/job_simulation.ts";
import { linearOrder, type Call } from "../../support/linear_order.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";

const operations = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 1_000);
const racers = 64;
/** More than a mailbox gets from that many calls. */
const notes_max = 1_000;

const definitions: CommandDefinitions = command_definitions;

/** A call beside others, or a part of one. */
interface Racing extends Call, Partial<Step> {
  expected(): unknown;
  number: number;
  outcome?: unknown;
}

type Node = Storage<AppCommands>;

describe.skipIf(lacks_postgres)("two nodes answer as a plain model does", () => {
  let server: PostgresServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres();
    const sql = new Bun.SQL(server.url, { max: 1 });
    await sql`CREATE SEQUENCE public.history`;
    await sql.close();
  });
  afterAll(() => server.stop());
  beforeEach(() => void schemas++);

  const open = (): Promise<Node> => {
    const url = `${server.url}?schema=simulation${schemas}`;
    return openPostgres({
      place: { url, listen_url: url, connections_max: 6, prepares: true },
      commands: numbered(commands),
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: (name) => definitions[name]!,
      log: createLog(systemClock, "warn", (line) => console.log(line)),
    });
  };

  /** Two nodes, and a simulation whose names are claimed there. */
  async function openNodes(seed: string) {
    const nodes = [await open(), await open()];
    const random = testRandom(seed);
    const simulation = new Simulation(random);
    const call = ({ name, input }: Pick<Step, "name" | "input">): Promise<unknown> => {
      const node = random.oneOf(nodes);
      const read = reads[name as keyof typeof reads] as ((tx: Tx, input: object) => unknown) | undefined;
      const called = read
        ? node.read(async (tx) => read(tx, input))
        : node.write(name as "jobs.post", input as never).then(({ result }) => result);
      return called.catch((error: unknown) => error);
    };
    for (const claim of claimsOf(simulation)) await call(claim);
    const expectAnswer = async (step: Step): Promise<void> => {
      const outcome = await call(step);
      const expected = step.expected();
      step.afterwards();
      const actual = answered(outcome, expected);
      if (!Bun.deepEquals(actual, expected)) expect({ step, actual }).toEqual({ step, actual: expected });
    };
    const close = () => Promise.all(nodes.map((node) => node.close()));
    return { simulation, call, expectAnswer, close };
  }

  test(`to ${operations} calls, one after the other`, async () => {
    const { simulation, expectAnswer, close } = await openNodes("simulation over nodes");
    for (let done = 0; done < operations; done++) await expectAnswer(simulation.step());
    await close();
  }, 3_600_000);

  test(`to ${operations} calls, ${racers} at a time`, async () => {
    const { simulation, call, expectAnswer, close } = await openNodes("races over nodes");
    const { model, random } = simulation;
    const { below } = random;
    const outcomes = new Map<string, number>();
    const notesOf = async (who: string, since: number): Promise<unknown> => {
      const input = { identity: simulation.identities.get(who)!, since, limit: notes_max };
      const read = await call({ name: "test.mailbox", input });
      return inNoOrder(answered(read, { notes: [], count: 0, unread: 0 }));
    };
    let moved = 0;
    for (let done = 0; done < operations; done += racers) {
      const notes_before = new Map(people.map((who) => [who, model.mailboxes.get(who)!.last_seq]));
      for (let moves = below(20); moves > 0; moves--) simulation.moveClock();
      await expectAnswer(simulation.settle());
      // The clocks of nodes differ a little, also when a lease ends.
      const now = simulation.now + 2;
      const calls: Racing[] = [];
      const racing = Array.from({ length: racers }, async () => {
        simulation.now = now + below(3) - 1;
        const step = simulation.write();
        // What a mailbox holds after it was cleared depends on an order that no answer shows.
        if (step.name === "mailbox.clear") return;
        const settlings = step.name === "jobs.settle" ? simulation.settlings() : [];
        const outcome = await call(step);
        // With so many beside it, a call may be refused because a lock was not free in time: it did nothing.
        if (isFailure(outcome, service_errors.storage_busy)) return;
        const number = numberOf(outcome);
        // Which lease ends next is read beside the other calls.
        for (const expected of settlings) calls.push({ number, expected });
        if (step.name === "jobs.settle") return;
        const fits = (expected: unknown) => Bun.deepEquals(answered(outcome, expected), expected);
        calls.push({ ...step, outcome, number, fits });
      });
      await Promise.all(racing);
      const mailboxes = new Map<string, unknown>();
      for (const [who, since] of notes_before) mailboxes.set(who, await notesOf(who, since));
      const likely = calls.toSorted((a, b) => a.number - b.number);
      const order = linearOrder(likely, simulation.remember(), () =>
        notes_before
          .entries()
          .every(([who, since]) =>
            Bun.deepEquals(mailboxes.get(who), inNoOrder(model.read(who, since, notes_max))),
          ),
      );
      if (order !== likely) moved++;
      for (const { name, outcome, afterwards } of order) {
        afterwards?.();
        if (name === undefined) continue;
        const kind = `${name} ${outcome instanceof ServiceError ? outcome.code : "done"}`;
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      }
      const read = simulation.read();
      if (read.name !== "test.mailbox") await expectAnswer(read);
    }
    console.log(Object.fromEntries(outcomes), `${moved} rounds ran in another order than their numbers'`);
    if (operations >= 50_000) expect(outcomes.size).toBeGreaterThanOrEqual(30);
    await close();
  }, 3_600_000);
});

/** Numbers of results and errors, in the order in which commands that share locks ran. */
const numbers = new WeakMap<object, number>();
const numberOf = (outcome: unknown): number => numbers.get(outcome as object)!;

/** The commands, which number what they return or throw while their transaction holds its locks. */
function numbered(functions: CommandMap): AppCommands {
  const wrapped = Object.entries(functions).map(([name, command]) => [
    name,
    async (tx: Tx, input: unknown) => {
      const outcome: unknown = await command(tx, input).catch((error: unknown) => error);
      const row = await tx.get<{ number: number }>("SELECT nextval('public.history') AS number");
      numbers.set(outcome as object, row!.number);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  ]);
  return Object.fromEntries(wrapped) as AppCommands;
}

/** What was read of a mailbox, with its notes in an order that does not depend on which of two concurrent calls came first. */
function inNoOrder(read: unknown): unknown {
  if (read instanceof Refused) return read;
  const { notes, count, unread } = read as {
    notes: Pick<Note, "seq" | "kind" | "at">[];
    count: number;
    unread: number;
  };
  const contents = notes.map(({ kind, at }) => `${at} ${kind}`).sort();
  return { seqs: notes.map(({ seq }) => seq), contents, count, unread };
}
