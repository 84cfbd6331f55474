/** The search index of SQLite finds what an index with the places of words finds, and removes what it has. */

import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { limits } from "../../../src/core/limits.ts";
import type { IndexedText } from "../../../src/core/text_index.ts";
import { searchTerms } from "../../../src/core/text.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { testRandom } from "../../support/seed.ts";

let tx: Connection;
beforeEach(() => {
  tx = new Connection(":memory:", { busy_ms: 0 });
  migrate(tx.database);
});
afterEach(() => {
  // Compares the index with its checksum.
  tx.database.run("INSERT INTO search (search) VALUES ('integrity-check')");
  tx.close();
});

const index = () => tx.textIndex("search");

/** An index with the texts and the places of words, as FTS5 makes it by itself. */
const reference = new Database(":memory:");
reference.run(
  'CREATE VIRTUAL TABLE texts USING fts5(text, room, tokenize = "unicode61 remove_diacritics 2")',
);
afterAll(() => reference.close());
afterEach(() => void reference.run("DELETE FROM texts"));

const referenceAdd = ({ document, text, group }: IndexedText) =>
  void reference
    .query("INSERT INTO texts (rowid, text, room) VALUES (?1, ?2, ?3)")
    .run(document, text, group!);

async function add(document: number, text: string, group = "room1"): Promise<IndexedText> {
  const one = { document, text, group };
  await index().add([one]);
  referenceAdd(one);
  return one;
}

/** Where documents are looked for. */
interface Among {
  group?: string;
  from?: number;
  to?: number;
}

/** The documents that the index finds. */
async function found(
  q: string,
  { group, from = 0, to = Number.MAX_SAFE_INTEGER }: Among = {},
): Promise<number[]> {
  const { table, document, matches, find } = index();
  const { query, within, check } = find(searchTerms(q));
  const hits = await tx.all<{ document: number }>(
    `SELECT ${document} AS document FROM ${table} WHERE ${matches("$1")} AND ${document} >= $2 AND ${document} <= $3 ORDER BY ${document}`,
    group === undefined ? query : within(group),
    from,
    to,
  );
  const textOf = (id: number) =>
    (reference.query("SELECT text FROM texts WHERE rowid = ?1").get(id) as { text: string }).text;
  const documents = hits.map((hit) => hit.document);
  const have = check?.(documents.map(textOf));
  return documents.filter((_, i) => have?.[i] ?? true);
}

/** Those that the other index finds. */
function expected(q: string, { group, from = 0, to = Number.MAX_SAFE_INTEGER }: Among = {}): number[] {
  const words = searchTerms(q)
    .map((term) => `"${term}"`)
    .join(" AND ");
  const sql = "SELECT rowid FROM texts WHERE texts MATCH ?1 AND rowid >= ?2 AND rowid <= ?3 ORDER BY rowid";
  const query =
    group === undefined ? `{text} : (${words})` : `({text} : (${words})) AND ({room} : "${group}")`;
  return reference.query(sql).values(query, from, to).flat() as number[];
}

test("finds every text by itself, whatever character of Unicode is in a word", async () => {
  /** As many words as a query of a caller has at most, each with another character between two letters. */
  const lines: string[] = [];
  let words: string[] = [];
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const word = `a${String.fromCodePoint(code)}b`;
    // Any other character ends a word for both. Then the words are in ASCII.
    if (searchTerms(word).length === 1) words.push(word);
    if (words.length === limits.search_terms_max || code === 0x10ffff) {
      lines.push(words.join(" "));
      words = [];
    }
  }
  expect(lines.length).toBeGreaterThan(15_000);
  tx.database.run("BEGIN");
  await index().add(lines.map((text, i) => ({ document: i + 1, text, group: "room1" })));
  tx.database.run("COMMIT");
  // Into one segment: 18,000 queries take a tenth of the time.
  tx.database.run("INSERT INTO search (search) VALUES ('optimize')");
  tx.database.run("BEGIN");
  let split = 0;
  for (const [i, line] of lines.entries()) {
    const { query, check } = index().find(searchTerms(line));
    const hit = await tx.get("SELECT rowid FROM search WHERE search MATCH $1 AND rowid = $2", query, i + 1);
    if (check !== null) split++;
    if (hit === undefined || check?.([line])[0] === false)
      throw new Error(`The index does not find: ${line}`);
  }
  // Marks and letters that are newer than the tokenizer.
  expect(split).toBeGreaterThan(100);
  tx.database.run("COMMIT");
});

test("finds a word that the tokenizer splits only where its parts are side by side", async () => {
  const word = "over\u0305line";
  await add(1, `An ${word}.`);
  await add(2, "Over a line.");
  await add(3, "A line over it, and over line.", "room2");
  await add(4, "Overline.");
  // Without a word that the tokenizer knows: in no text.
  await add(5, "\u0305 alone");
  for (const q of [
    word,
    `${word} an`,
    `${word} ${word}`,
    `it ${word}`,
    "line over",
    "\u0305",
    "alone \u0305",
  ]) {
    for (const among of [{}, { group: "room1" }, { group: "room2" }, { from: 2 }]) {
      expect([q, among, await found(q, among)]).toEqual([q, among, expected(q, among)]);
    }
  }
  expect(await found(word)).toEqual([1, 3]);
  expect(index().find(["line", "\u00fcber", "\u0395"]).check).toBeNull();
});

test("takes no word of a text for the group of the text", async () => {
  await add(1, "#room2 and ##room2 and a#room2#b, x", "room1");
  await add(2, "x", "room2");
  expect(await found("x", { group: "room1" })).toEqual([1]);
  expect(await found("x", { group: "room2" })).toEqual([2]);
  expect(await found("room2")).toEqual([1]);
  expect(await found("a room2 b")).toEqual([1]);
});

test("ignores the removal of a document that it does not have, and of one that it had", async () => {
  const [gone, left] = [await add(1, "gone and gone"), await add(2, "gone, left")];
  await index().remove([{ document: 3, text: "gone", group: "room1" }]);
  await index().remove([gone]);
  await index().remove([gone]);
  expect(await found("gone")).toEqual([2]);
  tx.database.run("BEGIN");
  await index().remove([left]);
  await index().remove([left]);
  await index().add([left]);
  tx.database.run("COMMIT");
  expect(await found("gone")).toEqual([2]);
});

test("holds no word of a removed text", async () => {
  const texts = Array.from({ length: 500 }, (_, i) => `an ordinary text with nixenwort${i}x`);
  for (const [i, text] of texts.entries()) await add(i + 1, text);
  const holds = (word: string) =>
    (tx.database.query("SELECT block FROM search_data").values() as [Uint8Array][]).some(([block]) =>
      Buffer.from(block).includes(word),
    );
  // The index has what a word does not share with the word before it.
  await add(1000, "zebrawort");
  expect(holds("zebrawort")).toBe(true);
  await index().remove([{ document: 1000, text: "zebrawort", group: "room1" }]);
  expect(holds("zebrawort")).toBe(false);
});

test("finds the same as an index with places after any additions and removals, and is whole", async () => {
  const random = testRandom("text index");
  const words = [
    "a",
    "b",
    "line",
    "over",
    "over\u0305line",
    "हिन्दी",
    "हिन्द",
    "#",
    "#room1",
    "room2",
    "\u00dcber",
    "uber",
    "\ud83d\ude80",
    "z#z",
  ];
  const stored = new Map<number, IndexedText>();
  for (let step = 0; step < 3_000; step++) {
    const kind = random.below(10);
    if (step % 7 === 0) tx.database.run("BEGIN");
    if (kind < 5) {
      const document = random.below(400) + 1;
      if (!stored.has(document)) {
        const text = Array.from({ length: random.below(12) }, () => random.oneOf(words)).join(" ");
        stored.set(document, await add(document, text, `room${random.below(3)}`));
      }
    } else if (kind < 9) {
      const document = random.below(400) + 1;
      const one = stored.get(document) ?? { document, text: random.oneOf(words), group: "room1" };
      await index().remove([one]);
      stored.delete(document);
      reference.query("DELETE FROM texts WHERE rowid = ?1").run(document);
    } else {
      const q = `${random.oneOf(words)} ${random.oneOf(words)}`;
      const among = { from: random.below(300), ...(random.below(2) && { group: `room${random.below(3)}` }) };
      if (searchTerms(q).length > 0) {
        expect([q, among, await found(q, among)]).toEqual([q, among, expected(q, among)]);
      }
    }
    if (step % 7 === 6) tx.database.run("COMMIT");
    if (step % 500 === 0) tx.database.run("INSERT INTO search (search) VALUES ('integrity-check')");
  }
  if (tx.database.inTransaction) tx.database.run("COMMIT");
});
