/** `.wharf-leases.toml` in a repository: which room it belongs to, and which of its files are guarded. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lease_limits } from "../../../api/limits.ts";
import { messageOf } from "../../../core/log.ts";
import { UsageError } from "../../../core/settings.ts";

export const lease_file_name = ".wharf-leases.toml";

/** How long a lease lasts that an edit takes, in seconds. Later edits of the session extend it. */
const auto_ttl_seconds_default = 3_600;

export interface LeaseFile {
  /** The service; used only if a key is saved for it. */
  url?: string;
  room?: string;
  /** Patterns of what is guarded, from the top; one that begins with ! takes paths out again. The last that matches decides. */
  paths: string[];
  /** Whether the first edit of a file takes its lease. */
  auto: boolean;
  ttl_seconds: number;
}

/** What a repository without the file is: with a room from elsewhere, everything in it is guarded. */
export const empty_lease_file: LeaseFile = {
  paths: ["**"],
  auto: false,
  ttl_seconds: auto_ttl_seconds_default,
};

/** Reads the text of the file. Throws a `UsageError` that names `file`, the line and the fault. */
export function leaseFileFrom(text: string, file: string): LeaseFile {
  let values: Record<string, unknown>;
  try {
    values = Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error).replace(/\.$/, "")}.`);
  }
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(kinds, name))
      throw new UsageError(
        `${placeOf(name, text, file)}: there is no ${name}. It may have ${Object.keys(kinds).join(", ")}.`,
      );
    const [is_right, kind] = kinds[name]!;
    if (!is_right(value)) throw new UsageError(`${placeOf(name, text, file)}: ${name} must be ${kind}.`);
  }
  return { ...empty_lease_file, ...values };
}

/** The file and the line of a key; the file alone if the key is not at the beginning of a line. */
function placeOf(name: string, text: string, file: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.replace(/^[\s["']*/, "").startsWith(name));
  return at < 0 ? file : `${file}:${at + 1}`;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const { lease_seconds_min, lease_seconds_max } = lease_limits;
const kinds: Record<string, [is_right: (value: unknown) => boolean, kind: string]> = {
  url: [isText, "an address"],
  room: [isText, "the slug of a room"],
  paths: [(value) => Array.isArray(value) && value.every(isText), "a list of patterns"],
  auto: [(value) => typeof value === "boolean", "true or false"],
  ttl_seconds: [
    (value) =>
      Number.isInteger(value) && Number(value) >= lease_seconds_min && Number(value) <= lease_seconds_max,
    `a number of seconds from ${lease_seconds_min} to ${lease_seconds_max}`,
  ],
};

/** Whether a path from the top is guarded: a pattern matches it, or a folder above it. */
export function isGuarded({ paths }: Pick<LeaseFile, "paths">, path: string): boolean {
  const segments = path.split("/");
  const all = segments.map((_, i) => segments.slice(0, i + 1).join("/"));
  const deciding = paths.findLast((pattern) => {
    const glob = new Bun.Glob(pattern.replace(/^!/, "").replace(/\/$/, ""));
    return all.some((one) => glob.match(one));
  });
  return deciding !== undefined && !deciding.startsWith("!");
}

/** A file by its real path, also if it does not exist yet: a link in its folders leads to the same lease. */
export function realPath(path: string): string {
  const folder = dirname(path);
  if (existsSync(path)) return realpathSync(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}

/** A folder with the file, and what the file says. */
export interface LeasedTree {
  root: string;
  file: LeaseFile;
}

/**
 * The tree with the file that `folder` belongs to: `folder` itself or one above it, up to the top of the repository of git; null if
 * there is none. Throws a `UsageError` if the file cannot be read.
 */
export function leaseFileAbove(folder: string): LeasedTree | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, lease_file_name);
    if (existsSync(path)) return { root: at, file: leaseFileFrom(textOf(path), path) };
    if (existsSync(join(at, ".git")) || dirname(at) === at) return null;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error).replace(/\.$/, "")}.`);
  }
}
