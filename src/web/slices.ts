/** Makes large answers in slices, so that the event loop can serve other requests between two slices. */

import { framedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import type { Clock } from "../core/clock.ts";
import { web_limits } from "./limits.ts";
import { media, withTag, type ExtraHeaders, type Tagged } from "./responses.ts";

const items_per_piece = 8;

/** The JSON of `value`, whose member `list` is long, in pieces. Together they equal the output of `JSON.stringify`. */
export function* jsonPieces<Value extends object>(
  value: Value,
  list: keyof Value & string,
): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (name === list) yield* listPieces(member as unknown[]);
    else yield JSON.stringify(member);
  }
  yield "}";
}

/** The JSON of `value` with the items of `chunks`, of which none is empty, in its member `list`. */
export function jsonChunks<Value extends object>(
  value: Value,
  list: keyof Value & string,
  chunks: Chunks<unknown[]>,
): Chunks<string> {
  const members = Object.entries(value);
  const at = members.findIndex(([name]) => name === list);
  const before = JSON.stringify(Object.fromEntries(members.slice(0, at))).slice(0, -1);
  const after = JSON.stringify(Object.fromEntries(members.slice(at + 1))).slice(1);
  return framedChunks(
    mapChunks(chunks, (items) => JSON.stringify(items).slice(1, -1)),
    {
      head: `${before}${before === "{" ? "" : ","}${JSON.stringify(list)}:[`,
      separator: ",",
      end: `]${after === "}" ? "" : ","}${after}`,
    },
  );
}

/** Serializes several items at a time: one at a time would cost half as much again. */
function* listPieces(items: unknown[]): Generator<string> {
  let before = "[";
  for (let i = 0; i < items.length; i += items_per_piece) {
    yield before + JSON.stringify(items.slice(i, i + items_per_piece)).slice(1, -1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

const utf8 = new TextEncoder();

/** Makes the answer that `tagged` would make of the whole text, slice by slice. */
async function inSlices(
  clock: Clock,
  pieces: Iterable<string>,
  content_type: string,
  extra?: ExtraHeaders,
): Promise<Tagged> {
  const digest = new Bun.CryptoHasher("sha256");
  const slices: Uint8Array[] = [];
  let text = "";
  const endSlice = () => {
    const bytes = utf8.encode(text);
    digest.update(bytes);
    slices.push(bytes);
    text = "";
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length < web_limits.answer_slice_chars) continue;
    endSlice();
    await clock.turn();
  }
  endSlice();
  return withTag(joined(slices), digest.digest("base64url"), content_type, extra);
}

function joined(slices: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(slices.reduce((length, slice) => length + slice.length, 0));
  let at = 0;
  for (const slice of slices) {
    bytes.set(slice, at);
    at += slice.length;
  }
  return bytes;
}

export const slicedJson = <Value extends object>(
  clock: Clock,
  value: Value,
  list: keyof Value & string,
  extra?: ExtraHeaders,
): Promise<Tagged> => inSlices(clock, jsonPieces(value, list), media.json, extra);

export const slicedMarkdown = (
  clock: Clock,
  pieces: Iterable<string>,
  extra?: ExtraHeaders,
): Promise<Tagged> => inSlices(clock, pieces, `${media.markdown}; charset=utf-8`, extra);

export const slicedXml = (clock: Clock, pieces: Iterable<string>): Promise<Tagged> =>
  inSlices(clock, pieces, "application/xml");
