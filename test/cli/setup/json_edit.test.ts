/** Entries in JSON files of others: every other byte stays, and an entry can be taken out again. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactBefore, digestOf, textOf, withChanges, withoutOurs } from "../../../src/cli/setup/changes.ts";
import type { Change } from "../../../src/cli/setup/host.ts";
import { addEntry, removeEntry, type Entry } from "../../../src/cli/setup/json_edit.ts";
import { JsonFault, objectIn, valueOf } from "../../../src/cli/setup/json_text.ts";
import { spliceOf } from "../../../src/cli/setup/splice.ts";

const server: Entry = { kind: "member", at: ["mcpServers", "wharf"], value: { command: "wharf" } };
const hook: Entry = { kind: "item", at: ["hooks", "Stop"], value: { run: "wharf" } };

const added = (text: string, ...entries: Entry[]): string =>
  entries.reduce((before, entry) => addEntry(before, entry).text, text);

describe("adds an entry that looks like the rest", () => {
  const cases: Record<string, [before: string, entry: Entry, after: string]> = {
    "an empty file": [
      "",
      server,
      '{\n  "mcpServers": {\n    "wharf": {\n      "command": "wharf"\n    }\n  }\n}\n',
    ],
    "nothing but a comment": [
      "// mine",
      { ...server, at: ["wharf"], value: 1 },
      '// mine\n{\n  "wharf": 1\n}\n',
    ],
    "an empty object": ["{}\n", { ...server, at: ["wharf"], value: 1 }, '{\n  "wharf": 1\n}\n'],
    "an empty object with a comment": [
      "{\n  // mine\n}\n",
      { ...server, at: ["wharf"], value: 1 },
      '{\n  // mine\n  "wharf": 1\n}\n',
    ],
    "a comment behind the last member": [
      '{\n\t"a": 1 // one\n}\n',
      { ...server, at: ["wharf"], value: [1] },
      '{\n\t"a": 1, // one\n\t"wharf": [\n\t\t1\n\t]\n}\n',
    ],
    "a comma behind the last member": [
      '{\n    "a": 1, /* one */\n}',
      { ...server, at: ["wharf"], value: 1 },
      '{\n    "a": 1, /* one */\n    "wharf": 1\n}',
    ],
    "line ends of Windows, and a byte order mark": [
      '\ufeff{\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n',
      server,
      '\ufeff{\r\n  "mcpServers": {\r\n    "x": {},\r\n    "wharf": {\r\n      "command": "wharf"\r\n    }\r\n  }\r\n}\r\n',
    ],
    "one line": [
      '{"mcpServers": {"x": {}}}',
      server,
      '{"mcpServers": {"x": {}, "wharf": {"command":"wharf"}}}',
    ],
    "an array": [
      '{\n  "hooks": {\n    "Stop": [\n      {}\n    ]\n  }\n}\n',
      hook,
      '{\n  "hooks": {\n    "Stop": [\n      {},\n      {\n        "run": "wharf"\n      }\n    ]\n  }\n}\n',
    ],
    "an empty array": [
      '{\n  "hooks": {"Stop": []}\n}\n',
      { ...hook, value: 1 },
      '{\n  "hooks": {"Stop": [\n    1\n  ]}\n}\n',
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [before, entry, after]) => {
    const made = addEntry(before, entry);
    expect(made.text).toBe(after);
    expect(addEntry(after, entry)).toEqual({
      ...{ text: after, lines: null, found: entry.at.length, comma: false },
    });
  });
});

describe("refuses what it does not understand, with the line", () => {
  const cases: Record<string, [text: string, line: number, says: string]> = {
    "no JSON": ['{\n  "a": 1\n  "b": 2\n}', 3, "is no JSON"],
    "two objects": ["{}\n{}", 2, "is no JSON"],
    "a list": ["\n[]", 2, "is no JSON object"],
    "another server": ['{"mcpServers":\n{"wharf": {}}}', 2, "has another mcpServers.wharf"],
    "a text for the servers": ['{\n"mcpServers":\n""}', 3, "has a mcpServers that is no object"],
    "the servers twice": ['{\n"mcpServers": {},\n"mcpServers": {}}', 3, 'has "mcpServers" twice'],
    "a deep file": [`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, 1, "is nested too deeply"],
  };
  test.each(Object.entries(cases))("%s", (_, [text, line, says]) => {
    let found: unknown;
    try {
      addEntry(text, server);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(JsonFault);
    expect([(found as JsonFault).line, (found as JsonFault).message]).toEqual([
      line,
      expect.stringContaining(says),
    ]);
  });

  test("an array that is none", () => {
    expect(() => addEntry('{"hooks": {"Stop": {}}}', hook)).toThrow("has a hooks.Stop that is no array");
  });

  test("bytes that are no UTF-8", () => {
    expect(() => textOf(new Uint8Array([0xff, 0xfe]))).toThrow("is not in UTF-8");
  });
});

/** JSON with comments, commas and spaces where they may be. */
const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", "  // one\n", "/* two */", "\n  /* , } */\n");
const name = fc.constantFrom("a", "mcpServers", "wharf", "hooks", "Stop", "__proto__", "ü", "//", '"');
const document = fc.letrec<{ value: string; object: string; array: string }>((tie) => {
  const listed = (item: fc.Arbitrary<string>, [open, close]: [string, string]) =>
    fc
      .tuple(fc.array(fc.tuple(space, item, space), { maxLength: 4 }), fc.boolean(), space)
      .map(([items, has_comma, end]) => {
        const text = items.map((parts) => parts.join("")).join(",");
        return `${open}${text}${has_comma && items.length > 0 ? "," : ""}${end}${close}`;
      });
  const plain = fc
    .oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string())
    .map((one) => JSON.stringify(one));
  const member = fc
    .tuple(name, space, space, tie("value"))
    .map(([key, a, b, value]) => `${JSON.stringify(key)}${a}:${b}${value}`);
  return {
    value: fc.oneof({ maxDepth: 4 }, plain, tie("object"), tie("array")),
    array: listed(tie("value"), ["[", "]"]),
    object: listed(member, ["{", "}"]),
  };
}).object;
const file = fc
  .tuple(fc.constantFrom("", "\ufeff"), space, fc.oneof(document, fc.constant("")), space)
  .map((parts) => parts.join(""));

/** The value of a file; an empty one is an empty object. Members may be called `__proto__`. */
function read(text: string): unknown {
  const root = objectIn(text.replace(/^\ufeff/, ""));
  return root ? valueOf(root) : {};
}

const changes: Change[] = [
  { ...server, kind: "member", purpose: "tools", file: "/f" },
  { ...hook, kind: "item", purpose: "wake-up", file: "/f" },
  { ...hook, kind: "item", value: [1, { wharf: true }], purpose: "leases", file: "/f" },
];

/** The changes of a file; null if it is refused. */
function changed(text: string) {
  const bytes = Buffer.from(text);
  try {
    return { bytes, made: withChanges(bytes, changes, "a") };
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
}

/** What a file says with the entries. */
function withEntries(value: unknown): unknown {
  const own = Object.assign(Object.create(null), value) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  const { mcpServers, hooks, ...others } = own;
  const items = [hook.value, [1, { wharf: true }]];
  const before = (hooks?.["Stop"] ?? []) as unknown[];
  const missing = items.filter((item) => !before.some((one) => Bun.deepEquals(one, item)));
  return {
    ...others,
    mcpServers: { ...mcpServers, wharf: server.value },
    hooks: { ...hooks, Stop: [...before, ...missing] },
  };
}

describe("any file", () => {
  test("is byte for byte what it was when setup is undone", () => {
    let made_count = 0;
    fc.assert(
      fc.property(file, (text) => {
        const found = changed(text);
        if (!found) return;
        made_count++;
        const { bytes, made } = found;
        const record = {
          changes: made.changes,
          before: digestOf(bytes),
          after: digestOf(made.bytes),
          undo: spliceOf(made.bytes, bytes),
        };
        expect(Buffer.from(exactBefore(made.bytes, record)!).toString()).toBe(text);
        expect(Buffer.from(withoutOurs(made.bytes, record).bytes!).toString()).toBe(text);
      }),
      { numRuns: 500 },
    );
    expect(made_count).toBeGreaterThan(100);
  });

  test("has every character that it had, in the same order, and the entries beside what it said", () => {
    fc.assert(
      fc.property(file, (text) => {
        const found = changed(text);
        if (!found) return;
        const after = Buffer.from(found.made.bytes).toString();
        let at = 0;
        for (const char of after) if (char === text[at] || text.startsWith(char, at)) at += char.length;
        expect(at).toBe(text.length);
        expect(read(after)).toEqual(withEntries(read(text)));
        for (const change of changes) expect(addEntry(after, change as Entry).lines).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test("has its last comma again when the entries are taken out by hand", () => {
    const text = '{\n  "a": 1, // one\n}\n';
    const { made } = changed(text)!;
    let after = Buffer.from(made.bytes).toString().replace("one", "two");
    for (const change of made.changes.toReversed())
      after = removeEntry(after, change as Entry & { found: number; comma: boolean }).text;
    expect(after).toBe(text.replace("one", "two"));
  });

  test("says what it said before when the entries are taken out after somebody has changed it", () => {
    fc.assert(
      fc.property(file, name, (text, other) => {
        const found = changed(text);
        if (!found) return;
        const mine: Entry = { kind: "member", at: ["edited", other], value: ["by hand", {}] };
        if (Object.hasOwn(read(text) as object, "edited")) return;
        let after = added(Buffer.from(found.made.bytes).toString(), mine);
        for (const change of found.made.changes.toReversed()) {
          const removed = removeEntry(after, change as Entry & { found: number; comma: boolean });
          expect(removed.was).toBe("there");
          after = removed.text;
        }
        expect(read(after)).toEqual(read(added(text, mine)));
      }),
      { numRuns: 500 },
    );
  });
});
