/** Patterns of the OpenAPI document, against the checks that they describe. */

import { expect, test } from "bun:test";
import { ClaimName, customFault, patternOf, SharedText, Tag, Text } from "../../src/core/fields.ts";

const rules = { description: "", minLength: 1, maxLength: 100 };

test.each([
  ["Text", Text(rules)],
  ["SharedText", SharedText(rules)],
  ["Tag", Tag(rules)],
])("the pattern of %s accepts the same characters below U+E0000 as the check", (_, schema) => {
  const pattern = new RegExp(patternOf(schema)!, "u");
  const differing: string[] = [];
  for (let code = 0; code < 0xe0000; code++) {
    // A lone surrogate is no text.
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = `a${String.fromCodePoint(code)}a`;
    if (pattern.test(text) !== (customFault(schema, text) === null)) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
  expect(["a\r\na", "a\n\ra"].map((text) => pattern.test(text))).toEqual(
    ["a\r\na", "a\n\ra"].map((text) => customFault(schema, text) === null),
  );
});

test("the pattern of ClaimName accepts all that can be claimed, and in ASCII nothing else", () => {
  const schema = ClaimName(rules);
  const [plain, with_flag] = [new RegExp(patternOf(schema)!), new RegExp(patternOf(schema)!, "u")];
  const differing: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const char = String.fromCodePoint(code);
    for (const text of [char, `a${char}a`, `${char}a`]) {
      const can_be_claimed = customFault(schema, text) === null;
      const matches = plain.test(text.normalize("NFC")) && with_flag.test(text.normalize("NFC"));
      if (code < 0x80 ? matches !== can_be_claimed : can_be_claimed && !matches)
        differing.push(`${text} ${code.toString(16)}`);
    }
  }
  expect(differing).toEqual([]);
});
