/**
 * The webhooks as the node that makes the calls knows them. Readings run one after the other, so that an earlier state never replaces
 * a later one.
 */

import type { ServiceClock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { Waiting } from "./call_queue.ts";
import type { WebhookCommands } from "./feature.ts";
import { webhook_internal_limits } from "./limits.ts";
import * as store from "./store.ts";

const { webhooks_per_slice } = webhook_internal_limits;

interface Known extends Waiting {
  /** The id of the webhook. */
  id: string;
  /** The steady time before which nothing is due. */
  next_ms: number;
}

interface KnownDeps {
  storage: Pick<FeatureStorage<WebhookCommands>, "read">;
  clock: Pick<ServiceClock, "turn">;
  /** A webhook was read. `is_due`: something may be due. */
  onRead(owner: string, next_at: string | null, is_due: boolean): void;
  /** A webhook was deleted, or replaced by another. */
  onEnd(owner: string): void;
}

export class KnownWebhooks {
  readonly #known = new Map<string, Known>();
  /** Names that got a note while webhooks were read: what was read may be older. */
  readonly #noted = new Set<string>();
  #readings = 0;
  #latest: Promise<unknown> = Promise.resolve();
  /** Changes when everything is forgotten: readings that began before end. */
  #memory = {};

  constructor(private readonly deps: KnownDeps) {}

  get = (owner: string): Known | undefined => this.#known.get(owner);

  change(owner: string, change: Partial<Known>): void {
    const one = this.#known.get(owner);
    if (one) this.#known.set(owner, { ...one, ...change });
  }

  /** A name has got a note. */
  note(owner: string): void {
    if (this.#readings > 0) this.#noted.add(owner);
  }

  /** Reads all webhooks. */
  readonly readAll = (): Promise<void> =>
    this.#inTurn(async (isCurrent) => {
      const ended = new Set(this.#known.keys());
      for (let after = ""; ;) {
        const from = after;
        const some = await this.deps.storage.read((tx) => store.webhooksAfter(tx, from, webhooks_per_slice));
        if (!isCurrent()) return;
        for (const row of some) {
          ended.delete(row.owner);
          this.#learn(row);
        }
        if (some.length < webhooks_per_slice) break;
        after = some.at(-1)!.owner;
        await this.deps.clock.turn();
      }
      for (const owner of ended) this.#forget(owner);
    });

  /** Reads one webhook. */
  readonly read = (owner: string): Promise<void> =>
    this.#inTurn(async (isCurrent) => {
      const row = await this.deps.storage.read((tx) => store.queuedOf(tx, owner));
      if (!isCurrent()) return;
      if (row) this.#learn(row);
      else this.#forget(owner);
    });

  async #inTurn(reading: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const memory = this.#memory;
    const isCurrent = () => memory === this.#memory;
    this.#readings++;
    const run = this.#latest.then(() => (isCurrent() ? reading(isCurrent) : undefined));
    this.#latest = run.catch(() => {});
    try {
      await run;
    } finally {
      if (--this.#readings === 0) this.#noted.clear();
    }
  }

  #learn({ owner, id, url, slow, next_at, due }: store.Queued): void {
    const before = this.#known.get(owner);
    if (before && before.id !== id) this.deps.onEnd(owner);
    this.#known.set(owner, { owner, id, host: new URL(url).host, is_slow: slow === 1, next_ms: 0 });
    this.deps.onRead(owner, next_at, due === 1 || this.#noted.has(owner));
  }

  #forget(owner: string): void {
    if (this.#known.delete(owner)) this.deps.onEnd(owner);
  }

  clear(): void {
    this.#memory = {};
    this.#known.clear();
    this.#noted.clear();
  }
}
