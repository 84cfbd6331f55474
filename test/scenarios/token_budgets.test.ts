/** What agents read costs them tokens: no result, definition or document exceeds its budget. */

import { expect, test } from "bun:test";
import { measureTokens } from "../../bench/tokens/measure.ts";
import { isOver } from "../../bench/tokens/table.ts";

test("everything with a budget is within it", async () => {
  const over = (await measureTokens()).filter(isOver).map(({ what, tokens }) => `${what}: ${tokens}`);
  expect(over).toEqual([]);
});
