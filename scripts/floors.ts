/**
 * Prints on which floor each folder of the code is, and what runs against that order: `bun scripts/floors.ts`.
 *
 * A folder is `views` or a folder directly in `src`, with all files below it; src/main.ts counts as one. A folder uses another if one of its
 * files imports a file of it: values, types, texts, and what `import()` loads. A folder that uses no other is on floor 1, every other
 * one floor above the highest that it uses. Folders that use each other, directly or through others, have no such order: one use after the
 * other is left out, each time that one without which the fewest uses are part of a circle (of equals the one with the fewest imports).
 * A use that leads to the same floor or a higher one, and each of its imports, runs up.
 */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Import {
  path: string;
  /** A path from the root, or the name of a package. */
  target: string;
  /** `later`: by `import()`. */
  kind: "value" | "type" | "later";
}

/** The imports of files, whose paths are from the root. */
export const importsIn = (files: { path: string; text: string }[]): Import[] =>
  files.flatMap(({ path, text }) =>
    Array.from(
      text.matchAll(/^(?:import|export)( type)?\b[^;]*? from "([^"]+)"|\bimport\("([^"]+)"\)/gm),
      ([, type, at_once, later]): Import => {
        const target = at_once ?? later!;
        return {
          path,
          target: target.startsWith(".") ? join(dirname(path), target) : target,
          kind: later ? "later" : type ? "type" : "value",
        };
      },
    ),
  );

/** Files that import each other in a circle, as `a → b → a`. */
export function circlesIn(imports: Import[]): string[] {
  const targets = Map.groupBy(imports, ({ path }) => path);
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (finished.has(path) || trail.includes(path)) return;
    for (const { target } of targets.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return circles;
}

/** All imports from files of one folder to files of another. */
interface Use {
  from: string;
  to: string;
  imports: Import[];
}

const folderOf = (path: string): string | undefined => /^(?:src\/[\w.]+|views)/.exec(path)?.[0];

function usesIn(imports: Import[]): Use[] {
  const between = Map.groupBy(imports, ({ path, target }) => `${folderOf(path)} ${folderOf(target)}`);
  return [...between]
    .map(([pair, imports]) => {
      const [from, to] = pair.split(" ") as [string, string];
      return { from, to, imports };
    })
    .filter(({ from, to }) => to !== "undefined" && from !== to)
    .sort((a, b) => a.imports.length - b.imports.length || (a.from + a.to < b.from + b.to ? -1 : 1));
}

/** Whether `uses` lead from one folder to another. */
function leads(uses: Use[], from: string, to: string): boolean {
  const reached = new Set([from]);
  // A set also visits what is added during the loop.
  for (const folder of reached) for (const use of uses) if (use.from === folder) reached.add(use.to);
  return reached.has(to);
}

/** The uses without those that are left out. */
function withoutCircles(uses: Use[]): Use[] {
  const circular = uses.filter(({ from, to }) => leads(uses, to, from));
  if (circular.length === 0) return uses;
  const rests = circular.map((left_out) => {
    const rest = uses.filter((use) => use !== left_out);
    return { rest, circular: circular.filter(({ from, to }) => leads(rest, to, from)).length };
  });
  return withoutCircles(rests.sort((a, b) => a.circular - b.circular)[0]!.rest);
}

/** The floor of each folder, the pairs of folders that use each other, and the uses that run up. */
export function floorsIn(imports: Import[]) {
  const uses = usesIn(imports);
  const ordered = withoutCircles(uses);
  const floors = new Map<string, number>();
  const floorOf = (folder: string): number => {
    const below = ordered
      .filter(({ from }) => from === folder)
      .map(({ to }) => floors.get(to) ?? floorOf(to));
    const floor = 1 + Math.max(0, ...below);
    floors.set(folder, floor);
    return floor;
  };
  for (const { from, to } of uses) [from, to].forEach(floorOf);
  const goesBack = (use: Use) => uses.some(({ from, to }) => from === use.to && to === use.from);
  return {
    floors,
    both_ways: uses.filter((use) => use.from < use.to && goesBack(use)),
    upward: uses.filter(({ from, to }) => floors.get(to)! >= floors.get(from)!),
  };
}

if (import.meta.main) {
  const root = join(import.meta.dir, "..");
  const paths = [...new Bun.Glob("{src,views}/**/*.{ts,tsx}").scanSync(root)];
  const imports = importsIn(paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })));
  const { floors, both_ways, upward } = floorsIn(imports);
  for (let floor = Math.max(...floors.values()); floor > 0; floor--) {
    const folders = [...floors.keys()].filter((folder) => floors.get(folder) === floor);
    console.log(`floor ${floor}: ${folders.sort().join(", ")}`);
  }
  const print = (what: string, found: string[]) =>
    console.log([`${what}: ${found.length}`, ...found].join("\n  "));
  const nameOf = ({ from, to, imports }: Use) => `${from} → ${to}, ${imports.length} imports`;
  const upward_imports = upward.flatMap(({ imports }) => imports);
  print(
    "folders that use each other",
    both_ways.map(({ from, to }) => `${from} and ${to}`),
  );
  print("uses that run up", upward.map(nameOf));
  print(
    "imports that run up",
    upward_imports.map(({ path, target }) => `${path} → ${target}`),
  );
  print("circles of files", circlesIn(imports));
}
