/**
 * Values that are there at once or come later. Most reads are answered from memory, where the promises of their steps would take
 * longer than the steps.
 */

export type Ready<Value> = Value | Promise<Value>;

/** The result of `next` for the value: at once if the value is there. */
export const whenReady = <Value, Result>(
  value: Ready<Value>,
  next: (value: Value) => Ready<Result>,
): Ready<Result> => (value instanceof Promise ? value.then(next) : next(value));
