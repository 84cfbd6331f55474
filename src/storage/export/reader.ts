/** Reads an export line by line, and checks that it is whole: every byte counts for the checksum at its end. */

import {
  endLine,
  export_format,
  export_format_version,
  type ExportHeader,
  type ExportRow,
  type RowCounts,
} from "./format.ts";

/** The longest line that is read. A row has at most some hundred kilobytes. */
const line_bytes_max = 64 * 1024 * 1024;
const line_feed = 10;

/** The lines in `chunks`, without their line feeds. Throws if the last one has none. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let rest_bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let to; (to = chunk.indexOf(line_feed, from)) >= 0; from = to + 1) {
      const end = chunk.subarray(from, to);
      yield rest.length > 0 ? Buffer.concat([...rest, end]) : end;
      rest = [];
      rest_bytes = 0;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.slice(from));
    rest_bytes += chunk.length - from;
    if (rest_bytes > line_bytes_max) throw new Error("A line of the export is too long");
  }
  if (rest.length > 0) throw new Error("The export is cut off");
}

/**
 * The header of an export, then its rows. Completes only if the export is whole; before, nothing that it yields may be relied
 * on. Throws an error without a full stop that says what is wrong.
 */
export async function* readExport(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ExportHeader | ExportRow> {
  const hash = new Bun.CryptoHasher("sha256");
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const counts: RowCounts = {};
  let number = 0;
  let has_ended = false;
  for await (const bytes of linesOf(chunks)) {
    if (has_ended) throw new Error("The export continues after its end");
    number++;
    const text = decode(decoder, bytes, number);
    const line = parse(text, number);
    if (number === 1) {
      yield headerOf(line);
    } else if ("end" in line) {
      checkEnd(line as { end: { rows?: RowCounts } }, text, counts, hash);
      has_ended = true;
      continue;
    } else {
      const { table, row } = line as Partial<ExportRow>;
      if (typeof table !== "string" || typeof row !== "object" || row === null) throw unreadable(number);
      counts[table] = (counts[table] ?? 0) + 1;
      yield { table, row };
    }
    hash.update(bytes);
    hash.update("\n");
  }
  if (!has_ended) throw new Error(number === 0 ? "The export is empty" : "The export is cut off");
}

const unreadable = (number: number): Error => new Error(`Line ${number} is not that of an export`);

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw unreadable(number);
  }
}

function parse(text: string, number: number): object {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw unreadable(number);
  }
  if (typeof line !== "object" || line === null) throw unreadable(number);
  return line;
}

function headerOf(line: object): ExportHeader {
  const header = line as ExportHeader;
  if (header.format !== export_format) throw new Error("This is not an export of Wharf");
  if (header.format_version !== export_format_version) {
    throw new Error(
      `The export has format version ${header.format_version}; this build reads ${export_format_version}`,
    );
  }
  if (!Number.isInteger(header.schema) || header.schema < 1 || typeof header.with_secrets !== "boolean")
    throw unreadable(1);
  return header;
}

/** The end must be exactly what a writer of these rows writes: so a change in it is noticed, too. */
function checkEnd(
  { end }: { end: { rows?: RowCounts } },
  text: string,
  counts: RowCounts,
  hash: Bun.CryptoHasher,
): void {
  const rows = end?.rows ?? {};
  const tables = [...Object.keys(rows), ...Object.keys(counts)];
  const is_counted = tables.every((table) => rows[table] === (counts[table] ?? 0));
  if (`${text}\n` === endLine(rows, hash) && is_counted) return;
  throw new Error("The export was changed after it was made: its rows do not match its checksum");
}
