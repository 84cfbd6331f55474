/** The port between the house and whatever engine keeps its records. Operations know this file and no other of storage. */

/** What a statement takes. Booleans are 0 and 1, times are ISO 8601 text. */
export type SqlValue = string | number | null;

/**
 * A transaction's handle. SQL keeps to what SQLite and Postgres both speak: `$1` parameters, `ON CONFLICT`,
 * `RETURNING`, text ids and times. Inside a transaction an operation awaits nothing but this.
 */
export interface Tx {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** All rows. Callers bound their number in the statement. */
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** How many rows the statement changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** How many rows this connection has inserted, changed and deleted so far: compare it before and after. */
  readonly rows_written: number;
  /** Publishes `topic` (such as `room:a-slug`), which has changed, once the transaction is durable. */
  announce(topic: string): void;
  /** Says that this transaction destroys a text: soon after it no file of the engine may hold a copy. */
  erases(): void;
}

/** A named operation that writes. Input and result are plain data: where it runs is the engine's business. */
export type Command<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

// oxlint-disable-next-line no-explicit-any -- the one place where acts of all shapes meet
export type CommandMap = Record<string, Command<any, unknown>>;

export type CommandInput<A extends CommandMap, N extends keyof A> = Parameters<A[N]>[1];
export type CommandResult<A extends CommandMap, N extends keyof A> = Awaited<ReturnType<A[N]>>;

/**
 * A named query that may take long. It runs where it holds nobody up, and is ended when it takes too long. Input and result
 * are plain data.
 */
export type Search<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

// oxlint-disable-next-line no-explicit-any -- the one place where searches of all shapes meet
export type Searches = Record<string, Search<any, unknown>>;

export type SearchInput<S extends Searches, N extends keyof S> = Parameters<S[N]>[1];
export type SearchResult<S extends Searches, N extends keyof S> = Awaited<ReturnType<S[N]>>;

/** Work that follows the writes, in transactions of its own. Answers whether there is more to do. */
export type Chore = (tx: Tx) => Promise<boolean>;

/** Marks a write that must take place once, however often it is sent. */
export interface Once {
  /** A hash of the caller's idempotency key and of what scopes it. */
  key_hash: string;
  /** A hash of what was sent, to tell a repetition from another call. */
  fingerprint: string;
  /** Steady time of the call (timekeeping/); answers are kept for 24 hours. */
  at: string;
  /** How a version before this one marked the call, whose answer may still be valid. */
  earlier?: { key: string; path: string; fingerprint: string };
}

/** A write's result, and whether it is that of an earlier call with the same key. */
export interface Written<Result> {
  result: Result;
  repeated: boolean;
  /** Of a repeated one: the ISO time of the first call. Absent where a version before this one answered it. */
  first_at?: string;
}

/** How one part of the service is. */
export interface Check {
  /** "running": it is being looked at; "unknown": it could not be looked at. */
  status: "ok" | "running" | "unknown" | "failing";
  /** The failure that callers meet. */
  code?: string;
}

export interface Storage<A extends CommandMap, S extends Searches = Searches> {
  /** Runs an act; resolves only when its outcome is durable. Rejects with the act's ServiceError, or a storage failure. */
  write<N extends keyof A & string>(
    name: N,
    input: CommandInput<A, N>,
    once?: Once,
  ): Promise<Written<CommandResult<A, N>>>;
  /** Runs reads on one consistent snapshot of what is durable. */
  read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs a search. Rejects with its ServiceError, `search_busy`, `search_timeout`, or a storage failure. */
  search<N extends keyof S & string>(name: N, input: SearchInput<S, N>): Promise<SearchResult<S, N>>;
  /**
   * Calls `listener` with every announced topic after its transaction is durable, before the write is acknowledged;
   * with null when the engine cannot tell what has changed.
   */
  onChange(listener: (topic: string | null) => void): void;
  /** Starts what would start when it is first needed. To be called early: it takes threads and file descriptors. */
  prepare(): void;
  /** How it is now: whether writes work, whether the database is sound. Looks at most once a second. */
  health(): Promise<Record<string, Check>>;
  /** Refuses new writes, lets those under way end, then lets go of the files. */
  close(): Promise<void>;
}

/**
 * Thrown by an act whose guarded write found that another transaction came first. An engine with several writers
 * runs the act again; with one writer it cannot happen.
 */
export class Overtaken extends Error {
  override name = "Overtaken";
}
