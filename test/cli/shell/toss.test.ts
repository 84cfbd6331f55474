/** Tosses with rounds of the usual length, in which a caller waits for up to three minutes. */

import { expect, test } from "bun:test";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test("a draw prints its round and its page at once, and with --wait its result when the round has ended", async () => {
  const { service, shell } = used;
  const draw = ["beacon", "toss", "lunch", "--int", "1..6"];
  const at_once = await shell.run(...draw);
  expect(at_once).toMatchObject({ status: 0, errors: "" });
  const [, number] = /^round (\d+) /.exec(at_once.printed)!;
  expect(at_once.printed).toContain("Its value is not out yet.");
  expect(at_once.printed).toContain(`${service.url}/beacon/${number}?label=lunch&int=1..6`);

  const waiting = shell.start(...draw, "--round", number!, "--wait");
  await waiting.prints("page ");
  service.clock.advance(180);
  const { status, errors, printed } = await waiting.ended;
  expect([status, errors]).toEqual([0, ""]);
  expect(printed).toMatch(/^result {6}[1-6]$/m);
});
