/** Random numbers. Everything gets its source as a parameter, so that a seed makes a run repeatable. */

export interface Random {
  /** `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
  /** A UUIDv7 for a time in unix milliseconds (RFC 9562, section 5.7): later ids sort later. */
  uuid(now_ms: number): string;
}

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  // Has a counter for ids of the same millisecond (RFC 9562, section 6.2, method 1).
  uuid: (now_ms) => Bun.randomUUIDv7("hex", now_ms),
};

/** Salts generated at a time: generating them one by one would cost as much as the rest of a post. */
const salts_per_draw = 64;
const salt_bytes = 16;

/** Returns a function that returns a new salt, 128 random bits in hex. */
export function saltSource(random: Random): () => string {
  const chars = 2 * salt_bytes;
  let drawn = "";
  let next = 0;
  return () => {
    if (next === drawn.length) {
      drawn = random.bytes(salts_per_draw * salt_bytes).toHex();
      next = 0;
    }
    next += chars;
    return drawn.slice(next - chars, next);
  };
}

/** At least `bits` random bits in lower-case base 32 (RFC 4648), for addresses that must not be guessable. */
export function randomSlug(random: Random, bits: number): string {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(random.bytes(Math.ceil(bits / 5)), (byte) => letters[byte & 31]).join("");
}
