/** Texts of strangers as HTML: what Markdown becomes, what is never in it, and that no text is lost or grows without bound. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { budgetOfText, highlighted } from "../../views/markdown/code.ts";
import { allowed, parsed, render } from "../../views/markdown/renderer.ts";
import { revealed } from "../../views/text.ts";

const tagsIn = (html: string): string[] => Array.from(html.matchAll(/<\/?([^\s/>]*)/g), ([, tag]) => tag!);
const attributesIn = (html: string): string[] =>
  Array.from(html.matchAll(/<[a-z0-9]+((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/g), ([, all]) => all!).flatMap(
    (all) => Array.from(all.matchAll(/([a-z-]+)(?:="[^"]*")?/g), ([, name]) => name!),
  );

describe("Markdown", () => {
  test("headings begin at h3 and skip no level", () => {
    const html = render("### A\n# B\n#### C\nD\n===\n###### E");
    expect(html.match(/<h\d/g)).toEqual(["<h3", "<h3", "<h4", "<h3", "<h4"]);
  });

  test("each outer block finds its own direction", () => {
    expect(render("مرحبا\n\nhello\n\n- عالم")).toMatch(
      /<p dir="auto">مرحبا<\/p>\s*<p dir="auto">hello<\/p>\s*<ul dir="auto">/,
    );
  });

  test("blanks in YAML cost no more than other characters", () => {
    // By the mode's own pattern each of these texts takes seconds.
    for (const line of [" ".repeat(490), `a${" ".repeat(488)}b`, `a${" ".repeat(487)}: b`]) {
      const text = `${line}\n`.repeat(4);
      for (let n = 0; n < 20; n++) {
        const shown = highlighted(text, "yaml", budgetOfText())!;
        expect(shown.replace(/<[^>]*>/g, "")).toBe(text);
      }
    }
  });

  test("links lead to http, https and mailto alone, and pass nothing on", () => {
    const html = render("https://a.example/x [m](mailto:a@b.example)");
    expect(html).toContain(
      '<a href="https://a.example/x" rel="nofollow ugc noopener">https://a.example/x</a>',
    );
    expect(html).toContain('<a href="mailto:a@b.example"');
    for (const url of [
      ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "&#106;avascript:alert(1)"],
      ...[
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "/meet",
        "ftp://a.example",
      ],
    ]) {
      expect(render(`[x](${url}) ![x](${url}) <${url}>`)).not.toContain("<a");
    }
  });

  test("a link whose text says something else shows where it leads", () => {
    const html = render(
      '[https://bank.example](https://evil.example "a title") [words](https://c.example/d)',
    );
    expect(html).toContain('<span class="where">evil.example · a title</span>');
    expect(html).toContain('<span class="where">c.example</span>');
    expect(render("[https://bank.example](https://evil.example)")).toContain(
      '<span class="where">evil.example</span>',
    );
  });

  test("an image becomes a link to it, and within a link its text", () => {
    const html = render(
      "![a picture](https://i.example/x.png) [![logo](https://i.example/l)](https://l.example)",
    );
    expect(html).toContain('<a href="https://i.example/x.png" rel="nofollow ugc noopener">a picture</a>');
    expect(html).toContain('<a href="https://l.example" rel="nofollow ugc noopener">logo</a>');
    expect(html).not.toContain("<img");
  });

  test("names of files are no links", () => {
    expect(render("see page.ts and README.md")).not.toContain("<a");
  });

  test("raw HTML and definitions of references are text", () => {
    expect(render("<b onclick=x>hi</b>\n\n[//]: # (instructions)")).toContain(
      "&lt;b onclick=x&gt;hi&lt;/b&gt;",
    );
    expect(render("[//]: # (instructions)")).toBe('<p dir="auto">[//]: # (instructions)</p>\n');
    expect(render('[a]: https://x.example "words"\n\n[a]')).toBe(
      '<p dir="auto">[a]: <a href="https://x.example" rel="nofollow ugc noopener">https://x.example</a> "words"</p>\n' +
        '<p dir="auto">[a]</p>\n',
    );
  });

  test("code can be copied, and shows the words after its fence", () => {
    expect(render("```js words\n<x>\n```")).toBe(
      '<div class="info">js words</div><div class="copy"><pre tabindex="0" dir="ltr"><code>&lt;x&gt;\n</code></pre>' +
        '<button type="button" data-copy>Copy</button></div>',
    );
  });

  test("tables scroll and have no styles", () => {
    const html = render("| a | b |\n|--:|:-:|\n| 1 | 2 |");
    expect(html).toContain('<div class="scroll" tabindex="0"><table dir="auto">');
    expect(html).toContain('<td dir="auto" class="end">1</td>');
    expect(html).not.toContain("style");
  });

  test("a table with words beyond its columns is shown as it is", () => {
    expect(render("| a |\n|---|\n| b | hidden |")).toContain('<div class="raw" dir="auto">| a |');
  });

  test("line breaks stay", () => {
    expect(render("one\ntwo")).toContain("one<br />\ntwo");
  });
});

describe("invisible characters", () => {
  test.each([
    ["an astronaut", "👩\u200d🚀"],
    ["a skin tone", "👍🏽"],
    ["a flag", "🇩🇪"],
    ["a flag of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["a heart", "❤\ufe0f"],
    ["Persian", "می\u200cخواهم"],
    ["Hindi", "क्\u200dष"],
    ["lines and tabs", "a\n\tb"],
  ])("stay in %s", (_what, text) => {
    expect(revealed(text)).toBe(text);
  });

  test.each([
    ["a\u200db", "a[U+200D]b"],
    ["👩\u200d", "👩[U+200D]"],
    ["x\ufe0f", "x[U+FE0F]"],
    ["م\u200c\u200cم", "م[U+200C][U+200C]م"],
    ["a\u202eb", "a[U+202E]b"],
    ["\u{e0041}", "[U+E0041]"],
    ["\u200b\u00ad\u2066", "[U+200B][U+00AD][U+2066]"],
  ])("are shown elsewhere: %j", (text, shown) => {
    expect(revealed(text)).toBe(shown);
  });

  test("are marked in rendered text, also where an entity spells them", () => {
    expect(render("a\u202e\u202eb `\u200b` &#x202e;")).toContain(
      'a<span class="invisible">U+202E U+202E</span>b <code><span class="invisible">U+200B</span></code> <span class="invisible">U+202E</span>',
    );
  });
});

/** Words among everything that Markdown and HTML take for syntax. */
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.nat(99_999).map((n) => `word${n}x`) },
      fc.constantFrom(
        ...[
          "*",
          "**",
          "_",
          "`",
          "```",
          "~~~",
          "~~",
          "[",
          "](",
          ")",
          "]",
          "![",
          "# ",
          "- ",
          "1. ",
          "> ",
          "|",
          "\n",
          "\n\n",
        ],
        ...[
          "\n|--|\n",
          "\n===\n",
          "\n---\n",
          "<",
          ">",
          "<b>",
          "<!--",
          "-->",
          "&amp;",
          "&#x202e;",
          "\\",
          "    ",
          "\t",
          "  \n",
        ],
        ...[
          "https://",
          "http://a.example/",
          "mailto:",
          "javascript:",
          "data:",
          '"',
          "'",
          "[//]: # ",
          "\u202e",
          "👩\u200d🚀",
        ],
        ...[" onerror=", "<script>", "</p>", "<svg/onload=", "م", " "],
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

describe("for any text", () => {
  test("the HTML has no elements, attributes and addresses but those allowed", () => {
    const attributes = new Set([...Object.values(allowed.allowedAttributes).flat(), "class"]);
    fc.assert(
      fc.property(text, (given) => {
        const html = render(given);
        expect(tagsIn(html).filter((tag) => !allowed.allowedTags.includes(tag))).toEqual([]);
        expect(attributesIn(html).filter((name) => !attributes.has(name))).toEqual([]);
        for (const [, url] of html.matchAll(/href="([^"]*)"/g))
          expect(url).toMatch(/^(?:https?:\/\/|mailto:)/i);
        expect(html).not.toMatch(/[\u202a-\u202e]/);
      }),
      { numRuns: 3_000 },
    );
  });

  test("no word is lost", () => {
    fc.assert(
      fc.property(text, (given) => {
        const html = render(given);
        for (const [word] of given.matchAll(/word\d+x/g)) expect(html).toContain(word);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a text that is made to be expensive", () => {
  const long = 4_000;
  const expensive: Record<string, string> = {
    "nested quotes": "> ".repeat(2_000),
    "nested lists": Array.from({ length: 80 }, (_, i) => `${" ".repeat(i)}- x`).join("\n"),
    "open brackets": "[".repeat(long),
    "open links": "[a](".repeat(1_000),
    "open images": "![".repeat(2_000),
    "pairs of brackets": "[".repeat(2_000) + "]".repeat(2_000),
    emphasis: "*a _b ".repeat(600),
    "strong emphasis": "a**b".repeat(1_000),
    backticks: Array.from({ length: 85 }, (_, i) => "`".repeat(i)).join(" "),
    "a table that fills up": `${"|a".repeat(500)}\n${"|-".repeat(500)}\n${"a\n".repeat(1_000)}`,
    references: "[a]: /b\n".repeat(500),
    "list items": "- a\n".repeat(1_000),
    headings: "a\n=\n".repeat(1_000),
    addresses: "https://".repeat(500),
    ampersands: "&".repeat(long),
    "invisible characters": "\u200d".repeat(long),
    "alternating invisible characters": "a\u202e".repeat(2_000),
    fences: "```\n".repeat(1_000),
    tags: "<a ".repeat(1_300),
  };
  for (const [what, given] of Object.entries(expensive)) {
    test(`has a bounded number of tokens and characters: ${what}`, () => {
      const tokens = parsed(given.slice(0, long)) ?? [];
      expect(tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0)).toBeLessThanOrEqual(
        3_000,
      );
      // The most for a character that is sent: the mark of an invisible one between two others.
      expect(render(given.slice(0, long)).length).toBeLessThan(20 * long);
    });
  }
});
