/** Patterns of the OpenAPI document, against the checks that they describe. */

import { expect, test } from "bun:test";
import { ClaimName, customFault, patternOf, SharedText, Tag, Text } from "../../src/core/fields.ts";

const rules = { description: "", minLength: 1, maxLength: 100 };

test.each([
  ["Text", Text(rules)],
  ["SharedText", SharedText(rules)],
  ["Tag", Tag(rules)],
  ["ClaimName", ClaimName(rules)],
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
