/** Decides which node of a database makes the calls: one that has a lease in the database, and renews it. */

import type { ServiceClock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { errorText, type Log } from "../core/log.ts";
import type { Random } from "../core/random.ts";
import type { WebhookCommands } from "./feature.ts";
import { webhook_internal_limits } from "./limits.ts";
import { findCaller } from "./store.ts";

const { caller_renews_seconds, caller_silent_seconds_max } = webhook_internal_limits;

interface CallerNodeDeps {
  storage: FeatureStorage<WebhookCommands>;
  /** Whether other nodes can use the database. */
  has_nodes: boolean;
  clock: ServiceClock;
  random: Random;
  log: Pick<Log, "info" | "warn">;
  /** Called when this node becomes the one that makes the calls, or is it no longer. */
  onChange(is_caller: boolean): void;
}

export function createCallerNode({ storage, has_nodes, clock, random, log, onChange }: CallerNodeDeps) {
  const node = random.bytes(8).toHex();
  let is_caller = false;
  let cancelTimer = () => {};
  let cancelEnd = () => {};
  let is_closed = false;

  function become(caller: boolean): void {
    if (caller === is_caller || is_closed) return;
    is_caller = caller;
    if (has_nodes) log.info(caller ? "webhooks.taken_over" : "webhooks.given_over", { node });
    onChange(caller);
  }

  async function renew(): Promise<void> {
    const began_ms = clock.monotonic();
    const moment = clock.moment();
    const now = clock.steady();
    const found = await storage.read(findCaller);
    if (found && found.node !== node && Date.parse(found.until) > now) return become(false);
    const { result } = await storage.write("webhooks.take_over", { node, ...moment });
    if (result === node) holdUntil(began_ms + caller_silent_seconds_max * 1000);
    become(result === node);
  }

  /** After this monotonic time another node may make the calls, also if the database does not answer this one. */
  function holdUntil(until_ms: number): void {
    cancelEnd();
    cancelEnd = clock.after(until_ms - clock.monotonic(), () => become(false));
  }

  async function tick(): Promise<void> {
    await renew().catch((error: unknown) => {
      if (is_closed) return;
      log.warn("webhooks.not_renewed", { error: errorText(error) });
    });
    if (!is_closed) cancelTimer = clock.after(caller_renews_seconds * 1000, () => void tick());
  }

  return {
    /** What `beginCall` checks; null if no other node can make calls. */
    node: has_nodes ? node : null,
    start(): void {
      if (has_nodes) void tick();
      else become(true);
    },
    close(): void {
      become(false);
      is_closed = true;
      cancelTimer();
      cancelEnd();
    },
  };
}
