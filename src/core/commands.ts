/**
 * Write commands: their declarations, and the runner that counts them against the caller's limits. Features get a storage
 * that writes internal commands only, so no write of a caller can bypass its limits.
 */

import type { Caller, Identity, NameRules } from "./caller.ts";
import { isoTime, type ServiceClock } from "./clock.ts";
import type { SpeakerCheck } from "./policy.ts";
import type { Random } from "./random.ts";
import type { RateLimiter, UsageKind } from "./rate_limit/rate_limit.ts";
import type {
  Command,
  CommandInput,
  CommandResult,
  IdempotentCall,
  Storage,
  Tx,
  Written,
} from "./storage.ts";

/** Facts about a command that an engine with several writers needs. */
interface Ordering {
  /**
   * Commands with the same value commit one after the other: they number or chain rows that are read in that order, or one
   * replaces rows while another ends all of them.
   */
  numbers?: "rooms" | "jobs" | "sessions" | "beacon_days" | "browser_sessions";
  /** The members of its input that name the rows that it changes. Default: all members that can name rows. */
  changes?: readonly string[];
}

/** A command that a caller causes. */
interface CallerCommand<Input, Result> extends Ordering {
  run: Command<Input, Result>;
  /** The limit that it counts against. */
  counted_as: UsageKind;
  /** Whether its caller speaks: under `--speak claimed` it needs a claimed name. */
  speaks?: true;
  /** Why it may run while the disk budget is reached, at the cost of a reserve. If absent, it is refused then. */
  over_budget_because?: string;
}

/** A command that no caller can cause whenever it likes. */
interface InternalCommand<Input, Result> extends Ordering {
  run: Command<Input, Result>;
  /** Runs in a transaction of its own, because it waits for others to end. */
  runs_alone?: true;
  /** Why it needs no rate limit. */
  bounded_because: string;
  /** Refused while the disk budget is reached. */
  waits_for_space?: true;
}

/** Commands of a feature by name, such as `rooms.open`. */
export type CommandDefinitions = Record<
  string,
  // oxlint-disable-next-line no-explicit-any -- commands with any input
  CallerCommand<any, unknown> | InternalCommand<any, unknown>
>;

/** Binds a command to what it needs from other features. */
export const withRules =
  <Rules>(rules: Rules) =>
  <Input, Result>(command: (tx: Tx, rules: Rules, input: Input) => Promise<Result>): Command<Input, Result> =>
  (tx, input) =>
    command(tx, rules, input);

/**
 * A command under a claimed name. Checks the key first: it may have been replaced since the caller was authenticated. Counts
 * the command if it has written something: a command that changes nothing writes nothing.
 */
export const underName =
  ({ checkKey, countCommand }: NameRules) =>
  <Input extends { identity: Identity; now_ms: number }, Result>(
    command: Command<Input, Result>,
  ): Command<Input, Result> =>
  async (tx, input) => {
    await checkKey(tx, input.identity, input.now_ms);
    const rows_before = tx.rows_written;
    const result = await command(tx, input);
    if (tx.rows_written > rows_before) await countCommand(tx, input.identity, isoTime(input.now_ms));
    return result;
  };

// oxlint-disable-next-line no-explicit-any -- commands and searches with any input
type Definitions = Record<string, { run: (tx: Tx, input: any) => Promise<unknown> }>;

/** The functions of commands or searches, as the storage engine runs them. */
export type Functions<D extends Definitions> = { [N in keyof D]: D[N]["run"] };

type NamesOf<D extends CommandDefinitions, Kind> = {
  [N in keyof D & string]: D[N] extends Kind ? N : never;
}[keyof D & string];
export type CallerCommandName<D extends CommandDefinitions> = NamesOf<D, { counted_as: UsageKind }>;
type InternalCommandName<D extends CommandDefinitions> = NamesOf<D, { bounded_because: string }>;

/** The storage of a feature: it reads, and writes the feature's internal commands. */
export type FeatureStorage<D extends CommandDefinitions = CommandDefinitions> = Pick<
  Storage<Pick<Functions<D>, InternalCommandName<D>>>,
  "read" | "write" | "onChange"
>;

export interface CommandRunner<D extends CommandDefinitions> {
  /**
   * Checks that the caller may speak if the command does, counts it against the caller's limits, then runs it. `speaker` is the name that the caller uses, if any. If
   * `input` is a function, it is called after the limits are checked: use it for input that is costly to make. Throws
   * `credential_required`, `rate_limited`, and what the command throws.
   */
  run<N extends CallerCommandName<D>>(
    caller: Caller,
    name: N,
    speaker: string | null,
    input: CommandInput<Functions<D>, N> | (() => Promise<CommandInput<Functions<D>, N>>),
    call?: IdempotentCall,
  ): Promise<Written<CommandResult<Functions<D>, N>>>;
}

export function createCommandRunner<D extends CommandDefinitions>(
  definitions: D,
  storage: Pick<Storage<Functions<D>>, "write">,
  limiter: Pick<RateLimiter, "take">,
  checkSpeaker: SpeakerCheck = null,
): CommandRunner<D> {
  async function write<N extends CallerCommandName<D>>(
    name: N,
    input: Promise<CommandInput<Functions<D>, N>> | CommandInput<Functions<D>, N>,
    call: IdempotentCall | undefined,
  ) {
    const written = await storage.write(name, await input, call);
    call?.onWritten?.(written.repeated);
    return written;
  }

  return {
    run(caller, name, speaker, input, call) {
      const definition = definitions[name] as CallerCommand<unknown, unknown>;
      try {
        if (definition.speaks) checkSpeaker?.(caller);
        limiter.take(caller, definition.counted_as, speaker);
      } catch (error) {
        return Promise.reject(error);
      }
      const is_made_now = typeof input === "function";
      // Fast path: most calls have neither.
      if (!is_made_now && call === undefined) return storage.write(name, input);
      return write(name, is_made_now ? (input as () => Promise<never>)() : input, call);
    },
  };
}

/** What the operations of a feature are made with, beside what only they need. */
export interface OperationDeps<D extends CommandDefinitions> {
  storage: FeatureStorage<D>;
  commands: CommandRunner<D>;
  clock: ServiceClock;
  random: Random;
}

export const functionsOf = <D extends Definitions>(definitions: D): Functions<D> =>
  Object.fromEntries(Object.entries(definitions).map(([name, { run }]) => [name, run])) as Functions<D>;

/** Whether a command runs while the disk budget is reached: always, until the reserve is used up, or never. */
export function overBudget(definitions: CommandDefinitions, name: string): "always" | "reserve" | "never" {
  const definition = definitions[name];
  if (definition === undefined) return "never";
  if ("bounded_because" in definition) return definition.waits_for_space ? "never" : "always";
  return definition.over_budget_because === undefined ? "never" : "reserve";
}
