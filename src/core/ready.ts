/**
 * Values that are there at once or come later. Most reads are answered from memory, where the promises of their steps would take
 * longer than the steps.
 */

export type Ready<Value> = Value | Promise<Value>;

/** The result of `use` for the value: at once if the value is there. */
export const whenReady = <Value, Result>(
  value: Ready<Value>,
  use: (value: Value) => Ready<Result>,
): Ready<Result> => (value instanceof Promise ? value.then(use) : use(value));
