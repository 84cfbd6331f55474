/** The storage port: what features know of the storage engine. */

import { ServiceError } from "./errors.ts";
import type { Messages } from "./messages.ts";
import type { TextIndex, TextIndexName } from "./text_index.ts";

/** A parameter of a statement. Booleans are 0 and 1, times are ISO 8601 text or Unix milliseconds. */
export type SqlValue = string | number | null | Uint8Array;

/** A table, and the columns of rows that are inserted. Statements are made once for each such object. */
export interface InsertedTable<Row extends object> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
}

/**
 * The handle of a transaction. SQL uses only what SQLite and Postgres both support: `$1` parameters, `ON CONFLICT`,
 * `RETURNING`, text and numbers. A transaction awaits nothing but its handle.
 */
export interface Tx {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** All rows. The statement must limit their number. */
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /**
   * Runs a statement that changes this number of rows if they are still as they were read. Throws `Overtaken` if it changes
   * fewer; an engine may do so only at the end of the transaction.
   */
  change(rows: number, sql: string, ...values: SqlValue[]): Promise<void>;
  /** Inserts rows in this order. An engine may report a failure only at the end of the transaction. */
  insertAll<Row extends object>(table: InsertedTable<Row>, rows: readonly Row[]): Promise<void>;
  /** A parameter for a column of 16 bytes, given as 32 hex digits; dashes are ignored (storage/packed.ts). */
  packed(hex: string): SqlValue;
  /** The number of rows that this connection has inserted, changed and deleted so far, to compare before and after. */
  readonly rows_written: number;
  textIndex(name: TextIndexName): TextIndex;
  /**
   * The seq up to which this table gets no further row, at least `after`: transactions may end in another order than their rows
   * were numbered.
   */
  settledSeq(table: "posts" | "rooms" | "jobs", after: number): Promise<number>;
  /**
   * Until this transaction ends, others wait before they remove documents of text indexes. Called before it reads the texts that it
   * adds, after `settledSeq`: a text that is withdrawn meanwhile is added first, and then removed.
   */
  holdTextIndexes(): Promise<void>;
  /** Gives space that is free in the files back to the disk, in steps: how many bytes, and whether there is more. */
  giveBack(): Promise<{ bytes: number; more: boolean }>;
  /** The number that an earlier transaction of this process remembered under this key. Any may be missing. */
  recall(key: string): number | undefined;
  /** Keeps a number in memory once this transaction is durable. Only for what no later transaction makes untrue. */
  remember(key: string, value: number): void;
  /** Publishes a change of `topic` (such as `room:a-slug`) once the transaction is durable. */
  announce(topic: string): void;
  /** Declares that this transaction erases a text: soon afterwards no file of the engine may contain it. */
  erases(): void;
}

/** A write, run by its name. Input and result are plain data, because the engine may run it in another thread. */
export interface Command<Input, Result> {
  (tx: Tx, input: Input): Promise<Result>;
  /** Its form for several inputs at once. */
  all?: BatchCommand<Input, Result>;
}

/** The outcome of one command of several that run at once. */
export type Outcome<Result> = { result: Result } | { error: ServiceError };

/**
 * The form of a command for several inputs at once, so that they share statements. Returns an outcome for each, as if they had
 * run one after the other: those that succeed have written something, and the others nothing.
 */
export type BatchCommand<Input, Result> = (tx: Tx, inputs: Input[]) => Promise<Outcome<Result>[]>;

// oxlint-disable-next-line no-explicit-any -- commands with any input
export type CommandMap = Record<string, Command<any, unknown>>;

export type CommandInput<A extends CommandMap, N extends keyof A> = Parameters<A[N]>[1];
export type CommandResult<A extends CommandMap, N extends keyof A> = Awaited<ReturnType<A[N]>>;

/**
 * A query that may take long, run by its name. It runs in a thread of its own, and is ended if it takes too long. Input and
 * result are plain data.
 */
export type Search<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

// oxlint-disable-next-line no-explicit-any -- searches with any input
export type Searches = Record<string, Search<any, unknown>>;

export type SearchInput<S extends Searches, N extends keyof S> = Parameters<S[N]>[1];
export type SearchResult<S extends Searches, N extends keyof S> = Awaited<ReturnType<S[N]>>;

/** Background work after writes, in its own transactions. Returns whether there is more to do. */
export interface Chore {
  (tx: Tx): Promise<boolean>;
  /** Runs while the disk budget is reached, too. */
  frees_space?: true;
}

/** Identifies a call with an idempotency key. A repetition of the call gets the stored result. */
export interface IdempotentCall {
  /** A hash of the idempotency key and its scope: the call and the caller. */
  key_hash: string;
  /** A hash of the input, to distinguish a repetition from another call. */
  fingerprint: string;
  /** Steady time of the call (timekeeping/). Results are stored for 24 hours. */
  at: string;
  /** The identification of the call in an earlier release, whose stored result may still be valid. */
  earlier?: { key: string; path: string; fingerprint: string };
  /** Derives a secret of the call that was made at `at`. Absent if the key is too weak. Does not cross to other threads. */
  derive?: (prefix: string, at: string) => string;
  /** Called when the result is durable. `repeated`: whether it comes from an earlier call. Does not cross to other threads. */
  onWritten?: (repeated: boolean) => void;
}

/** The result of a write, and whether it comes from an earlier call with the same idempotency key. */
export interface Written<Result> {
  result: Result;
  repeated: boolean;
  /** For a repetition: the ISO time of the first call. Absent if an earlier release answered that one. */
  first_at?: string;
}

/** The state of one part of the service. */
export interface Check {
  /** "running": it is being checked; "unknown": the check failed. */
  status: "ok" | "running" | "unknown" | "failing";
  /** The code of the error that callers get. */
  code?: string;
}

export interface BackupOptions {
  /** Compress the file with zstd. */
  compress?: boolean;
  /** Called after each megabyte that is copied. */
  onProgress?(copied_bytes: number, total_bytes: number): void;
}

/** What a backup holds. */
export interface BackupSummary {
  /** Size of the file. */
  bytes: number;
  schema_version: number;
  /** Number of rows of each table. */
  tables: Record<string, number>;
}

/** Use of a limit that a node has admitted and not reported yet. */
export interface UseReport {
  /** The name of the limit. */
  policy: string;
  /** A keyed hash of the caller's network or name. */
  key: string;
  /** How long the limit takes to refill what was admitted. */
  cost_ms: number;
  /** How long ago the first of it was admitted. */
  age_ms: number;
}

/** How much of a limit a caller has used at all nodes. */
export interface KnownUse extends Pick<UseReport, "policy" | "key"> {
  /** How long the limit takes to refill all of it. */
  debt_ms: number;
}

/** Where a database is. */
export interface Place {
  device: string;
  inode: string;
  /** Nanoseconds since 1970-01-01 UTC; 0 if unknown. */
  born: string;
}

export interface ExportOptions {
  /** Whether it holds everything, or only what callers may read and the rules in force. */
  with_secrets: boolean;
  /** ISO time. */
  at: string;
  /** The version of the program. */
  wharf: string;
}

/** An export that is made while it is read. */
export interface ExportStream {
  /** The next piece; null at the end. */
  next(): Uint8Array | null;
  /** Ends it early. */
  cancel(): void;
}

/** The phases after a commit, in this order: caches drop their outdated entries; then waits, streams and subscriptions are notified. */
export type ChangePhase = "invalidate" | "notify";

/** Handles a change. May return a promise of work that it began, such as a new read. If it rejects, the listener is called again. */
export type ChangeListener = (topic: string | null) => Promise<unknown> | void;

export interface Storage<A extends CommandMap, S extends Searches = Searches> {
  /** Runs a command. Resolves when its result is durable. Rejects with its ServiceError, or a storage error. */
  write<N extends keyof A & string>(
    name: N,
    input: CommandInput<A, N>,
    call?: IdempotentCall,
  ): Promise<Written<CommandResult<A, N>>>;
  /** Runs a query on one snapshot of the durable data. */
  read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs a search. Rejects with its ServiceError, `search_busy`, `search_timeout`, or a storage error. */
  search<N extends keyof S & string>(name: N, input: SearchInput<S, N>): Promise<SearchResult<S, N>>;
  /**
   * Calls `listener` with each announced topic after its transaction is durable and before the write is acknowledged; with
   * null if the engine does not know what has changed. The listeners of `invalidate` are called first, so that a listener of
   * `notify` reads no outdated cache entry.
   */
  onChange(phase: ChangePhase, listener: ChangeListener): void;
  /**
   * Resolves when the listeners of `onChange` have taken in everything that other processes had committed before this call;
   * absent if there can be no other. Rejects with `storage_busy` while that is not possible: nothing in memory is known to be true.
   */
  fresh?(): Promise<void>;
  /** How far the clock of the database is ahead of this machine's, in milliseconds; absent if they are the same clock. */
  clockOffset?(): number;
  /** Adds what this node has admitted until `steady_ms`, in steady time; returns what changed at any node. If it rejects, it may have been added or not. Absent if there can be no other node. */
  shareUse?(reports: readonly UseReport[], steady_ms: number): Promise<KnownUse[]>;
  /** Messages between the nodes of the database; absent if there can be no other node. */
  readonly messages?: Messages;
  /** Reserves the file descriptors that the search thread needs, before the first search starts it. */
  prepare(): void;
  /** The current state: whether writes work, whether the database is sound. Checks at most once a second. */
  health(): Promise<Record<string, Check>>;
  /**
   * Writes a verified copy of everything to the new file `file`, while others read and write. It holds every write that was
   * acknowledged before. Throws `backup_running`, or an error for the operator.
   */
  backup(file: string, options?: BackupOptions): Promise<BackupSummary>;
  /** Distinguishes this database from others, and from its copies: eight hexadecimal digits. */
  readonly identity: string;
  /** Where the database is if it is a copy of another, which may still be in use; null for an original. */
  readonly copied_to: Place | null;
  /** The lost acknowledged writes in one sentence, if the operator has accepted that at this start; absent or null: nothing is known. */
  readonly accepted_loss?: string | null;
  /**
   * Exports the present rows as JSON lines (docs/export.md), from a copy that is made first, as for a backup. Throws
   * `backup_running`, or an error for the operator.
   */
  export(options: ExportOptions): Promise<ExportStream>;
  /** Refuses new writes, finishes those in progress, then closes the files. */
  close(): Promise<void>;
}

/** Runs `decide` for each of `inputs`, one after the other. An expected error is the outcome of its input. */
export async function outcomesOf<Input, Result>(
  inputs: readonly Input[],
  decide: (input: Input, i: number) => Result | Promise<Result>,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  for (const input of inputs) {
    try {
      const decided = decide(input, outcomes.length);
      outcomes.push({ result: decided instanceof Promise ? await decided : decided });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      outcomes.push({ error });
    }
  }
  return outcomes;
}

/** The command with this form for several inputs at once. */
export function commandOf<Input, Result>(all: BatchCommand<Input, Result>): Command<Input, Result> {
  const command: Command<Input, Result> = async (tx, input) => {
    const [outcome] = await all(tx, [input]);
    if ("error" in outcome!) throw outcome.error;
    return outcome!.result;
  };
  command.all = all;
  return command;
}

/**
 * Thrown by a command whose guarded write found that another transaction came first. An engine with several writers runs the
 * command again; with one writer it cannot happen.
 */
export class Overtaken extends Error {
  override name = "Overtaken";
}
