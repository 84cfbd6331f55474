/** The service of development: its app with a storage, a clock and random numbers that can be put back to a saved state. */

import { createApp, type App, type AppDeps } from "../app/app.ts";
import { chores, commands, searches, type AppCommands, type AppSearches } from "../app/commands.ts";
import { createLog } from "../core/log.ts";
import { systemClock } from "../core/clock.ts";
import { createIdleTimeout } from "../web/idle_timeout.ts";
import { openSingleThread, type SingleThreadStorage } from "../storage/sqlite/single_thread.ts";
import { createDevClock, type ClockState, type DevClock } from "./clock.ts";
import { dev_errors } from "./errors.ts";
import { seededRandom, type RandomState, type SeededRandom } from "./random.ts";

/** Everything that answers depend on. */
export interface SavedState {
  /** The database. Absent: an empty one. */
  image?: Uint8Array;
  clock: ClockState;
  random: RandomState;
}

/** The `iss` of receipts and beacon days, so that it is the same at each address. */
const dev_issuer = "http://wharf.test";

interface InstanceDeps extends Pick<
  AppDeps,
  "config" | "origin" | "urls" | "peer" | "setIdleSeconds" | "request_id_prefix"
> {
  /** Whether the database is in memory; otherwise in the data directory. */
  in_memory: boolean;
  /** Writes a line of the log. */
  writeLog(line: string): void;
}

interface Running {
  app: App;
  storage: SingleThreadStorage<AppCommands, AppSearches>;
  clock: DevClock;
  random: SeededRandom;
}

export interface Instance {
  /** Answers a request, after a change of state that is under way. */
  fetch: App["fetch"];
  open: App["open"];
  routes: App["routes"];
  clock(): ClockState;
  /**
   * Lets the time run to what `targetOf` returns for the present time, in unix milliseconds. Resolves when everything has run
   * that fell due. With `is_frozen`, stops the time before that, or lets it run on after it.
   */
  setClock(targetOf: (now_ms: number) => number, is_frozen?: boolean): Promise<void>;
  /** The state when nothing is under way. */
  save(): Promise<SavedState>;
  /** Goes on from `state`. Ends all streams and waits. */
  load(state: SavedState): Promise<void>;
  close(): Promise<void>;
}

export async function createInstance(deps: InstanceDeps, first: SavedState): Promise<Instance> {
  const idle = createIdleTimeout(deps.setIdleSeconds);
  const log = createLog(systemClock, deps.config.log_level, deps.writeLog, deps.config.log_format);
  /** Ends with the last change of state. */
  let changing: Promise<unknown> = Promise.resolve();
  /** How many changes have not ended. */
  let changes = 0;

  async function start({ image, ...state }: SavedState): Promise<Running> {
    // Stopped while the app is created, so that it begins at its time.
    const clock = createDevClock({ ...state.clock, is_frozen: true });
    const random = seededRandom(state.random);
    const storage = openSingleThread<AppCommands, AppSearches>({
      commands,
      searches,
      chores,
      clock,
      directory: deps.config.data_dir,
      in_memory: deps.in_memory,
      ...(image && { image }),
    });
    const app = await createApp({
      ...deps,
      storage,
      clock,
      // An advance must not make a reader slow.
      reader_clock: { ...clock, monotonic: systemClock.monotonic, after: systemClock.after },
      random,
      log,
      errors: dev_errors,
      issuer: dev_issuer,
      is_development: true,
    });
    app.start();
    const started = { app, storage, clock, random };
    // What a start does has its time, and not one that depends on the machine.
    await settled(started);
    clock.freeze(state.clock.is_frozen);
    return started;
  }

  async function stop({ app, storage, clock }: Running): Promise<void> {
    app.close();
    // The waits that have ended still read what they answer with.
    await settled({ storage, clock });
    await storage.close();
    clock.close();
  }

  let running = await start(first);

  /** Runs `change` after those before it, and before requests that come meanwhile. */
  function exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    changes++;
    const result = changing.then(change).finally(() => changes--);
    changing = result.catch(() => undefined);
    return result;
  }

  /** Resolves when no change is under way. A change may take longer than a connection may be idle. */
  async function unchanging(request: Request): Promise<void> {
    idle.lift(request);
    for (let seen: unknown; seen !== changing; await seen) seen = changing;
    idle.restore(request);
  }

  /** Resolves when nothing is under way that does not wait for a time or for a caller. */
  async function settled({ storage, clock }: Pick<Running, "storage" | "clock">): Promise<void> {
    for (;;) {
      const { begun } = storage.calls();
      await systemClock.turn();
      const calls = storage.calls();
      if (calls.begun === begun && calls.open === 0 && clock.turns() === 0) return;
    }
  }

  return {
    async fetch(request) {
      if (changes > 0) await unchanging(request);
      return running.app.fetch(request);
    },
    open: () => running.app.open(),
    routes: running.app.routes,
    clock: () => running.clock.state(),
    setClock: (targetOf, is_frozen) =>
      exclusively(async () => {
        const { clock } = running;
        const to_ms = targetOf(clock.now());
        if (is_frozen === true) clock.freeze(true);
        await settled(running);
        await clock.runTo(to_ms, () => settled(running));
        if (is_frozen === false) clock.freeze(false);
      }),
    save: () =>
      exclusively(async () => {
        await settled(running);
        const { storage, clock, random } = running;
        return { image: await storage.image(), clock: clock.state(), random: random.state() };
      }),
    load: (state) =>
      exclusively(async () => {
        await settled(running);
        await stop(running);
        running = await start(state);
      }),
    close() {
      running.clock.close();
      return exclusively(() => stop(running));
    },
  };
}
