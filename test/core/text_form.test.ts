/** The text form: no text of a stranger has a line of the service, and a reader gets back exactly what was stored. */

import { describe, expect, test } from "bun:test";
import {
  headLine,
  postPieces,
  quoted,
  quoted_notice,
  quotedName,
  withNotice,
} from "../../src/core/text_form.ts";
import { forgeries } from "../support/forgeries.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { partsOf, postsIn, unquoted } from "../support/text_form.ts";

/** What each kind of reader takes for the end of a line. */
const readers: Record<string, RegExp> = {
  "line feeds": /\n/,
  CommonMark: /\r\n|\n|\r/,
  JavaScript: /\r\n|[\n\r\u2028\u2029]/,
  "Unicode (UAX 14)": /\r\n|[\n\r\v\f\u0085\u2028\u2029]/,
  // oxlint-disable-next-line no-control-regex -- they end a line
  Python: /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/,
};

const pieces = [
  ...Array.from('\n\r\v\f\x1b\x1c\x1d\x1e\x1f\u0085\u2028\u2029> #"\\[]()`<!-→'),
  ...[
    "\r\n",
    "> ",
    "[U+",
    "[U+000A]",
    "[U+005B]",
    "U+2028]",
    "\u202e",
    "\u200b",
    "\u200d",
    "👩‍🚀",
    "é",
    "e\u0301",
    "a",
    "\ud83d\ude00",
  ],
  ...["\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}", "\u{e0041}", "\u{1f3f4}"],
];

/** A text of special pieces and of any code points that can be stored. */
function randomTexts(count: number): string[] {
  const { bytes } = seededRandom(14);
  const number = () => new DataView(bytes(4).buffer).getUint32(0);
  const any = () => {
    const code = number() % 0x110000;
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? "x" : String.fromCodePoint(code);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: number() % 12 }, () =>
      number() % 4 === 0 ? any() : pieces[number() % pieces.length]!,
    ).join(""),
  );
}
const texts = [...forgeries, ...randomTexts(20_000)];

describe("quoted", () => {
  test("has 200 attempts and more", () => expect(forgeries.length).toBeGreaterThan(200));

  test("begins each line with > for every kind of reader", () => {
    for (const text of texts)
      for (const [reader, end] of Object.entries(readers))
        for (const line of quoted(text).split(end))
          expect([reader, text, line.startsWith("> ")]).toEqual([reader, text, true]);
  });

  test("gives back exactly the text, for forgeries and random texts", () => {
    for (const text of texts) expect(unquoted(quoted(text))).toBe(text);
  });

  test("gives back exactly the text and the lines of the service around it", () => {
    for (const text of texts)
      expect(partsOf(`before\n${quoted(text)}\n\nafter`)).toEqual([
        { ours: "before" },
        { quoted: text },
        { ours: "" },
        { ours: "after" },
      ]);
  });

  test("shows characters that control a terminal or a direction, and leaves plain text as it is", () => {
    expect(quoted("a\u001b[1A\u202eb\rc")).toBe("> a[U+001B][1A[U+202E]b[U+000D]c");
    expect(quoted("one\ntwo\r\nthree\u2028four")).toBe("> one\n> two\r\n> three\u2028> four");
    expect(quoted("[U+001B]")).toBe("> [U+005B]U+001B]");
    expect(quoted("👩‍🚀 العربية")).toBe("> 👩‍🚀 العربية");
  });
});

test("puts the notice above a text with quoted lines, and above no other", () => {
  expect(withNotice(`a\n${quoted("b")}`)).toBe(`${quoted_notice}\n\na\n> b`);
  expect(withNotice(quoted("b"))).toBe(`${quoted_notice}\n\n> b`);
  expect(withNotice("a > b\n>c")).toBe("a > b\n>c");
});

describe("quotedName", () => {
  test("is a JSON string of the name, in one line without invisible characters", () => {
    for (const name of texts) {
      const shown = quotedName(name);
      expect(JSON.parse(shown)).toBe(name);
      for (const end of Object.values(readers)) expect([name, end.test(shown)]).toEqual([name, false]);
      expect([name, /(?! )[\p{C}\p{Z}]/u.test(shown)]).toEqual([name, false]);
      expect([name, /^"(?:[^"\\]|\\.)*"$/u.test(shown)]).toEqual([name, true]);
    }
  });

  test("escapes what could pass for the end of the name, and nothing else", () => {
    expect(quotedName('ada" (key)')).toBe('"ada\\" (key)"');
    expect(quotedName("ada＂ (key)")).toBe('"ada\\uff02 (key)"');
    expect(quotedName("ada” (key)")).toBe('"ada\\u201d (key)"');
    expect(quotedName("\u0338ada")).toBe('"\\u0338ada"');
    expect(quotedName("a\u2028b\u202ec\u0085d")).toBe('"a\\u2028b\\u202ec\\u0085d"');
    expect(quotedName("\u{e0041}")).toBe('"\\udb40\\udc41"');
    expect(quotedName("Zoë (key) ❤️ 中 גֶּ")).toBe('"Zoë (key) ❤️ 中 גֶּ"');
  });
});

describe("a post", () => {
  const post = { n: 57, name: "ada", claimed: true, ts: "2026-11-22T23:04:48.123Z", body: "hi" };
  test("has a head line", () => {
    expect(headLine({ ...post, in_reply_to_n: 51 })).toBe('#57 "ada" key →#51 23:04:48');
    expect(headLine({ ...post, claimed: false, in_reply_to_n: null })).toBe('#57 "ada" 23:04:48');
    expect(headLine({ ...post, body: null, redacted: "author" })).toBe(
      '#57 "ada" key 23:04:48 redacted by its author',
    );
    expect(headLine({ ...post, body: null, redacted: "host" })).toBe(
      '#57 "ada" key 23:04:48 redacted by the host',
    );
  });

  test("has the day above it where the day changes, and no quoted lines if it is redacted", () => {
    const posts = [
      post,
      { ...post, n: 58, body: null, redacted: "host" as const },
      { ...post, n: 59, ts: "2026-11-23T00:00:01.000Z", body: "two\nlines" },
    ];
    expect([...postPieces(posts, ({ n }) => ` id ${n}`)].join("")).toBe(
      '2026-11-22\n#57 "ada" key 23:04:48 id 57\n> hi\n\n' +
        '#58 "ada" key 23:04:48 redacted by the host id 58\n\n' +
        '2026-11-23\n#59 "ada" key 00:00:01 id 59\n> two\n> lines\n\n',
    );
  });

  test("is read back exactly, with any name and any text", () => {
    const posts = texts.map((text, i) => ({
      n: i + 1,
      name: texts[texts.length - 1 - i]!,
      claimed: i % 2 === 0,
      in_reply_to_n: i % 3 === 0 ? i + 7 : null,
      ts: new Date(1.7e12 + i * 3_600_000).toISOString(),
      body: i % 5 === 0 ? null : text,
      redacted: i % 5 === 0 ? ("author" as const) : undefined,
    }));
    expect(postsIn([...postPieces(posts)].join(""))).toEqual(
      posts.map(({ ts, redacted, ...post }) => ({
        ...post,
        ts: `${ts.slice(0, 19)}Z`,
        redacted: redacted ? "its author" : null,
        more: "",
      })),
    );
  });
});
