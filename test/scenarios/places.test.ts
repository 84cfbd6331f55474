/** Where releases, images and packages are published: one file says it, and the documents say the same. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../scripts/release/places.ts";

const root = join(import.meta.dir, "../..");
const filesOf = (...patterns: string[]) =>
  patterns
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })])
    .filter((path) => !path.includes("node_modules/") && path !== "scripts/release/places.ts")
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** What in `text` looks like one of the places of this project, with the kind of place. */
function placesIn(text: string): [keyof typeof places, string][] {
  const patterns: Record<keyof typeof places, RegExp> = {
    repository: /https:\/\/github\.com\/[\w-]*wharf[\w-]*\/[\w-]+|https:\/\/github\.com\/[\w-]+\/wharf\b/g,
    image: /\bghcr\.io\/[\w-]+\/[\w-]+/g,
    npm_scope: /@[\w-]*wharf[\w-]*(?=\/)/g,
    pypi: /(?<=\b(?:uvx|pip install|pipx install|uv tool install) (?:--\S+ )*)[\w-]*wharf[\w-]*/g,
  };
  return Object.entries(patterns).flatMap(([kind, pattern]) =>
    Array.from(text.matchAll(pattern), ([found]) => [kind as keyof typeof places, found] as const),
  ) as [keyof typeof places, string][];
}

test("documents, and files that readers copy, name the places of places.ts", () => {
  const wrong = filesOf("*.md", "docs/**/*.{md,yaml,yml}", "testing/**/*.{md,ts,py,yml,json,toml}").flatMap(
    ({ path, text }) =>
      placesIn(text)
        .filter(
          ([kind, found]) =>
            found !== places[kind] && !(kind === "pypi" && found.startsWith(`${places.pypi}-`)),
        )
        .map(([kind, found]) => `${path}: ${found} is not the ${kind}`),
  );
  expect(wrong).toEqual([]);
});

test("finds other places in a document", () => {
  const document = `curl https://github.com/others/wharf/releases/latest, podman run ghcr.io/others/wharf,
    npx @other-wharf/wharf, uvx other-wharf, pip install --user other-wharf[mcp]`;
  expect(placesIn(document)).toEqual([
    ["repository", "https://github.com/others/wharf"],
    ["image", "ghcr.io/others/wharf"],
    ["npm_scope", "@other-wharf"],
    ["pypi", "other-wharf"],
    ["pypi", "other-wharf"],
  ]);
});

test("no other file writes a place by hand", () => {
  const values = Object.values(places).map((place) => place.replace("https://", ""));
  const files = filesOf(
    "*.json",
    ".github/**/*",
    "{src,views,test,bench,scripts}/**/*.{ts,tsx,js,mjs,json,py,toml,sh,txt,yml,yaml}",
    "scripts/**/Dockerfile",
  );
  const writing = files.filter(({ text }) => values.some((value) => text.includes(value)));
  expect(writing.map(({ path }) => path)).toEqual([]);
});
