/** Runs a write once for each idempotency key. The result is stored in the transaction of the write. */

import { call_errors } from "../core/general_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { storage_limits } from "./limits.ts";
import { isoTime } from "../core/clock.ts";
import {
  outcomesOf,
  type BatchCommand,
  type IdempotentCall,
  type InsertedTable,
  type Outcome,
  type Tx,
  type Written,
} from "../core/storage.ts";
import { statementOf } from "./lists.ts";

interface StoredAnswer {
  fingerprint: string;
  result: string;
  at: string;
}
type AnswerOf = (call: IdempotentCall) => StoredAnswer | undefined;

const nothing = () => undefined;

/** Answers from before this time have expired. */
const oldestValid = ({ at }: Pick<IdempotentCall, "at">): string =>
  isoTime(Date.parse(at) - storage_limits.idempotency_hours * 3_600_000);

const select_answers = statementOf(
  ({ places }) =>
    `SELECT key_hash, fingerprint, result, at FROM idempotent_answers WHERE key_hash IN (${places})`,
);
const select_earlier = statementOf(
  ({ places }) => `SELECT key, path, fingerprint, result, at FROM answers WHERE key IN (${places})`,
);

/** The stored answers to these calls that have not expired. */
async function findAnswers(tx: Tx, calls: readonly IdempotentCall[]): Promise<AnswerOf> {
  const found = await tx.all<StoredAnswer & { key_hash: string }>(
    ...select_answers(calls.map(({ key_hash }) => key_hash)),
  );
  return (call) => found.find(({ key_hash, at }) => key_hash === call.key_hash && at >= oldestValid(call));
}

/** The same for answers that an earlier release stored in its own table. */
async function findEarlier(tx: Tx, calls: readonly IdempotentCall[]): Promise<AnswerOf> {
  const keys = calls.flatMap(({ earlier }) => earlier?.key ?? []);
  const found = await tx.all<StoredAnswer & { key: string; path: string }>(...select_earlier(keys));
  return ({ earlier, ...call }) =>
    found.find(
      ({ key, path, at }) => key === earlier?.key && path === earlier.path && at >= oldestValid(call),
    );
}

function checkSame(stored: StoredAnswer, fingerprint: string): void {
  if (stored.fingerprint === fingerprint) return;
  throw new ServiceError(
    call_errors.idempotency_key_reused,
    "Another call had this idempotency key within the last 24 hours.",
  );
}

/** Whether the same call was answered within the last 24 hours. */
export async function wasAnswered(tx: Tx, call: IdempotentCall): Promise<boolean> {
  return (await findAnswers(tx, [call]))(call)?.fingerprint === call.fingerprint;
}

interface AnswerRow {
  key: string;
  path: string;
  result: string;
}

/** The tables of answers, with the columns of their primary keys. */
const answer_tables = [
  { table: "idempotent_answers", key: "key_hash", path: "''" },
  { table: "answers", key: "key", path: "path" },
] as const;

/**
 * Replaces all stored answers that contain `text`, an id, by what `change` makes of them. Reads all of the last 24 hours, some
 * at a time: together they may be larger than memory, because callers decide how many answers contain it.
 */
export async function changeAnswers(
  tx: Tx,
  text: string,
  change: (answer: unknown) => unknown,
): Promise<void> {
  for (const { table, key, path } of answer_tables) {
    const select = `SELECT ${key} AS key, ${path} AS path, result FROM ${table} WHERE result LIKE $1 AND (${key}, ${path}) > ($2, $3) ORDER BY key, path LIMIT ${storage_limits.changed_answers_per_read}`;
    const update = `UPDATE ${table} SET result = $1 WHERE ${key} = $2 AND ${path} = $3`;
    let last: AnswerRow | undefined = { key: "", path: "", result: "" };
    while (last) {
      const found: AnswerRow[] = await tx.all<AnswerRow>(select, `%${text}%`, last.key, last.path);
      const changed = found.flatMap((row) => {
        const result = JSON.stringify(change(JSON.parse(row.result)));
        return result === row.result ? [] : { ...row, result };
      });
      await Promise.all(changed.map((row) => tx.run(update, row.result, row.key, row.path)));
      last = found.at(-1);
    }
  }
}

/** Deletes the answers from before `oldest`. Returns how many. */
export async function deleteExpiredAnswers(tx: Tx, oldest: string): Promise<number> {
  const deleted = await Promise.all([
    tx.run("DELETE FROM idempotent_answers WHERE at < $1", oldest),
    tx.run("DELETE FROM answers WHERE at < $1", oldest),
  ]);
  return deleted[0] + deleted[1];
}

/** The number of answers from before `oldest`. */
export const countExpiredAnswers = async (tx: Tx, oldest: string): Promise<number> =>
  (await tx.get<{ count: number }>(
    "SELECT (SELECT COUNT(*) FROM idempotent_answers WHERE at < $1) + (SELECT COUNT(*) FROM answers WHERE at < $1) AS count",
    oldest,
  ))!.count;

/** The stored results of calls that were answered. Throws `idempotency_key_reused` if the first call had another body. */
async function storedResults(
  tx: Tx,
  calls: readonly IdempotentCall[],
): Promise<(call: IdempotentCall) => Written<unknown> | undefined> {
  const finding = findAnswers(tx, calls);
  const [answerTo, earlierTo] = calls.some(({ earlier }) => earlier)
    ? await Promise.all([finding, findEarlier(tx, calls)])
    : [await finding, nothing];
  return (call) => {
    const answer = answerTo(call);
    if (answer) {
      checkSame(answer, call.fingerprint);
      return { result: JSON.parse(answer.result), repeated: true, first_at: answer.at };
    }
    const earlier = earlierTo(call);
    if (!earlier) return undefined;
    checkSame(earlier, call.earlier!.fingerprint);
    return { result: JSON.parse(earlier.result), repeated: true };
  };
}

const answers: InsertedTable<StoredAnswer & { key_hash: string }> = {
  name: "idempotent_answers",
  columns: ["key_hash", "fingerprint", "result", "at"],
};

async function storeResults(tx: Tx, answered: { call: IdempotentCall; result: unknown }[]): Promise<void> {
  const rows = answered.map(({ call: { key_hash, fingerprint, at }, result }) => {
    return { key_hash, fingerprint, result: JSON.stringify(result), at };
  });
  await Promise.all([deleteExpiredAnswers(tx, oldestValid(answered[0]!.call)), tx.insertAll(answers, rows)]);
}

/**
 * Runs `command`, or returns the stored result of the first call with this key. Throws `idempotency_key_reused` if the
 * first call had another body. Stores no result if the command wrote nothing: running it again is harmless, and a row for
 * each repetition would fill the disk.
 */
export async function runIdempotent<Result>(
  tx: Tx,
  call: IdempotentCall,
  command: () => Promise<Result>,
): Promise<Written<Result>> {
  const found = (await storedResults(tx, [call]))(call);
  if (found) return found as Written<Result>;
  const rows_before = tx.rows_written;
  const result = await command();
  if (tx.rows_written > rows_before) await storeResults(tx, [{ call, result }]);
  return { result, repeated: false };
}

/** A command of a batch, with its call if it has one. */
interface BatchedCommand {
  input: unknown;
  call: IdempotentCall | undefined;
}

/** The same for commands that run at once. Those that repeat the key of an earlier one run after the others. */
export async function runAllIdempotent(
  tx: Tx,
  commands: readonly BatchedCommand[],
  runAll: BatchCommand<unknown, unknown>,
): Promise<Outcome<Written<unknown>>[]> {
  const keys = new Set<string>();
  const repeating = new Set<BatchedCommand>();
  for (const command of commands) {
    if (!command.call) continue;
    if (keys.has(command.call.key_hash)) repeating.add(command);
    keys.add(command.call.key_hash);
  }
  if (repeating.size === 0) return runDistinct(tx, commands, runAll);
  const [first, later] = [commands.filter((command) => !repeating.has(command)), [...repeating]];
  const [ran, repeated] = [await runDistinct(tx, first, runAll), await runAllIdempotent(tx, later, runAll)];
  return commands.map((command) => (repeating.has(command) ? repeated : ran).shift()!);
}

async function runDistinct(
  tx: Tx,
  commands: readonly BatchedCommand[],
  runAll: BatchCommand<unknown, unknown>,
): Promise<Outcome<Written<unknown>>[]> {
  const calls = commands.flatMap(({ call }) => call ?? []);
  const resultOf = calls.length > 0 ? await storedResults(tx, calls) : () => undefined;
  const found = await outcomesOf(commands, ({ call }) => call && resultOf(call));
  const is_new = (_: unknown, i: number) => "result" in found[i]! && found[i].result === undefined;
  const left = commands.filter(is_new);
  const ran =
    left.length === 0
      ? []
      : await runAll(
          tx,
          left.map(({ input }) => input),
        );
  const answered = left.flatMap(({ call }, i) => {
    const outcome = ran[i]!;
    return call && "result" in outcome ? [{ call, result: outcome.result }] : [];
  });
  if (answered.length > 0) await storeResults(tx, answered);
  return found.map((outcome, i) => {
    if (!is_new(outcome, i)) return outcome as Outcome<Written<unknown>>;
    const own = ran.shift()!;
    return "error" in own ? own : { result: { result: own.result, repeated: false } };
  });
}
