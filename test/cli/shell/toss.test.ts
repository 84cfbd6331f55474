/** Tosses with rounds of the usual length, in which a caller waits for up to two minutes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";

let service: SourceService;
let shell: Shell;
beforeAll(async () => {
  service = await startSource();
  shell = newShell(service.url);
});
afterAll(async () => {
  await service.stop();
  shell.remove();
});

test("a draw prints its round and its page at once, and with --wait its result when the round has ended", async () => {
  const draw = ["beacon", "toss", "lunch", "--int", "1..6"];
  const at_once = await shell.run(...draw);
  expect(at_once).toMatchObject({ status: 0, errors: "" });
  const [, number] = /^round (\d+) /.exec(at_once.printed)!;
  expect(at_once.printed).toContain("Its value is not out yet.");
  expect(at_once.printed).toContain(`${service.url}/beacon/${number}?label=lunch&int=1..6`);

  const waiting = shell.start(...draw, "--round", number!, "--wait");
  await waiting.prints("page ");
  service.clock.advance(120);
  const { status, errors, printed } = await waiting.ended;
  expect([status, errors]).toEqual([0, ""]);
  expect(printed).toMatch(/^result {6}[1-6]$/m);
});
