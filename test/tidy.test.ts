/** The rules of the code that a program can check: imports, places of calls and SQL, length of files, words. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { circlesIn, floorsIn, importsIn, type Import } from "../scripts/floors.ts";

const root = join(import.meta.dir, "..");
const files = [...new Bun.Glob("{src,views,test,bench,scripts,testing}/**/*.{ts,tsx}").scanSync(root)]
  .filter((path) => !path.endsWith(".d.ts"))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const documents = ["*.md", "docs/*.md", "docs/hosts/*.md", "docs/plays/*.md", "testing/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
/** Generated from the OpenAPI document. */
const generated = "src/client/schema.ts";
const source = files.filter(({ path }) => path.startsWith("src/") || path.startsWith("views/"));

/** Code without comments and without the text of strings, so that words in them do not count. */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/(^|\s)\/\/.*$/gm, "");

/** The files that break a rule. */
const breaking = (where: typeof files, breaks: (file: { path: string; text: string }) => boolean): string[] =>
  where.filter(breaks).map(({ path }) => path);

test("every file begins with a sentence that says what it is for", () => {
  const bare = breaking(files, ({ text }) => !/^(?:#!.*\n)?\/\*\*[\s\S]+?\*\//.test(text));
  expect(bare).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  const long = breaking(source, ({ path, text }) => path !== generated && text.split("\n").length > 300);
  expect(long).toEqual([]);
});

test("no name that says nothing", () => {
  const empty = /(?:^|\/)(?:utils?|helpers?|managers?|impl|misc|common)(?:\/|\.)/;
  expect(breaking(files, ({ path }) => empty.test(path))).toEqual([]);
});

// What the client exports is for other programs.
test("every exported name is used in another file", () => {
  const users = new Map<string, number>();
  for (const { text } of files)
    for (const name of new Set(text.match(/\b[A-Za-z_]\w*\b/g))) users.set(name, (users.get(name) ?? 0) + 1);
  const exported = /^export (?:abstract |async )?(?:const|function\*?|class|interface|type|let) (\w+)/gm;
  const unused = source
    .filter(({ path }) => !path.startsWith("src/client/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exported)].flatMap(([, name]) => (users.get(name!) === 1 ? `${path}: ${name}` : [])),
    );
  expect(unused).toEqual([]);
});

// Elysia would copy the answer, and a body that is sent in pieces would be lost.
test("no handler of a route passes its whole context on", () => {
  const passes_on = /\(\{[^}]*\.\.\.[^}]*\}\) =>|\(context(?:: \w+)?\) =>|siteOf\(\w+\)/;
  const handlers = source.filter(({ path }) => /(?:routes|pages|home|_call)\.ts$/.test(path));
  expect(breaking(handlers, ({ text }) => passes_on.test(text))).toEqual([]);
});

test("scripts make HTML of nothing but fragments that the service rendered", () => {
  const makes_html =
    /\b(?:innerHTML|outerHTML|srcdoc)\s*\+?=|insertAdjacentHTML|document\.write|createContextualFragment|setHTML/;
  const scripts = source.filter(({ path }) => path.startsWith("views/scripts/"));
  expect(breaking(scripts, ({ text }) => makes_html.test(text))).toEqual(["views/scripts/thread.ts"]);
});

describe("time, randomness and the process come in from outside", () => {
  const allowed: Record<string, string[]> = {
    "Date.now|performance.now|Bun.nanoseconds": ["src/core/clock.ts"],
    "new Date\\(\\)": [],
    "Math\\.random|crypto\\.(?:random|getRandom)": ["src/core/random.ts", "src/client/client.ts"],
    "setTimeout|setInterval": ["src/core/clock.ts", "src/client/client.ts"],
    setImmediate: ["src/core/clock.ts"],
    "process\\.(?!umask)": [
      // Which system this is.
      "src/app/libc.ts",
      "src/cli/cli.ts",
      "src/cli/commands/dev.ts",
      "src/cli/commands/doctor.ts",
      "src/cli/commands/mcp.ts",
      "src/cli/serving.ts",
      // Whether a process is there.
      "src/cli/setup/host_command.ts",
      // Which program this is.
      "src/cli/setup/own_command.ts",
      "src/main.ts",
      "src/app/metrics/process_metrics.ts",
      // Runs when the executable is built.
      "src/app/embedded.ts",
    ],
    "process\\.umask": ["src/storage/sqlite/lock.ts"],
    "console\\.": ["src/cli/cli.ts"],
    "Bun\\.env": ["src/main.ts"],
  };
  const in_browsers = (path: string) => path.startsWith("views/scripts/");
  const of_service = source.filter(({ path }) => !in_browsers(path));
  for (const [pattern, places] of Object.entries(allowed)) {
    test(pattern, () => {
      const used = breaking(of_service, ({ text }) => new RegExp(`\\b(?:${pattern})`).test(codeOf(text)));
      expect(used.filter((path) => !places.includes(path))).toEqual([]);
    });
  }
});

const features = [
  ...["admin", "bans", "reports", "mailbox", "receipts", "names", "rooms", "locker", "jobs", "beacon"],
  "wait",
  "sessions",
  "webhooks",
];

const below_features = ["core", "api", "storage", "web", "mcp", "views", "discovery"];

/**
 * The units of src, each with those that it may import from, types included. Features may import from features that stand
 * before them: admin, mailboxes and receipts know no other feature.
 */
const units: Record<string, string[]> = {
  core: [],
  api: ["core"],
  storage: ["core"],
  timekeeping: ["core", "storage"],
  views: ["core", "api", "verifier"],
  web: ["core", "api", "storage"],
  mcp: ["core", "api", "storage", "web"],
  discovery: ["core", "api", "web", "mcp", "views"],
  admin: below_features,
  bans: [...below_features, "admin"],
  reports: [...below_features, "admin"],
  mailbox: below_features,
  receipts: below_features,
  names: [...below_features, "admin", "mailbox", "receipts"],
  rooms: [...below_features, "admin", "mailbox", "receipts"],
  locker: [...below_features, "admin"],
  jobs: [...below_features, "admin", "mailbox", "receipts"],
  beacon: below_features,
  sessions: below_features,
  webhooks: [...below_features, "mailbox"],
  wait: [...below_features, "mailbox", "rooms", "jobs", "beacon"],
  verifier: ["core"],
  client: [],
  bridge: ["core", "web", "mcp", "client"],
  doctor: ["core", "storage", "timekeeping", "receipts", "web", "admin", "app"],
};
// A feature that is not named imports from no other.
for (const { path } of source) {
  const [, unit] = /^src\/(\w+)\/feature\.ts$/.exec(path) ?? [];
  if (unit === undefined || unit in units) continue;
  units[unit] = [...below_features, "admin"];
  features.push(unit);
}

/** Files of a feature that a transport calls; all others are operations and what is below them. */
const transport_roles =
  /\/(?:(?:admin_|grant_)?routes|route_options|(?:admin_)?calls?|(?:list_|host_|my_)?pages|room_html|feeds|long_answers|markdown|stream|openapi|hints|transports|discovery|problem_examples)\.ts$|\/mcp\//;

const unitOf = (path: string): string => /^src\/(\w+)\//.exec(path)?.[1] ?? path.split("/")[0]!;

const imports = importsIn(source);

describe("layers import downwards only, types included", () => {
  const named = (found: Import[]) => found.map(({ path, target }) => `${path} imports ${target}`);

  test("each unit imports from those below it", () => {
    const upward = imports.filter(({ path, target }) => {
      const allowed = units[unitOf(path)];
      const unit = unitOf(target);
      return (
        allowed &&
        target.includes("/") &&
        /^(?:src|views)\//.test(target) &&
        unit !== unitOf(path) &&
        !allowed.includes(unit)
      );
    });
    expect(named(upward)).toEqual([]);
  });

  test("the client imports nothing but its own files", () => {
    const foreign = imports.filter(
      ({ path, target }) => unitOf(path) === "client" && unitOf(target) !== "client",
    );
    expect(named(foreign)).toEqual([]);
  });

  test("no files import each other in a circle", () => {
    expect(circlesIn(imports)).toEqual([]);
  });

  test("folders are on 12 floors at most, and no import runs up", () => {
    const { floors, upward } = floorsIn(imports);
    expect(named(upward.flatMap(({ imports }) => imports))).toEqual([]);
    expect(Math.max(...floors.values())).toBeLessThanOrEqual(12);
  });

  /** The files and packages that these files load at once, and those that the loaded ones load. */
  function loadedBy(paths: string[]): string[] {
    const loaded = new Set(paths);
    // A set also visits what is added during the loop.
    for (const path of loaded) {
      for (const one of imports) if (one.path === path && one.kind === "value") loaded.add(one.target);
    }
    return [...loaded];
  }
  const packages = (loaded: string[]) =>
    loaded.filter((path) => !/^(?:src|views|bun$)|^(?:node|bun):/.test(path)).sort();
  const sources = (loaded: string[]) => loaded.filter((path) => /^(?:src|views)\//.test(path));

  test("commands of the client load nothing of the service, so that they start fast", () => {
    const shell = source.map(({ path }) => path).filter((path) => path.startsWith("src/cli/shell/"));
    const small =
      /^(?:src\/(?:cli|client|core)\/|src\/storage\/sqlite\/(?:lock|durable)\.ts$|src\/\w+\/(?:limits|words)\.ts$|src\/app\/libc\.ts$|(?:node|bun):|(?:commander|ipaddr\.js)$)/;
    expect(loadedBy(shell).filter((path) => !small.test(path))).toEqual([]);
  });

  // Each module takes time at every start. A feature adds some; whoever raises a number says in the commit what a start has for it.
  test("a start of the service loads these packages, and no more modules than it did", () => {
    const served = loadedBy(["src/cli/serving.ts", "src/app/serve.ts", "src/app/app.ts"]);
    expect(packages(served)).toEqual([
      "@elysiajs/html",
      "@sinclair/typebox",
      "@sinclair/typebox/compiler",
      "elysia",
      "ipaddr.js",
      "negotiator",
      "package.json",
    ]);
    expect(sources(served).length).toBeLessThanOrEqual(679);
    const writer = loadedBy(["src/app/writer_worker.ts"]);
    expect(packages(writer)).toEqual(["@sinclair/typebox", "ipaddr.js"]);
    expect(sources(writer).length).toBeLessThanOrEqual(228);
  });

  test("every unit is known", () => {
    const known = [...Object.keys(units), "app", "dev", "cli", "src"];
    expect(source.map(({ path }) => unitOf(path)).filter((unit) => !known.includes(unit))).toEqual([]);
  });

  test("no file stands at the root of src but main.ts", () => {
    expect(source.map(({ path }) => path).filter((path) => /^src\/[^/]+$/.test(path))).toEqual([
      "src/main.ts",
    ]);
  });

  test("every test is in the folder of the unit that it tests", () => {
    const folders = [
      ...Object.keys(units),
      "app",
      "dev",
      "cli",
      "release",
      "scenarios",
      "browser",
      "all",
      "soak",
    ];
    const tests = files.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));
    expect(tests.filter((path) => !folders.includes(path.split("/")[1]!))).toEqual(["test/tidy.test.ts"]);
  });

  test("operations and the contract know no transport, no view and no engine", () => {
    const transports =
      /^elysia$|modelcontextprotocol|^src\/(?:web|mcp)\/|^views\/|^bun:sqlite|^src\/storage\/sqlite/;
    const operations = imports.filter(
      ({ path }) => ["api", ...features].includes(unitOf(path)) && !transport_roles.test(path),
    );
    expect(named(operations.filter(({ target }) => transports.test(target)))).toEqual([]);
  });

  test("views import types, never values of src; scripts of pages only what runs in browsers", () => {
    const in_browsers = /^src\/(?:verifier\/|api\/receipts\/attestations\.ts$)/;
    const values = imports.filter(({ path, target, kind }) => {
      if (!path.startsWith("views/") || !target.startsWith("src/") || kind === "type") return false;
      return !path.startsWith("views/scripts/") || !in_browsers.test(target);
    });
    expect(named(values)).toEqual([]);
  });

  test("a feature gets another's values from app/ only", () => {
    const crossing = imports.filter(({ path, target, kind }) => {
      const [own, other] = [unitOf(path), unitOf(target)];
      // Routes of the admin API stand in each feature, and share its errors.
      if (other === "admin" && transport_roles.test(path)) return false;
      return kind !== "type" && own !== other && features.includes(own) && features.includes(other);
    });
    expect(named(crossing)).toEqual([]);
  });
});

test("operations and commands contain no words of HTTP", () => {
  const words =
    /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\bx-(?:wf|meet)-|\bETag\b|\bIf-(?:None-)?Match\b|Retry-After|Idempotency-Key|Authorization:/i;
  const withoutComments = (text: string) =>
    text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
  // Codes explain themselves on pages; representations link to the API; webhooks call receivers. `etag` is a column of slots.
  const described = /\/(?:errors|representations|receiver|(?:admin_)?store)\.ts$/;
  const operations = source.filter(
    ({ path }) => features.includes(unitOf(path)) && !transport_roles.test(path) && !described.test(path),
  );
  const spoken = operations.filter(({ text }) => words.test(withoutComments(text).replace(/\betag\b/g, "")));
  expect(spoken.map(({ path }) => path)).toEqual([]);
});

test("SQL stands in files called store.ts or …_store.ts, in search.ts and in storage/ only", () => {
  const sql = /["'`](?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|PRAGMA|BEGIN|COMMIT)\b/;
  const places = /^src\/(?:storage\/|(?:[a-z]+\/)+(?:(?:[a-z]+_)?store|search)\.ts$)/;
  expect(breaking(source, ({ path, text }) => sql.test(text) && !places.test(path))).toEqual([]);
});

test("limits live in limits.ts of their unit: no other file spells a length of the contract", () => {
  const spelled = /\b(?:4_?000|262_?144|32_?768)\b/;
  expect(
    breaking(source, ({ path, text }) => !/^src\/\w+\/limits\.ts$/.test(path) && spelled.test(codeOf(text))),
  ).toEqual([]);
});

describe("the field's term instead of a metaphor", () => {
  /** Words, and what to write instead. */
  const metaphors: Record<string, string> = {
    acts: "commands",
    asked: "requested, or the name of the query",
    chance: "randomness",
    "doors?": "transport; of a room: summary",
    doorway: "request origin",
    "earn(?:s|ed)": "receipt source",
    "for ever": "permanently",
    "for people": "user-facing",
    gate: "ingress",
    "go(?:es|ing) on": "continues",
    house: "service, app",
    kept: "stored, cached",
    "lapse[ds]?": "expire",
    "let(?:s|ting)? go(?: of)?": "close, release",
    "may go on": "may continue; of a slug: completions",
    "now and then": "the interval",
    "(?:un)?told": "returned, notified",
    "tells?": "return, notify",
    whoever: "the caller, the reader",
  };
  /** What is clean of all of them. Whatever is rewritten next is added here. */
  const plain_places = [
    "src/api/",
    "src/app/",
    "src/bans/",
    "src/beacon/",
    "src/verifier/",
    "src/cli/",
    "src/core/",
    "src/discovery/",
    "src/jobs/",
    "src/locker/",
    "src/mailbox/",
    "src/mcp/",
    "src/names/",
    "src/receipts/",
    "src/reports/",
    "src/rooms/",
    "src/storage/",
    "src/timekeeping/",
    "src/web/",
    "views/",
    "test/",
    "bench/",
    "scripts/",
  ];
  /** Words in their plain meaning, or exported under that name by a place that is not rewritten yet. */
  const allowed: Record<string, string[]> = {
    "src/mailbox/commands.ts": ["kept"],
    // Of a text that callers see.
    "src/mailbox/mcp/text.ts": ["go(?:es|ing) on"],
    // A member of the API and a column.
    "src/api/names/names.ts": ["acts"],
    "src/names/representations.ts": ["acts"],
    "views/name.tsx": ["acts"],
    "src/names/routes.ts": ["acts"],
    "src/names/store.ts": ["acts"],
    "test/names/names.test.ts": ["acts"],
    "test/web/idempotency.test.ts": ["acts"],
    // A text that the service sends.
    "test/jobs/mcp_tools.test.ts": ["go(?:es|ing) on"],
    // The list itself.
    "test/tidy.test.ts": Object.keys(metaphors),
  };
  /** Words that are gone from all of src. */
  const gone = ["doorway", "gate"];

  /** Comments and identifiers as separate words: neither strings, which callers may see, nor the text of pages. */
  const wordsOf = ({ path, text }: { path: string; text: string }): string => {
    const comments = text.match(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm)?.join("\n") ?? "";
    const code = codeOf(text).replace(path.endsWith(".tsx") ? />[^<>{}]*</g : /(?!)/, "");
    return `${comments}\n${code}`
      .replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "")
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .replaceAll("_", " ");
  };
  const prose = files.map((file) => ({ path: file.path, text: wordsOf(file) }));

  // Neither code, nor quotes, nor the descriptions of settings, which the program prints.
  const paragraphs = documents.map(({ path, text }) => ({
    path,
    text: text.replace(/^(`{3,})[\s\S]*?^\1|`[^`\n]*`|^(?:> |\| `--).*$/gm, ""),
  }));

  for (const [word, instead] of Object.entries(metaphors)) {
    test(`${word}: ${instead}`, () => {
      const pattern = new RegExp(`\\b(?:${word})\\b`, "i");
      const found = breaking(prose, ({ path, text }) => {
        const is_plain = plain_places.some((place) => path.startsWith(place));
        const is_checked = is_plain || (gone.includes(word) && path.startsWith("src/"));
        return is_checked && !allowed[path]?.includes(word) && pattern.test(text);
      });
      const written = breaking(paragraphs, ({ text }) => pattern.test(text));
      expect([...found, ...written]).toEqual([]);
    });
  }
});

test("every file and folder that a document names exists", () => {
  const file_names = new Set(files.map(({ path }) => basename(path)));
  // A path is written from the root or from src; a bare name is a role that files have.
  const exists = (path: string) =>
    file_names.has(path) || [path, `src/${path}`].some((path) => existsSync(join(root, path)));
  const missing = documents.flatMap(({ path: document, text }) => {
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]+)/g), ([, to]) =>
      join(dirname(document), to!),
    );
    const named =
      text.match(/(?<![\w/.<{-])(?:[\w-]+\/)*[\w-]+\.tsx?\b|(?<![\w/.-])src(?:\/[\w.-]*\w)+/g) ?? [];
    return [...links, ...named].filter((path) => !exists(path)).map((path) => `${document}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test("the escaping gate fails on a planted hole", () => {
  const scan = join(root, "node_modules/.bin/xss-scan");
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bun", scan], { cwd: join(root, "test/planted") });
  expect(stdout.toString() + stderr.toString()).toContain("hole.tsx");
  expect(exitCode).not.toBe(0);
}, 60_000);

test("docs/testing.md lists the tests for SQLite only, at most ten", async () => {
  const made = files.flatMap(({ text }) =>
    Array.from(text.matchAll(/\btestOfSqlite\(\s*"([^"]+)"/g), ([, name]) => name!),
  );
  const document = await Bun.file(join(import.meta.dir, "../docs/testing.md")).text();
  const [, table = ""] = document.slice(document.indexOf("made by `testOfSqlite`")).split("\n\n");
  const listed = Array.from(table.matchAll(/^\| (?!test |-)([^|]+?) +\|/gm), ([, name]) => name!);
  expect(made.toSorted()).toEqual(listed.toSorted());
  expect(made.length).toBeLessThanOrEqual(10);
});
