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
  /** The service; used only if there are credentials for it. */
  url?: string;
  room?: string;
  /** Patterns of what is guarded, from the top; one that begins with ! takes paths out again. The last that matches decides. */
  guard: string[];
  /** Whether the first edit of a file takes its lease. */
  auto: boolean;
  ttl_seconds: number;
}

/** What a repository without the file is: with a room from elsewhere, everything in it is guarded. */
export const empty_lease_file: LeaseFile = {
  guard: ["**"],
  auto: false,
  ttl_seconds: auto_ttl_seconds_default,
};

/** Reads the text of the file. Throws a `UsageError` that names `file` and the fault. */
export function leaseFileFrom(text: string, file: string): LeaseFile {
  const fault = (what: string): never => {
    throw new UsageError(`${file}: ${what}`);
  };
  let values: Record<string, unknown>;
  try {
    values = Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}.`);
  }
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined) fault(`there is no ${unknown}. It may have ${Object.keys(kinds).join(", ")}.`);
  for (const [name, [is_right, kind]] of Object.entries(kinds))
    if (values[name] !== undefined && !is_right(values[name])) fault(`${name} must be ${kind}.`);
  return { ...empty_lease_file, ...values };
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const { lease_seconds_min, lease_seconds_max } = lease_limits;
const kinds: Record<string, [is_right: (value: unknown) => boolean, kind: string]> = {
  url: [isText, "an address"],
  room: [isText, "the name of a room"],
  guard: [(value) => Array.isArray(value) && value.every(isText), "a list of patterns"],
  auto: [(value) => typeof value === "boolean", "true or false"],
  ttl_seconds: [
    (value) =>
      Number.isInteger(value) && Number(value) >= lease_seconds_min && Number(value) <= lease_seconds_max,
    `a number of seconds from ${lease_seconds_min} to ${lease_seconds_max}`,
  ],
};

/** Whether a path from the top is guarded. */
export function isGuarded({ guard }: Pick<LeaseFile, "guard">, path: string): boolean {
  const deciding = guard.findLast((pattern) => new Bun.Glob(pattern.replace(/^!/, "")).match(path));
  return deciding !== undefined && !deciding.startsWith("!");
}

/** A file by its real path, also if it does not exist yet: a link in its folders leads to the same lease. */
export function realPath(path: string): string {
  const folder = dirname(path);
  if (existsSync(path)) return realpathSync(path);
  return folder === path ? path : join(realPath(folder), basename(path));
}

/**
 * The folder that has the file, at `folder` or above, and what it says; null if there is none. Throws a `UsageError` if it cannot be
 * read.
 */
export function leaseFileAbove(folder: string): { root: string; file: LeaseFile } | null {
  const path = join(folder, lease_file_name);
  if (existsSync(path)) {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      throw new UsageError(`${path} cannot be read: ${messageOf(error)}.`);
    }
    return { root: folder, file: leaseFileFrom(text, path) };
  }
  return dirname(folder) === folder ? null : leaseFileAbove(dirname(folder));
}
