/** The names of leased things: paths such as `src/auth/login.ts`, `issue/12` or `port/3000`. A path covers what lies below it. */

import { lease_limits } from "../../api/limits.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { codePoints, normalForm } from "../../core/text.ts";
import { lease_internal_limits } from "./limits.ts";

/**
 * A path in the form in which it is stored and compared: in Unicode's form NFC, without `.`, empty segments, and slashes at its
 * beginning and end. Returns why it is none otherwise.
 */
export function normalPath(given: string): { path: string } | { fault: string } {
  if (!given.isWellFormed() || in_no_path.test(given)) return { fault: "has a character that no path has" };
  const segments = normalForm(given, "NFC")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0) return { fault: "names nothing: send a path such as src/app.ts" };
  if (segments.includes("..")) return { fault: "may not have .. in it: send the path from the top" };
  if (segments.length > lease_limits.lease_path_segments_max)
    return { fault: `has ${segments.length} segments; at most ${lease_limits.lease_path_segments_max} fit` };
  const path = segments.join("/");
  const chars = codePoints(path);
  if (chars > lease_limits.lease_path_chars_max)
    return { fault: `is ${chars} characters long; at most ${lease_limits.lease_path_chars_max} fit` };
  return { path };
}

// A set of paths is identified by its lines, and paths are printed in lines. Postgres stores no NUL.
const in_no_path = /[\0\n\v\f\r\u0085\u2028\u2029]/;

/** The paths without those that another one covers, in their order of bytes. */
export function leastPaths(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => !ancestorsOf(path).some((above) => all.has(above))).sort(byBytes);
}

/** The paths that cover `path`, without itself: `a/b/c` has `a` and `a/b`. */
export function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) ancestors.push(path.slice(0, at));
  return ancestors;
}

/** The bounds of what lies below `path`, exclusive, in the order of bytes: `0` is the character after `/`. */
export const belowPath = (path: string): [after: string, before: string] => [`${path}/`, `${path}0`];

/** Identifies a set of paths. No path has a line break. */
export const pathsDigest = (paths: readonly string[]): string => sha256Hex(paths.join("\n"));

/** The first paths, as many as a note has, and how many there are besides. */
export function notedPaths(paths: readonly string[]): { paths: string[]; more_paths?: number } {
  const noted: string[] = [];
  let left = lease_internal_limits.note_path_chars_max;
  for (const path of paths) {
    left -= codePoints(path);
    if (left < 0) break;
    noted.push(path);
  }
  const more = paths.length - noted.length;
  return { paths: noted, ...(more > 0 && { more_paths: more }) };
}

/** As both engines compare texts. JavaScript compares UTF-16 units, whose order differs from that of code points. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
