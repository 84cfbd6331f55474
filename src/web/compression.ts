/**
 * Compresses answers for readers that accept it (RFC 9110, section 8.4): Zstandard (RFC 8878), Brotli (RFC 7932) or gzip
 * (RFC 1952). A compressed copy is made once and stays with the answer that it was made of.
 */

import Negotiator from "negotiator";
import { Slots } from "../core/slots.ts";
import { web_limits } from "./limits.ts";

/** In our order of preference: Zstandard is as small as the others here, and takes the least time. */
const encodings = ["zstd", "br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** The end of the ETag of a compressed answer (`responses.ts`). */
export const etag_of_encoding = new RegExp(`-(?:${encodings.join("|")})"$`);

/** What callers sent as Accept-Encoding: browsers send a handful of texts. */
const known = new Map<string, Encoding | null>();

/** The encoding that a reader prefers; null if it accepts none of ours. */
function preferred(accept_encoding: string): Encoding | null {
  const found = known.get(accept_encoding);
  if (found !== undefined) return found;
  const headers = { "accept-encoding": accept_encoding };
  const accepted = new Negotiator({ headers }).encodings([...encodings, "identity"]);
  const first =
    accepted[0] === "identity" ? null : (encodings.find((name) => accepted.includes(name)) ?? null);
  if (known.size >= web_limits.accept_encodings_known_max) known.clear();
  if (accept_encoding.length <= web_limits.accept_encoding_chars_max) known.set(accept_encoding, first);
  return first;
}

const is_text = /^(?:text\/|image\/svg|application\/(?:.*json|.*xml|linkset|x-pem-file))/;

/**
 * The encoding for an answer with these headers and this length; null if it is sent as it is. What a browser requests with a
 * credential that it sends by itself is not compressed: its length would reveal how much a text from elsewhere in it and a
 * secret are alike (the BREACH attack).
 */
export function encodingFor({ headers }: Request, length: number, answer: Headers): Encoding | null {
  const accept_encoding = headers.get("accept-encoding");
  if (accept_encoding === null || length < web_limits.compressed_bytes_min) return null;
  if (headers.has("cookie") || headers.has("authorization")) return null;
  if (!is_text.test(answer.get("content-type") ?? "")) return null;
  const encoding = preferred(accept_encoding);
  // The others take a second for answers of this size.
  if (encoding !== "zstd" && length > web_limits.answer_cache_entry_bytes_max) return null;
  return encoding;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Bounds the memory of compressors: one for a large answer takes some megabytes. */
const large = new Slots(web_limits.large_compressions_max);

/**
 * The bytes in this encoding: at once if they are few, otherwise made in another thread, a few answers at a time. `is_lasting`:
 * whether they are sent unchanged as long as the service runs.
 */
export function compressed(bytes: Bytes, encoding: Encoding, is_lasting: boolean): Bytes | Promise<Bytes> {
  if (bytes.length <= web_limits.whole_body_bytes_max) {
    if (encoding === "zstd" && is_lasting) return plain(Bun.zstdCompressSync(bytes, for_assets));
    if (encoding === "zstd") return plain(Bun.zstdCompressSync(bytes));
    if (encoding === "gzip") return Bun.gzipSync(bytes);
    return byZlib(bytes, encoding);
  }
  return large.run(() =>
    encoding === "zstd" ? Bun.zstdCompress(bytes).then(plain) : byZlib(bytes, encoding),
  );
}

const for_assets = { level: web_limits.zstd_level_of_assets };

const plain = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);

async function byZlib(bytes: Bytes, encoding: Exclude<Encoding, "zstd">): Promise<Bytes> {
  // Loaded at the first use: it takes 10 ms, and few readers need it.
  const { brotliCompress, constants, gzip } = await import("node:zlib");
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>();
  const done = (error: Error | null, result: Buffer) => (error ? reject(error) : resolve(plain(result)));
  if (encoding === "gzip") gzip(bytes, done);
  else
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: web_limits.brotli_quality } }, done);
  return promise;
}
