/** Looks for an order in which concurrent calls could have run one after the other (linearizability, Herlihy and Wing 1990). */

/** A call that has been answered. */
export interface Call {
  /** Applies the call to the model and returns the expected answer. */
  expected(): unknown;
  /** Whether the real answer is the expected one; absent if the answer does not depend on the order. */
  fits?(expected: unknown): boolean;
}

/**
 * Puts calls, all of which were under way at the same time, into an order in which a model gives the real answers, and then
 * `fitsAfterwards`. Throws if it finds none. `restore` takes the model back to the state before the calls. The model is left in
 * the state after the order. `likely` is tried first; a call whose answer does not fit, and calls without such an answer, are
 * tried at other places.
 */
export function linearOrder<C extends Call>(
  likely: C[],
  restore: () => void,
  fitsAfterwards: () => boolean,
): C[] {
  /** How many calls fit before the first that does not; one more if the state afterwards fits as well. */
  const fitting = (order: C[]): number => {
    restore();
    const wrong = order.findIndex((call) => !(call.fits?.(call.expected()) ?? (call.expected(), true)));
    if (wrong >= 0) return wrong;
    return order.length + (fitsAfterwards() ? 1 : 0);
  };
  let order = likely;
  let fit = fitting(order);
  while (fit <= order.length) {
    const movable = order.flatMap(({ fits }, i) => (i === fit || !fits ? [i] : []));
    const better = movable
      .sort((a, b) => Number(b === fit) - Number(a === fit))
      .flatMap((from) => moves(order, from))
      .find((moved) => fitting(moved) > fit);
    if (!better) {
      restore();
      const applied = order.slice(0, fit + 1).map((call) => ({ ...call, answer: call.expected() }));
      throw new Error(`No order was found; ${fit} calls fit of ${Bun.inspect(applied, { depth: 5 })}`);
    }
    order = better;
    fit = fitting(order);
  }
  return order;
}

/** The orders that differ from `order` by the place of the call at `from`: nearer places first. */
function moves<C>(order: C[], from: number): C[][] {
  const rest = order.toSpliced(from, 1);
  return order
    .map((_, place) => place)
    .filter((place) => place !== from)
    .sort((a, b) => Math.abs(a - from) - Math.abs(b - from))
    .map((place) => rest.toSpliced(place, 0, order[from]!));
}
