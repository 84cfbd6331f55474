/** The beacon's arithmetic against vectors that other programs computed, by the service's code and by the verifier's. */

import { describe, expect, test } from "bun:test";
import { drawInt, drawItems, sampler, type Step } from "../../src/beacon/draws.ts";
import { commitOf, seedOf, valueOf } from "../../src/beacon/derivation.ts";
import { pathOf, rootOf, treeOf } from "../../src/beacon/merkle.ts";
import { calendarOf, dayStarts } from "../../src/beacon/rounds.ts";
import { redraw } from "../../src/verifier/draw.ts";
import { rootByPath, rootOverCommits } from "../../src/verifier/tree.ts";
import vectors from "./vectors/beacon.json";
import rivest from "./vectors/rivest_sampler.json";

const hashOf = (text: string) => Bun.SHA256.hash(text, "hex");

test("computes the round as floor(unix_seconds / 60), with 1440 rounds a day", () => {
  const { roundAt, starts, dayOf, firstRoundOf, rounds_per_day } = calendarOf(60);
  expect(roundAt(Date.parse("2026-03-01T12:00:59.999Z"))).toBe(29539440);
  expect(roundAt(Date.parse("2026-03-01T12:01:00.000Z"))).toBe(29539441);
  expect(starts(29539440)).toBe(Date.parse("2026-03-01T12:00:00.000Z"));
  expect(dayOf(29539440)).toBe("2026-03-01");
  expect(firstRoundOf("2026-03-01")).toBe(29539440 - 720);
  expect(rounds_per_day).toBe(1440);
  for (const none of ["2026-02-30", "2026-3-1", "x", "", "2026-03-01T00"]) expect(dayStarts(none)).toBeNaN();
});

describe.each(vectors.rounds)("round $round", ({ round, seed, commit, draws }) => {
  test("has this seed and commitment", () => {
    expect(seedOf(Uint8Array.fromHex(vectors.secret), round)).toBe(seed);
    expect(commitOf(seed)).toBe(commit);
  });

  test.each(draws)("has these draws under the label '$label'", async ({ label, ints, shuffle, ...value }) => {
    expect(valueOf(seed, label)).toEqual({ label, ...value } as never);
    expect(await redraw(seed, new URLSearchParams({ label }))).toEqual(value);
    for (const { from, to, result } of ints) {
      expect(drawInt(value.hex, from, to).result).toBe(result);
      const query = new URLSearchParams({ label, int: `${from}..${to}` });
      expect((await redraw(seed, query)).result).toBe(result);
    }
    for (let n = 1; n <= shuffle.items.length; n++) {
      expect(drawItems(value.hex, shuffle.items, n).result).toEqual(shuffle.result.slice(0, n));
      const query = new URLSearchParams({ label, pick: shuffle.items.join(), n: String(n) });
      expect((await redraw(seed, query)).result).toEqual(shuffle.result.slice(0, n));
    }
    const query = new URLSearchParams({ label, shuffle: shuffle.items.join() });
    expect((await redraw(seed, query)).result).toEqual(shuffle.result);
  });
});

describe.each(vectors.trees)("a tree of $size leaves", ({ size, root, proofs }) => {
  const leaves = Array.from({ length: size }, (_, i) => hashOf(`leaf ${i}`));
  const tree = treeOf(leaves.map((leaf) => Uint8Array.fromHex(leaf)));

  test("has this root and these proofs", async () => {
    expect(rootOf(tree)).toBe(root);
    expect(await rootOverCommits(leaves)).toBe(root);
    for (const { index, path } of proofs) {
      expect(pathOf(tree, index)).toEqual(path);
      expect(await rootByPath(leaves[index]!, index, size, path)).toBe(root);
    }
  });

  test("accepts every proof, and refuses it at another place or with a hash more or less", async () => {
    for (let index = 0; index < size; index += Math.ceil(size / 32)) {
      const path = pathOf(tree, index);
      const leaf = leaves[index]!;
      expect(await rootByPath(leaf, index, size, path)).toBe(root);
      expect(await rootByPath(leaf, index, size, [...path, root])).not.toBe(root);
      if (path.length > 0) expect(await rootByPath(leaf, index, size, path.slice(1))).not.toBe(root);
      if (size > 1) expect(await rootByPath(leaf, (index + 1) % size, size, path)).not.toBe(root);
    }
  });
});

test.each(rivest.tests)(
  "draws as Rivest's sampler does: seed $seed, 1 to $total",
  ({ seed, total, expected }) => {
    const steps: Step[] = [];
    const next = sampler(seed, steps);
    expect(expected.map(() => 1 + next(total))).toEqual(expected);
    expect(steps.map(({ i }) => i)).toEqual(expected.map((_, i) => i + 1));
  },
);

test("skips hashes that would favour small numbers, and records them in the steps", () => {
  // 2^256 = 1 modulo 3: only the last of all hashes must be rejected.
  const last = "f".repeat(64);
  const hashes = [last, last, "f".repeat(63) + "e"];
  const steps: Step[] = [];
  const next = sampler("x", steps, (text) => hashes[Number(text.split(",")[1]) - 1]!);
  expect(next(3)).toBe(2);
  expect(steps.map(({ taken }) => taken)).toEqual([null, null, 2]);
});
