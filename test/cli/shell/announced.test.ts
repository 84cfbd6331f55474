/** Which notes were announced to the agents of a name: each note once, by one of those who announce. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimNotes } from "../../../src/cli/shell/announced.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));

const ada = { url: "http://wharf.example", name: "ada" };
let folders = 0;
let state: string;
beforeEach(() => {
  state = join(root, String((folders += 1)));
});

const terminal = () => ({ environment: { XDG_STATE_HOME: state } });
const notes = (...seqs: number[]) => seqs.map((seq) => ({ seq }));
const claim = (unread: { seq: number }[], latest_seq?: number, addressee = ada) =>
  claimNotes(terminal(), addressee, unread, latest_seq);
const claimed = (...given: Parameters<typeof claim>) => claim(...given).notes.map(({ seq }) => seq);
const fileOf = () => {
  const [file] = readdirSync(join(state, "wharf")).filter((name) => name.endsWith(".json"));
  return join(state, "wharf", file!);
};

test("gives each note once, with what its reader needs of it, and later notes as they come", () => {
  expect(claim([{ seq: 2, kind: "room.reply" } as { seq: number }]).notes).toEqual([
    { seq: 2, kind: "room.reply" } as { seq: number },
  ]);
  expect(claimed(notes(2))).toEqual([]);
  expect(claimed(notes(2, 3, 5))).toEqual([3, 5]);
  // The mailbox of a name that has read everything.
  expect(claimed([])).toEqual([]);
  expect(claimed(notes(3, 5, 6))).toEqual([6]);
});

test("has a file for each service and name, for its owner alone", () => {
  expect(claimed(notes(1))).toEqual([1]);
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(fileOf(), "utf8"))).toEqual({ ...ada, through: 1, given_back: [] });
  expect(claimed(notes(1), 1, { ...ada, name: "bob" })).toEqual([1]);
  expect(claimed(notes(1), 1, { ...ada, url: "http://other.example" })).toEqual([1]);
  expect(claimed(notes(1))).toEqual([]);
});

test("gives notes again that were given back, once, and none that somebody else has announced meanwhile", () => {
  const failed = claim(notes(1, 2));
  expect(claimed(notes(1, 2, 3))).toEqual([3]);
  failed.giveBack();
  // Note 1 was read elsewhere.
  expect(claimed(notes(2, 3))).toEqual([2]);
  expect(claimed(notes(2, 3))).toEqual([]);
  failed.giveBack();
  expect(claimed(notes(1, 2, 3, 4))).toEqual([1, 2, 4]);
});

test("begins anew with another mailbox: its notes end before what was announced", () => {
  expect(claimed(notes(8, 9), 9)).toEqual([8, 9]);
  expect(claimed([], 9)).toEqual([]);
  expect(claimed(notes(1, 2), 2)).toEqual([1, 2]);
  expect(claimed(notes(1, 2), 2)).toEqual([]);
});

test.each(["", "no JSON", "[]", "null", '{"through":"9","given_back":[]}', '{"through":9}'])(
  "begins anew if the file has %p",
  (text) => {
    claim(notes(1));
    writeFileSync(fileOf(), text);
    expect(claimed(notes(1))).toEqual([1]);
    expect(claimed(notes(1))).toEqual([]);
  },
);

test("claims nothing that it cannot save, and says which file that is", () => {
  mkdirSync(root, { recursive: true });
  writeFileSync(state, "");
  expect(() => claim(notes(1))).toThrow(/announced-\w+\.json cannot be changed: /);
});

test("processes that claim the same notes at once get each note once", async () => {
  const seqs = Array.from({ length: 50 }, (_, index) => index + 1);
  const program = [
    `import { claimNotes } from ${JSON.stringify(join(import.meta.dir, "../../../src/cli/shell/announced.ts"))};`,
    `const terminal = ${JSON.stringify(terminal())};`,
    "const claimed = [];",
    // Each of them sees the notes come one after another.
    `for (const seq of ${JSON.stringify(seqs)}) {`,
    "  const unread = Array.from({ length: seq }, (_, index) => ({ seq: index + 1 }));",
    `  try { claimed.push(...claimNotes(terminal, ${JSON.stringify(ada)}, unread).notes.map((note) => note.seq)); } catch {}`,
    "}",
    "console.log(JSON.stringify(claimed));",
  ].join("\n");
  const all = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
      return JSON.parse(await new Response(child.stdout).text()) as number[];
    }),
  );
  expect(all.flat().toSorted((a, b) => a - b)).toEqual(seqs);
});
