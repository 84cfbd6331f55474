/**
 * Checks the files of a data directory before SQLite opens them, and writes nothing. Opening a database that is missing,
 * truncated or the wrong one could delete its log.
 */

import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../core/clock.ts";
import { identityOf, parseIdentity, readIdentityFile, type Identity } from "./identity.ts";
import { withReason } from "../../core/log.ts";
import { refuseNewer } from "../schema_version.ts";
import { checkLog, runningFile, type LogFindings } from "./log_check.ts";
import { partialFiles } from "./unfinished.ts";
import { isPageSize, readWal, type WalContent } from "./wal.ts";

export interface FoundDirectory {
  /** The identity in `wharf.id`; null if there is no such file. */
  identity: Identity | null;
  /** Whether the last service ended without closing the database. */
  was_cut_short: boolean;
  /** Whether there is a log that is not empty. */
  has_log: boolean;
  /** The schema version of the database; 0 for a new one. */
  schema_version: number;
  /** The faults of the log. A loss is among them only if it was accepted. */
  log: LogFindings;
}

interface Options {
  /** The clock that knows the present boot of the machine. */
  clock?: Clock;
  /** Whether a log may be used from which acknowledged writes are lost. */
  accepts_loss?: boolean;
}

/** The header of a database file (https://www.sqlite.org/fileformat2.html, section 1.3). */
interface Header {
  page_bytes: number;
  /** Size of the database in pages; null if an old version of SQLite wrote the header without it. */
  pages: number | null;
  schema_version: number;
  identity: Identity | null;
}

export const header_bytes = 108;
/** SQLite locks the bytes from here on and never writes the page that holds them. */
const lock_byte = 0x40000000;

/** An error of two sentences: the fault, and the remedy. */
const refusal = (wrong: string, remedy: string): Error =>
  new Error(`${wrong}. ${remedy}; nothing has been changed.`);

/**
 * Throws a user-facing error if the files in `directory` do not belong together, or the log has lost writes that were acknowledged
 * and that is not accepted.
 */
export function checkDirectory(directory: string, options: Options = {}): FoundDirectory {
  const file = join(directory, "wharf.db");
  try {
    return check(directory, file, options);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    throw withReason(`The database ${file} cannot be opened`, error);
  }
}

function check(
  directory: string,
  file: string,
  { clock = systemClock, accepts_loss = false }: Options,
): FoundDirectory {
  const text = readIdentityFile(directory);
  const identity = text === null ? null : parseIdentity(text);
  if (text !== null && identity === null) {
    const remedy = "Put the right file back, or remove it if wharf.db is the right database";
    throw refusal(`${directory}/wharf.id holds no identity`, remedy);
  }
  const log_bytes = sizeOf(`${file}-wal`);
  const has_log = !!log_bytes;
  const was_cut_short = has_log || existsSync(runningFile(directory));
  const file_bytes = sizeOf(file);
  if (!file_bytes) {
    refuseMissing(file, file_bytes === null ? "missing" : "empty", log_bytes ?? 0, identity);
    return { identity, was_cut_short, has_log, schema_version: 0, log: { lost: null, doubt: null } };
  }
  const own = headerOf(file);
  const wal = has_log ? readWal(`${file}-wal`, own.page_bytes) : log_bytes === null ? "missing" : "empty";
  const { content, damaged_frame } = typeof wal === "string" ? { content: null, damaged_frame: null } : wal;
  const log = checkLog(file, wal, clock.uptime().boot);
  // The readable part of a damaged log may look like the log of another database.
  if (damaged_frame !== null) refuseLoss(log, accepts_loss);
  const schema_version = checkDatabase(file, file_bytes, own, content, identity);
  refuseLoss(log, accepts_loss);
  return { identity, was_cut_short, has_log, schema_version, log };
}

function refuseLoss({ lost }: LogFindings, accepts_loss: boolean): void {
  if (lost === null || accepts_loss) return;
  const remedy = "Restore the latest backup, or start once with --accept-loss to go on without what is lost";
  throw refusal(lost, remedy);
}

/** The header of the database `file`. Throws a user-facing error if it is none. */
function headerOf(file: string): Header {
  const own = parseHeader(readStart(file));
  if (own) return own;
  const remedy = "Restore it from a backup, or start with another --data-dir";
  throw refusal(`The database ${file} cannot be opened: file is not a database`, remedy);
}

/** Throws a user-facing error if `directory` has no database, for a command that does not create one. */
export function requireDatabase(directory: string): void {
  if (existsSync(join(directory, "wharf.db"))) return;
  checkDirectory(directory);
  throw new Error(
    `There is no wharf.db in ${directory}. Name the data directory with --data-dir; a first start of wharf serve creates it.`,
  );
}

/**
 * Throws unless a new database may be created: no log and no identity file may be left of an old one, and nothing of one that
 * is not complete.
 */
function refuseMissing(file: string, state: string, log_bytes: number, identity: Identity | null): void {
  const partial = partialFiles(file).find((path) => existsSync(path));
  if (partial !== undefined) {
    const wrong = `${file} is ${state}, but ${partial} is there: a restore, an import or a copy was cut off`;
    throw refusal(wrong, "Repeat that command, or remove the file to begin with an empty database");
  }
  if (log_bytes > 0) {
    const remedy = "Put back the database that this log belongs to, or start with another --data-dir";
    throw refusal(`${file} is ${state}, but its log ${file}-wal is there`, remedy);
  }
  if (identity === null) return;
  const remedy = "Restore the database from a backup, or remove wharf.id to begin with an empty one";
  throw refusal(`${file} is ${state}, although wharf.id says that there was a database`, remedy);
}

/** Returns the schema version. */
function checkDatabase(
  file: string,
  file_bytes: number,
  own: Header,
  log: WalContent | null,
  expected: Identity | null,
): number {
  const history = log?.first_pages.map(parseHeader) ?? [];
  const logged = history.at(-1) ?? null;
  if (log && !belongs(log, own, history)) {
    const is_log_right = expected !== null && expected === logged?.identity;
    const remedy = `Put back the database that the log belongs to${is_log_right ? "" : ", or move the log elsewhere to go on without it"}`;
    throw refusal(`${file}-wal is the log of another database than ${file}`, remedy);
  }
  const { identity, schema_version } = logged ?? own;
  if (expected !== null && identity !== expected) {
    const wrong = `${file} is not the database of this directory: wharf.id says ${expected}, the database ${identity ?? "says nothing"}`;
    throw refusal(wrong, "Put the right database back, or remove wharf.id if this is the right one");
  }
  refuseNewer(schema_version);
  const pages = Math.floor(file_bytes / own.page_bytes);
  const missing = firstMissing(pages, log?.database_pages ?? own.pages ?? pages, own.page_bytes, log);
  if (missing === null) return schema_version;
  const wrong = `${file} is cut off: it ends before its page ${missing}, which is not in its log`;
  throw refusal(wrong, "Restore it from a backup, or start with another --data-dir");
}

/**
 * Whether the log can belong to the database. `history`: the headers in the log, the latest last. The first start of a copy
 * changes the identity, and a checkpoint copies the header of any commit: the file has one of the identities in the log.
 * A transaction that changes the size of the database writes page 1, so without that page the log and the header must agree
 * on the size.
 */
function belongs(log: WalContent, own: Header, history: (Header | null)[]): boolean {
  if (log.page_bytes !== own.page_bytes || history.includes(null)) return false;
  if (history.length === 0) return (own.pages ?? log.database_pages) === log.database_pages;
  return own.identity === null || history.some((logged) => logged!.identity === own.identity);
}

/** The first page that is neither in the file nor in its log; null if none is missing. */
function firstMissing(
  file_pages: number,
  pages: number,
  page_bytes: number,
  log: WalContent | null,
): number | null {
  const lock_page = lock_byte / page_bytes + 1;
  for (let page = file_pages + 1; page <= pages; page++) {
    if (page !== lock_page && !log?.pages.has(page)) return page;
  }
  return null;
}

/** The header of a database; null if `bytes` is not the start of a database file. */
export function parseHeader(bytes: Buffer): Header | null {
  if (bytes.length < header_bytes || bytes.toString("latin1", 0, 16) !== "SQLite format 3\0") return null;
  const size = bytes.readUInt16BE(16);
  const page_bytes = size === 1 ? 65_536 : size;
  // The format versions and the payload fractions, which never change.
  const is_known =
    bytes[18]! <= 2 && bytes[19]! <= 2 && bytes[21] === 64 && bytes[22] === 32 && bytes[23] === 32;
  if (!isPageSize(page_bytes) || !is_known || (bytes[100] !== 5 && bytes[100] !== 13)) return null;
  const is_size_valid = bytes.readUInt32BE(24) === bytes.readUInt32BE(92) && bytes.readUInt32BE(28) > 0;
  return {
    page_bytes,
    pages: is_size_valid ? bytes.readUInt32BE(28) : null,
    schema_version: bytes.readUInt32BE(60),
    identity: identityOf(bytes.readUInt32BE(68)),
  };
}

/** The first bytes of a file, at most the header. */
export function readStart(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(header_bytes);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, header_bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Size of a file in bytes; null if it does not exist. */
const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;
