/** Longer limits of the Postgres engine in this process: for tests that send more at once than a busy machine answers in time. */

import { afterAll, beforeAll } from "bun:test";
import { postgres_limits } from "../../src/storage/postgres/limits.ts";

type Limits = { -readonly [Name in keyof typeof postgres_limits]: number };

/** Sets `longer` before the tests of a file or a group, and the limits as shipped after them. */
export function useLimits(longer: Partial<Limits>): void {
  const as_shipped = { ...postgres_limits };
  beforeAll(() => void Object.assign(postgres_limits, longer));
  afterAll(() => void Object.assign(postgres_limits, as_shipped));
}
