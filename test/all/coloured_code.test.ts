/** The colours of code: which words have which, that nothing else changes, and what the code of a stranger can cost. */

import { describe, expect, test } from "bun:test";
import { StringStream } from "@codemirror/streamparser";
import fc from "fast-check";
import { budgetOfText, highlighted, token_classes } from "../../views/markdown/code.ts";
import { languages } from "../../views/markdown/languages.ts";
import { allowed, render } from "../../views/markdown/renderer.ts";
import { revealed } from "../../views/text.ts";

const coloured = (code: string, language: string): string => highlighted(code, language, budgetOfText())!;
const fence = (code: string, language: string): string => render(`\`\`\`${language}\n${code}\n\`\`\``);
/** The code that readers see. */
const shownBy = (html: string): string =>
  html
    .replace(/<\/?span[^>]*>/g, "")
    .replace(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) =>
      entity === "&lt;"
        ? "<"
        : entity === "&gt;"
          ? ">"
          : entity === "&quot;"
            ? '"'
            : entity === "&amp;"
              ? "&"
              : "'",
    );

test.each([
  ["bash", "curl -s $URL # list", ["t:curl", "t:-s", "d:$URL", "c:# list"]],
  ["json", '{"a": [1, true, "x"]}', ['d:"a"', "n:1", "n:true", 's:"x"']],
  ["py", 'def f(a):  # "q"\n    return None', ["k:def", "d:f", 'c:# "q"', "k:return", "k:None"]],
  ["TS", "const a: X = `b`;", ["k:const", "d:a", "t:X", "s:`b`"]],
  ["diff", "@@ 1\n-a\n+b\n c", ["t:@@ 1", "del:-a", "ins:+b"]],
  ["sql", "SELECT 1 -- x", ["k:SELECT", "n:1", "c:-- x"]],
  ["rust", "let x = 0xff; // c", ["k:let", "d:x", "n:0xff", "c:// c"]],
  ["go", "func f() { return nil }", ["k:func", "k:return", "n:nil"]],
  ["yaml", "# c\na: true", ["c:# c", "n:a", "t:: ", "k:true"]],
  ["html", "<p class='a'>x</p>", ["d:p", "t:class", "s:'a'", "d:p"]],
])("colours %s", (language, code, expected) => {
  const html = fence(code, language);
  const found = Array.from(html.matchAll(/<span class="(\w+)">([^<]*)<\/span>/g), ([, kind, text]) => [
    kind,
    text,
  ]);
  expect(found.map(([kind, text]) => `${kind}:${shownBy(text!)}`)).toEqual(expected);
});

test("a comment and a text of several lines keep their colour", () => {
  expect(coloured("/* a\nb */ x", "c")).toBe('<span class="c">/* a</span>\n<span class="c">b */</span> x');
  expect(coloured("'''a\n\nb'''", "python")).toEndWith('<span class="s">b&#x27;&#x27;&#x27;</span>');
});

test.each(["", "nope", "constructor", "__proto__", "text"])("code in %j has no colours", (language) => {
  expect(highlighted("const a = 1", language, budgetOfText())).toBeNull();
  expect(fence("const a = 1", language)).not.toContain("<span");
});

test("the sanitizer lets the classes pass, and they have one letter or are those of changes", () => {
  expect(allowed.allowedClasses.span).toEqual(expect.arrayContaining(token_classes));
  expect(token_classes.toSorted()).toEqual(["c", "d", "del", "ins", "k", "n", "s", "t"]);
});

const words = [
  "a",
  "A",
  "1",
  "0x",
  "1e",
  " ",
  "  ",
  "\t",
  "\n",
  "\n\n",
  "é",
  "👩\u200d🚀",
  "1\ufe0f\u20e3",
  "\ud800",
  "م",
  "\u202e",
];
const signs = [
  ...Array.from("()[]{}<>/\\*'\"`$#@!%&=;,.:-+?|~^_"),
  "//",
  "/*",
  "*/",
  "<!--",
  "-->",
  "'''",
  '"""',
  "${",
  "$(",
  "=>",
];
const starts = [
  'R"(',
  'r#"',
  "<<EOF\n",
  "qq{",
  "f'{",
  '@"',
  "def ",
  "function ",
  "class ",
  "<script>",
  "<style>",
  "@media ",
];
const code = fc
  .array(fc.constantFrom(...words, ...signs, ...starts), { maxLength: 60 })
  .map((parts) => parts.join(""));

test("for any code in any language the text is as it was, and nothing is added but spans", () => {
  fc.assert(
    fc.property(fc.constantFrom(...languages.keys()), code, (language, given) => {
      const html = coloured(given, language);
      expect(html.replace(/<span class="(?:[kscndt]|ins|del|invisible)">|<\/span>/g, "")).not.toMatch(/[<>]/);
      const plain = shownBy(
        html.replace(
          /<span class="invisible">([^<]*)<\/span>/g,
          (_, codes: string) => `[${codes.replaceAll(" ", "][")}]`,
        ),
      );
      expect(plain).toBe(revealed(given));
    }),
    { numRuns: 5_000 },
  );
});

/** Runs it and counts what parsers look at: a character is a step, a pattern as many as the line still has. */
function stepsOf(run: () => void): number {
  const of = StringStream.prototype;
  const original = { next: of.next, peek: of.peek, eat: of.eat, match: of.match };
  let steps = 0;
  const counting = (
    method: (...args: never[]) => unknown,
    cost: (stream: StringStream, first: unknown) => number,
  ) =>
    function (this: StringStream, ...args: never[]): unknown {
      steps += cost(this, args[0]);
      return Reflect.apply(method, this, args);
    };
  Object.assign(of, {
    next: counting(original.next, () => 1),
    peek: counting(original.peek, () => 1),
    eat: counting(original.eat, () => 1),
    match: counting(original.match, ({ string, pos }, pattern) =>
      typeof pattern === "string" ? pattern.length : string.length - pos,
    ),
  });
  try {
    run();
  } finally {
    Object.assign(of, original);
  }
  return steps;
}

describe("code that is made to be expensive", () => {
  const units = [
    ...signs,
    ...starts,
    "a",
    "a<a> ",
    "s/",
    "1,",
    "[0 ",
    "a:a ",
    "(a,",
    "{-",
    "a=",
    '\\"',
    "x<y>",
  ];

  test.each([4_000, 20_000])("takes at most 10 million steps in each language: %d characters", (chars) => {
    const seen = new Set<unknown>();
    for (const [language, parser] of languages) {
      if (seen.has(parser)) continue;
      seen.add(parser);
      for (const unit of units) {
        const given = unit
          .repeat(chars)
          .slice(0, chars)
          .replace(/.{499}/g, "$&\n");
        let html = "";
        const steps = stepsOf(() => (html = coloured(given, language)));
        expect({ language, unit, steps, is_few: steps <= 10_000_000 }).toMatchObject({ is_few: true });
        // The most is a number for each second character.
        expect(html.length).toBeLessThan(15 * given.length);
      }
    }
  });

  test("lines of more than 500 characters, and what follows 2,000 tokens, have no colours", () => {
    const line = "1".repeat(500);
    expect(coloured(`${line}\n${line}1\n2`, "js")).toBe(
      `<span class="n">${line}</span>\n${line}1\n<span class="n">2</span>`,
    );
    const numbers = "1,\n".repeat(1_001);
    expect(coloured(numbers, "js").match(/<span/g)).toHaveLength(1_000);
  });

  test("the blocks of one text share the tokens", () => {
    const block = `\`\`\`js\n${"1,\n".repeat(900)}\`\`\`\n\n`;
    expect(render(block.repeat(3)).match(/<span/g)).toHaveLength(1_000);
  });
});
