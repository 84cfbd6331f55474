/** Randomness as the house sees it: injected everywhere, so that a seed makes a run repeatable. */

export interface Random {
  /** `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

/** A UUIDv7 (RFC 9562, section 5.7): 48 bits of unix milliseconds, then 74 random bits. Ids made later sort later. */
export function uuidV7(random: Random, now_ms: number): string {
  const bytes = random.bytes(16);
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now_ms / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const digits = bytes.toHex();
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** `bits` random bits in lower-case base 32 (RFC 4648 letters), for addresses that must not be guessed. */
export function randomSlug(random: Random, bits: number): string {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(random.bytes(Math.ceil(bits / 5)), (byte) => letters[byte & 31]).join("");
}
