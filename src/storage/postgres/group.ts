/** One transaction of the commands of a group. */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import {
  Overtaken,
  type CommandMap,
  type IdempotentCall,
  type Tx,
  type Written,
} from "../../core/storage.ts";
import type { Memory, Remembered } from "../memory.ts";
import { runAllIdempotent, runIdempotent } from "../idempotency.ts";
import { batchesOf, sideBySide, type Queued } from "./batches.ts";
import { commit, firstFailure, fulfilled } from "./commit.ts";
import {
  begin,
  isBlocked,
  isConflict,
  isLost,
  pendingOn,
  PostgresTx,
  type SettledSeq,
} from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import { lockNumbers } from "./lock_keys.ts";
import type { Pool } from "./pool.ts";

/** A command of a group. */
export interface GroupCommand extends Queued {
  input: unknown;
  call: IdempotentCall | undefined;
}

export interface GroupOptions {
  pool: Pool;
  commands: CommandMap;
  settledSeq: SettledSeq;
  memory: Memory;
  /** Called with the topics of a transaction and its id when it is durable, before its writes are answered. */
  announce(topics: string[], xid: string | null): void;
}

type Reply = { written: Written<unknown> } | { error: unknown };

export interface GroupOutcome {
  /** One for each command, in the same order. */
  replies: Reply[];
  /** How long COMMIT took; absent if it came to none. */
  commit_ms?: number;
}

/** The commands of a group have to run singly: one was overtaken, or failed after it had written. */
export class RunSingly extends Error {
  /** `is_blocked`: a lock was not free in time. */
  constructor(readonly is_blocked = false) {
    super();
  }
}

/** A single command failed after it had written; `cause` is its error. */
class Failed extends Error {}

/**
 * Runs commands in one transaction and commits it. Throws `RunSingly` if they have to run again, and any other error if the
 * transaction failed. `is_single`: there is one command; if it fails, the transaction is rolled back. `lock_seconds_max`: how long it
 * may wait for other nodes, and then for a foreign lock.
 */
export async function runGroup(
  options: GroupOptions,
  handle: ReservedSQL,
  group: GroupCommand[],
  { is_single = false, lock_seconds_max = postgres_limits.lock_seconds_max as number } = {},
): Promise<GroupOutcome> {
  const begun = beginLocked(options, handle, group, lock_seconds_max);
  const opening = Promise.allSettled(begun);
  const pending = pendingOn(handle);
  let is_blocked = false;
  try {
    const replies = new Map<GroupCommand, Reply>();
    const announced: string[] = [];
    const remembered: Remembered[] = [];
    const runs = sideBySide(batchesOf(group), async ({ commands }) => {
      const tx = new PostgresTx(handle, options.settledSeq, pending, options.memory);
      const ran = await runCommands(options, tx, commands, is_single);
      for (const [i, reply] of ran.replies.entries()) replies.set(commands[i]!, reply);
      announced.push(...ran.announced);
      remembered.push(...tx.remembered);
    });
    // All have to end before the transaction does: a later statement would be a transaction of its own.
    const ran = await Promise.allSettled(runs);
    is_blocked = ran.some(
      (run) => run.status === "rejected" && run.reason instanceof RunSingly && run.reason.is_blocked,
    );
    fulfilled(ran);
    fulfilled(await opening);
    const topics = [...new Set(announced)];
    const begun_ms = systemClock.monotonic();
    const xid = await commit(handle, topics, pending);
    const commit_ms = systemClock.monotonic() - begun_ms;
    options.memory.add(remembered);
    options.announce(topics, xid);
    return { replies: group.map((command) => replies.get(command)!), commit_ms };
  } catch (error) {
    const failure = (await firstFailure(begun)) ?? (await firstFailure(pending.sent));
    await handle`ROLLBACK`.catch(() => undefined);
    is_blocked ||= isBlocked(failure ?? error);
    // Which command sent the statement is unknown.
    if (failure !== undefined && !isLost(failure) && !is_single) throw new RunSingly(is_blocked);
    if (error instanceof Failed) return { replies: [{ error: error.cause }] };
    if (error instanceof Overtaken || error instanceof RunSingly || isConflict(failure ?? error))
      throw new RunSingly(is_blocked);
    throw failure ?? error;
  }
}

/** Begins a transaction with the locks of the group. Sent without waiting: an error in one of these statements fails the commit. */
function beginLocked(
  { pool }: GroupOptions,
  handle: ReservedSQL,
  group: GroupCommand[],
  lock_seconds_max: number,
): Promise<unknown>[] {
  const locks = lockNumbers(
    group.flatMap(({ keys }) => keys),
    pool.schema ?? "",
  );
  if (locks.length === 0) return [begin(handle, { lock_seconds_max })];
  // The wait for all of the locks is bounded, not that for each: the time for a statement changes with the next one.
  return [
    begin(handle, { seconds_max: lock_seconds_max, lock_seconds_max }),
    handle`
      SELECT set_config('statement_timeout', ${`${postgres_limits.statement_seconds_max}s`}, true),
        pg_advisory_xact_lock(number) FROM unnest(${`{${locks.join()}}`}::bigint[]) AS number`,
  ];
}

/** Runs one command, or several that can run at once. */
async function runCommands(
  options: GroupOptions,
  tx: PostgresTx,
  commands: GroupCommand[],
  is_single: boolean,
): Promise<{ replies: Reply[]; announced: string[] }> {
  try {
    return { replies: await repliesOf(options, tx, commands), announced: tx.announced };
  } catch (error) {
    if (error instanceof Overtaken || isConflict(error) || isLost(error)) throw error;
    if (tx.rows_written === 0 && commands.length === 1 && isOfCommand(error))
      return { replies: [{ error }], announced: [] };
    // Undo the writes of this command only.
    throw is_single ? new Failed("", { cause: error }) : new RunSingly(isBlocked(error));
  }
}

async function repliesOf(options: GroupOptions, tx: Tx, commands: GroupCommand[]): Promise<Reply[]> {
  const { name, input, call } = commands[0]!;
  const run = options.commands[name]!;
  if (run.all) {
    const outcomes = await runAllIdempotent(tx, commands, run.all);
    return outcomes.map((outcome) => ("error" in outcome ? outcome : { written: outcome.result }));
  }
  const command = (): Promise<unknown> => run(tx, copyOf(input));
  const written = call
    ? await runIdempotent(tx, call, command)
    : { result: await command(), repeated: false };
  return [{ written }];
}

/** Whether a command threw the error itself, so that the transaction can continue. */
const isOfCommand = (error: unknown): boolean =>
  error instanceof ServiceError || !(error instanceof Bun.SQL.SQLError);

/** Commands get data of their own, as in another thread. Those that run at once change none. */
const copyOf = (input: unknown): unknown => JSON.parse(JSON.stringify(input)) as unknown;
