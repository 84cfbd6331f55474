/** Tables of tool calls, successful and refused ones, and what every answer must contain. */

import { describe, expect, test } from "bun:test";
import type { Holder } from "./names.ts";
import type { TestService } from "./service.ts";
import { callTool, codeOf, expectBothForms, toolsOf, wordsOf } from "./tools.ts";

type Call = [args: object, who?: Holder];
type Make = () => Call | Promise<Call>;

/** The next call that the result names; null if it names none. */
export type GoodCall = [tool: string, call: Make, next: RegExp | null];
/** The code, and the expected text with the next call. */
export type RefusedCall = [tool: string, code: string, call: Make, says: RegExp];

/** Tests the calls of the tools whose names have the form `of`. Each of these tools must be in both tables. */
export function testCalls(
  service: () => TestService,
  of: RegExp,
  good_calls: GoodCall[],
  refused_calls: RefusedCall[],
): void {
  const run = async (tool: string, make: Make) => {
    const [args, who] = await make();
    return callTool(service().url, tool, args, who?.pair);
  };
  const known = async () =>
    new Map(
      (await toolsOf(service().url))
        .filter(({ name }) => of.test(name))
        .map((definition) => [definition.name, definition]),
    );
  const toolsIn = (calls: [tool: string, ...unknown[]][]) => new Set(calls.map(([tool]) => tool));

  test("every result fits its output schema, says the same in words and names the expected next call", async () => {
    const definitions = await known();
    for (const [tool, make, next] of good_calls) {
      const answer = await run(tool, make);
      expectBothForms(definitions.get(tool)!, answer);
      for (const value of Object.values(answer.structuredContent!)) {
        if (typeof value === "number") expect(wordsOf(answer), tool).toContain(String(value));
      }
      const { next: named } = answer.structuredContent as { next?: string };
      if (!next) {
        expect([tool, named]).toEqual([tool, undefined]);
        continue;
      }
      expect(named, tool).toMatch(next);
      expect(answer.content[0]!.text).toEndWith(`\nNext: ${named}`);
    }
    expect(toolsIn(good_calls)).toEqual(new Set(definitions.keys()));
  });

  describe("a refusal says what is wrong and what to call next", () => {
    test.each(refused_calls)("%s: %s (case %#)", async (tool, code, make, says) => {
      const refused = await run(tool, make);
      const { text } = refused.content[0]!;
      expect([codeOf(refused), text]).toEqual([code, expect.stringMatching(says)]);
      expect(refused.structuredContent).toBeUndefined();
      expect(text).toMatch(/\nNext: \S/);
    });

    test("of every tool, once at least", async () => {
      expect(toolsIn(refused_calls)).toEqual(new Set((await known()).keys()));
    });
  });
}
