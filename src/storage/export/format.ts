/**
 * The lines of an export (docs/export.md): a header, a line for each row, and an end with the number of rows and a checksum. Each
 * line is JSON and ends with a line feed.
 */

export const export_format = "wharf-export";
/** Changes when an older reader would misunderstand the lines. */
export const export_format_version = 1;

export interface ExportHeader {
  format: typeof export_format;
  format_version: number;
  /** The version of the program. */
  wharf: string;
  /** The schema version of the database. */
  schema: number;
  /** ISO time. */
  at: string;
  with_secrets: boolean;
}

/** A value of a row. Integers that JSON numbers cannot hold exactly are decimal text. */
type ExportValue = string | number | null | { integer: string } | { base64: string };

export interface ExportRow {
  table: string;
  row: Record<string, ExportValue>;
}

/** The number of rows of each table. */
export type RowCounts = Record<string, number>;

/** The last line. `hash`: SHA-256 of the lines before. Its checksum is over all bytes before the checksum, in hex. */
export function endLine(rows: RowCounts, hash: Bun.CryptoHasher): string {
  const start = `{"end":{"rows":${JSON.stringify(rows)},"sha256":"`;
  return `${start}${hash.update(start).digest("hex")}"}}\n`;
}

/** Turns what SQLite returned into JSON. A replacer of `JSON.stringify`. */
export function toJson(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") {
    const is_safe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
    return is_safe ? Number(value) : { integer: String(value) };
  }
  return value instanceof Uint8Array ? { base64: value.toBase64() } : value;
}

/** Turns a value of a row into a parameter of a statement. Throws if it is none. */
export function fromJson(value: unknown): string | number | bigint | Uint8Array | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  const { integer, base64 } = Object(value) as { integer?: unknown; base64?: unknown };
  if (typeof integer === "string") return BigInt(integer);
  if (typeof base64 === "string") return Uint8Array.fromBase64(base64);
  throw new Error("A row has a value of an unknown kind");
}
