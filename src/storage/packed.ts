/** Ids, salts and times as columns of posts store them: 16 bytes, and Unix milliseconds. Nothing else converts them. */

import { isoTime } from "../core/clock.ts";

/** What an engine returns for 16 bytes: SQLite the bytes, Postgres the text of a UUID. */
export type Packed = Uint8Array | string;

/** A UUID (RFC 9562, section 4): lower case, with dashes. */
export function idText(packed: Packed): string {
  if (typeof packed === "string") return packed;
  const hex = packed.toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const id_form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id. Only such a text can be packed. */
export const isId = (text: string): boolean => id_form.test(text);

/** 32 hex digits. */
export const hexText = (packed: Packed): string =>
  typeof packed === "string" ? packed.replaceAll("-", "") : packed.toHex();

/** The 16 bytes that SQLite stores for 32 hex digits; dashes are ignored. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.fromHex(hex.replaceAll("-", ""));

/** A stored time as ISO 8601 text. */
export const timeText = isoTime;

/** The stored form of an ISO time. */
export const timeMs = (time: string): number => Date.parse(time);
