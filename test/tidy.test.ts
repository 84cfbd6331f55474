/** The house rules that a program can check: what may stand where, and how long a file may be. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const files = [...new Bun.Glob("{src,views,test,bench,scripts}/**/*.{ts,tsx}").scanSync(root)]
  .filter((path) => !path.endsWith(".d.ts"))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const source = files.filter(({ path }) => path.startsWith("src/") || path.startsWith("views/"));

/** Code without comments and without the text of strings, so that words in them do not count. */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/(^|\s)\/\/.*$/gm, "");

const importsOf = (text: string): string[] =>
  Array.from(text.matchAll(/^(?:import|export)(?! type)\b[^;]*? from "([^"]+)"/gm), ([, from]) => from!);

/** The files that break a rule. */
const breaking = (where: typeof files, breaks: (file: { path: string; text: string }) => boolean): string[] =>
  where.filter(breaks).map(({ path }) => path);

test("every file begins with a sentence that says what it is for", () => {
  const bare = breaking(files, ({ text }) => !/^(?:#!.*\n)?\/\*\*[\s\S]+?\*\//.test(text));
  expect(bare).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  expect(breaking(source, ({ text }) => text.split("\n").length > 300)).toEqual([]);
});

test("no name that says nothing", () => {
  const empty = /(?:^|\/)(?:utils?|helpers?|managers?|impl|misc|common)(?:\/|\.)/;
  expect(breaking(files, ({ path }) => empty.test(path))).toEqual([]);
});

describe("time, randomness and the process come in from outside", () => {
  const allowed: Record<string, string[]> = {
    "Date.now|performance.now|Bun.nanoseconds": ["src/core/clock.ts"],
    "new Date\\(\\)": [],
    "Math\\.random|crypto\\.(?:random|getRandom)": ["src/core/random.ts"],
    "setTimeout|setInterval": ["src/core/clock.ts"],
    // The engine's threads hand over between turns of the event loop, which no clock decides.
    setImmediate: ["src/core/clock.ts", "src/storage/sqlite/engine.ts", "src/storage/sqlite/worker_loop.ts"],
    "process\\.(?!umask)": ["src/cli/cli.ts", "src/main.ts"],
    "process\\.umask": ["src/storage/sqlite/engine.ts"],
    "console\\.": ["src/cli/cli.ts"],
    "Bun\\.env": ["src/main.ts"],
  };
  for (const [pattern, places] of Object.entries(allowed)) {
    test(pattern, () => {
      const used = breaking(source, ({ text }) => new RegExp(`\\b(?:${pattern})`).test(codeOf(text)));
      expect(used.filter((path) => !places.includes(path))).toEqual([]);
    });
  }
});

describe("layers import downwards only", () => {
  const importing = (where: RegExp, what: RegExp) =>
    breaking(
      source.filter(({ path }) => where.test(path)),
      ({ text }) => importsOf(text).some((from) => what.test(from)),
    );
  const operations = /^src\/[a-z]+\/(?!http|pages|mcp|feeds|markdown|stream|docs)[a-z_]+\.ts$/;

  test("operations know no door, no view and no engine", () => {
    const features = source.filter(
      ({ path }) => operations.test(path) && !/^src\/(?:web|storage|guide)\//.test(path),
    );
    const doors = /^elysia$|modelcontextprotocol|\/web\/|\/views\/|bun:sqlite|storage\/sqlite/;
    expect(breaking(features, ({ text }) => importsOf(text).some((from) => doors.test(from)))).toEqual([]);
  });

  test("storage knows no feature and no door", () => {
    expect(
      importing(
        /^src\/storage\//,
        /\/(?:rooms|names|locker|jobs|mailbox|receipts|beacon|sessions|guide|web)\//,
      ),
    ).toEqual([]);
  });

  test("views import types of features, never their values", () => {
    expect(importing(/^views\//, /\/src\//)).toEqual([]);
  });

  test("one feature takes another's values only through app.ts", () => {
    const folders = new Set(source.flatMap(({ path }) => /^src\/(\w+)\//.exec(path)?.[1] ?? []));
    const features = [...folders].filter((folder) => !["web", "storage"].includes(folder));
    const crossing = source.filter(({ path, text }) => {
      const own = features.find((feature) => path.startsWith(`src/${feature}/`));
      return (
        own &&
        importsOf(text).some((from) =>
          features.some((other) => other !== own && from.includes(`../${other}/`)),
        )
      );
    });
    expect(crossing.map(({ path }) => path)).toEqual([]);
  });
});

test("SQL stands in store.ts, search.ts and storage/ only", () => {
  const sql = /["'`](?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|PRAGMA|BEGIN|COMMIT)\b/;
  const places = /^src\/(?:storage\/|[a-z]+\/store\.ts$|[a-z]+\/search\.ts$)/;
  expect(breaking(source, ({ path, text }) => sql.test(text) && !places.test(path))).toEqual([]);
});

test("limits live in core/limits.ts: no other file spells a length of the contract", () => {
  const spelled = /\b(?:4_?000|262_?144|32_?768)\b/;
  expect(
    breaking(source, ({ path, text }) => path !== "src/core/limits.ts" && spelled.test(codeOf(text))),
  ).toEqual([]);
});

test("the escaping gate fails on a planted hole", () => {
  const scan = join(root, "node_modules/.bin/xss-scan");
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bun", scan], { cwd: join(root, "test/planted") });
  expect(stdout.toString() + stderr.toString()).toContain("hole.tsx");
  expect(exitCode).not.toBe(0);
});
