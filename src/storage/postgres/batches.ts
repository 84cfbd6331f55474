/** Which commands of a group run at once, and which wait for others. */

/** The properties of a command that decide how it runs in its group. */
export interface Queued {
  name: string;
  /** Commands that share a key run in their order. */
  keys: string[];
  /** Whether it can run at once with others of its name. */
  is_batched: boolean;
}

/** Commands of a group that run at once: one, or several of a kind that has a form for that. */
interface Batch<C extends Queued> {
  place: number;
  commands: C[];
  /** Earlier batches that share a key with one of its commands. */
  after: Set<Batch<C>>;
}

/** The batches of a group. A command runs after those before it that share one of its keys, or in the same batch. */
export function batchesOf<C extends Queued>(group: readonly C[]): Batch<C>[] {
  const batches: Batch<C>[] = [];
  const open = new Map<string, Batch<C>>();
  const last = new Map<string, Batch<C>>();
  for (const pending of group) {
    const before = pending.keys.flatMap((key) => last.get(key) ?? []);
    let batch = pending.is_batched ? open.get(pending.name) : undefined;
    if (!batch || before.some(({ place }) => place > batch!.place)) {
      batch = { place: batches.length, commands: [], after: new Set() };
      batches.push(batch);
      open.set(pending.name, batch);
    }
    batch.commands.push(pending);
    for (const other of before) if (other !== batch) batch.after.add(other);
    for (const key of pending.keys) last.set(key, batch);
  }
  return batches;
}

/** Runs `run` for each batch: after those that it has to wait for, and beside all others. */
export function sideBySide<C extends Queued>(
  batches: Batch<C>[],
  run: (batch: Batch<C>) => Promise<void>,
): Promise<void>[] {
  const runs: Promise<void>[] = [];
  for (const batch of batches) {
    const before = [...batch.after].map(({ place }) => runs[place]!);
    runs.push(before.length === 0 ? run(batch) : Promise.all(before).then(() => run(batch)));
  }
  return runs;
}
