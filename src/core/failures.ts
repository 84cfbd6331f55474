/** Errors of the file system, of SQLite's files and of the network in words: what happened, and what to do. */

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

interface Failure {
  /** A clause without a full stop: "there is no /a/b". */
  happened: string;
  /** A sentence. */
  remedy: string;
}

/** What an error of the system holds. `path` is a URL for errors of `fetch`, and missing for errors of open files. */
interface SystemError {
  name?: string;
  code?: unknown;
  message?: string;
  path?: string;
}

/** Whether this user may use `path` in these ways (`constants.R_OK` and so on); false if it does not exist. */
export const can = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** The directories above a path, the outermost first. */
function above(path: string): string[] {
  const parent = dirname(resolve(path));
  return parent === resolve(path) ? [] : [...above(parent), parent];
}

const check_path = "Check the path.";

function missing(path: string): Failure {
  const directory = above(path).find((part) => !can(part, constants.F_OK));
  const happened = directory === undefined ? `there is no ${path}` : `there is no directory ${directory}`;
  return { happened, remedy: check_path };
}

function refused(path: string): Failure {
  const closed = above(path).find((part) => !can(part, constants.X_OK));
  const happened = closed
    ? `this user may not open ${closed}`
    : can(path, constants.F_OK)
      ? `this user may not use ${path}`
      : `this user may not write in ${dirname(resolve(path))}`;
  return { happened, remedy: "Run wharf as the user who owns it, or change its permissions." };
}

const full = (path?: string): Failure => ({
  happened: path === undefined ? "the disk is full" : `the disk of ${path} is full`,
  remedy: "Make room on it, or use another disk.",
});

function notADirectory(path: string): Failure {
  const file = [...above(path), path].find((part) => !can(`${part}/.`, constants.F_OK));
  return { happened: `${file ?? path} is not a directory`, remedy: check_path };
}

const needs_path: Record<string, (path: string) => Failure> = {
  EACCES: refused,
  EPERM: refused,
  ENOENT: missing,
  ENOTDIR: notADirectory,
  EROFS: (path) => ({
    happened: `the file system of ${path} takes no writes`,
    remedy: "Name a path on another one.",
  }),
  EEXIST: (path) => ({ happened: `${path} exists already`, remedy: "Remove it, or name another path." }),
  ENAMETOOLONG: (path) => ({ happened: `the path ${path} is too long`, remedy: "Name a shorter one." }),
  ELOOP: (path) => ({ happened: `${path} leads to itself by links`, remedy: check_path }),
};

const of_files: Record<string, (path?: string) => Failure> = {
  EISDIR: (path = "it") => ({ happened: `${path} is a directory, not a file`, remedy: "Name a file." }),
  ENOSPC: full,
  EDQUOT: full,
  SQLITE_FULL: full,
  EIO: () => disk_failed,
  EMFILE: () => ({ happened: "too many files are open", remedy: "Raise the limit: ulimit -n 65536." }),
};

const disk_failed: Failure = {
  happened: "the disk failed to read or write",
  remedy: "Look whether it is full or damaged (df, dmesg).",
};

const restarted = "Look whether the service still runs, and repeat the command.";
const no_answer = {
  happened: "nothing answers there",
  remedy: "Start the service, or name another with --url.",
};
const no_host = { happened: "its host cannot be found", remedy: "Check the address." };
const too_late = { happened: "no answer came in time", remedy: restarted };

const of_network: Record<string, Failure> = {
  ECONNREFUSED: no_answer,
  ConnectionRefused: no_answer,
  FailedToOpenSocket: no_answer,
  ENOENT: no_answer,
  EHOSTUNREACH: no_answer,
  ENETUNREACH: no_answer,
  ECONNRESET: { happened: "the connection was closed before the answer was complete", remedy: restarted },
  ENOTFOUND: no_host,
  EAI_AGAIN: no_host,
  EPROTO: { happened: "it does not speak TLS", remedy: "Check the address: http or https." },
  ETIMEDOUT: too_late,
};

/** The failure of the system that `error` is; null for any other error. */
export function failureOf(error: unknown): Failure | null {
  const { name, code, path, message = "" } = (error ?? {}) as SystemError;
  if (name === "TimeoutError") return too_late;
  if (typeof code !== "string") return null;
  if (path === undefined || !/^https?:/.test(path)) return failureOfFile(code, path);
  if (/CERT|SIGNATURE/.test(code))
    return {
      happened: `its certificate is not trusted: ${message}`,
      remedy: "Check the address and the certificate.",
    };
  return of_network[code] ?? null;
}

function failureOfFile(code: string, path: string | undefined): Failure | null {
  if (path !== undefined && Object.hasOwn(needs_path, code)) return needs_path[code]!(path);
  if (Object.hasOwn(of_files, code)) return of_files[code]!(path);
  return code.startsWith("SQLITE_IOERR") ? disk_failed : null;
}

/** What to do about the failure of the system that `error` is or comes from; null if it comes from none. */
export function remedyOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return failureOf(error)?.remedy ?? remedyOf(error.cause);
}

/** The error of the system behind an error of SQLite, which does not say why it cannot use the database `file`. */
export function behindSqlite(error: unknown, file: string): unknown {
  if (!/^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|AUTH)/.test(String((error as SystemError).code)))
    return error;
  const directory = dirname(file);
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    if (can(file, constants.F_OK)) accessSync(file, constants.R_OK | constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      return Object.assign(new Error(), { code: "EISDIR", path: file });
    if (statfsSync(directory).bavail > 0) return error;
  } catch (found) {
    return found;
  }
  return Object.assign(new Error(), { code: "ENOSPC", path: directory });
}

/** Whether there is something at `path`. Throws if this user may not know, or if a part of the path is a file. */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if ((error as SystemError).code === "ENOENT") return false;
    throw error;
  }
}

/** Throws unless the file `path` can be read, or a pipe. */
export function checkReadable(path: string): void {
  accessSync(path, constants.R_OK);
  if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR", path });
}
