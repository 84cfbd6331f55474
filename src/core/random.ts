/** Randomness as the house sees it: injected everywhere, so that a seed makes a run repeatable. */

export interface Random {
  /** `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
  /** A UUIDv7 of this moment in unix milliseconds (RFC 9562, section 5.7): ids made later sort later. */
  uuid(now_ms: number): string;
}

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  // Counts within a millisecond (RFC 9562, section 6.2, method 1).
  uuid: (now_ms) => Bun.randomUUIDv7("hex", now_ms),
};

/** Salts drawn at once: a draw for each one would cost as much as all the rest of what a post is made of. */
const salts_per_draw = 64;
const salt_bytes = 16;

/** A source of salts: 128 random bits each, in hex. */
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

/** `bits` random bits in lower-case base 32 (RFC 4648 letters), for addresses that must not be guessed. */
export function randomSlug(random: Random, bits: number): string {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(random.bytes(Math.ceil(bits / 5)), (byte) => letters[byte & 31]).join("");
}
