/** The same seed and the same requests give the same bytes: on each port, in memory and on disk, and after a reset. */

import { expect, test } from "bun:test";
import type { DevOptions } from "../../src/dev/serve.ts";
import { setClock, startDev } from "../support/dev.ts";
import { createProgram, type Exchange } from "../support/dev_program.ts";
import { post } from "../support/http.ts";

/** The transcript of `counts` requests each, with a reset in between. */
async function transcript(options: Partial<DevOptions>, counts: number[]): Promise<Exchange[][]> {
  const { url } = await startDev(options);
  const all: Exchange[][] = [];
  for (const [i, count] of counts.entries()) {
    if (i > 0) await post(`${url}/_dev/reset`);
    // A clock that runs is stopped at a time by the calls of a suite.
    if (options.is_frozen === false) await setClock(url, { now: "2030-01-01T00:00:30.000Z", frozen: true });
    const program = createProgram(url, 7);
    all.push(await program.play(count));
    program.close();
  }
  return all;
}

/** The first exchange that differs, so that a failure is short. */
function expectSame(a: Exchange[], b: Exchange[]): void {
  const at = a.findIndex((one, i) => JSON.stringify(one) !== JSON.stringify(b[i]));
  if (at >= 0) expect(b[at]).toEqual(a[at]!);
  expect(b).toHaveLength(a.length);
}

test("two runs of 500 mixed requests over HTTP and MCP are the same byte for byte", async () => {
  const [first] = await transcript({}, [500]);
  const [second] = await transcript({ in_memory: false }, [500]);
  expectSame(first!, second!);
  const counts = Map.groupBy(first!, ({ status }) => Math.floor(status! / 100));
  expect(counts.get(2)!.length).toBeGreaterThan(250);
  expect(counts.get(4)!.length).toBeGreaterThan(50);
}, 60_000);

test("after a reset the same requests get the same answers", async () => {
  const [before, after] = await transcript({}, [200, 200]);
  expectSame(before!, after!);
  const [on_disk, on_disk_after] = await transcript({ in_memory: false }, [200, 200]);
  expectSame(before!, on_disk!);
  expectSame(before!, on_disk_after!);
}, 60_000);

test("a clock that ran until a call stopped it at a time gives the same answers", async () => {
  const [first, after_reset] = await transcript({ is_frozen: false }, [200, 200]);
  const [second] = await transcript({ is_frozen: false }, [200]);
  expectSame(first!, after_reset!);
  expectSame(first!, second!);
}, 60_000);

test("another seed gives other answers", async () => {
  const [first] = await transcript({}, [20]);
  const [second] = await transcript({ seed: 2 }, [20]);
  expect(second).not.toEqual(first!);
});
