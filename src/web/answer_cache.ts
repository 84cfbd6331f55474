/** Cached responses. Large ones have their own cache, so that a few of them do not evict many small ones. */

import { Cache } from "../core/cache.ts";
import type { Meter } from "../core/meter.ts";
import { web_limits } from "./limits.ts";
import type { Tagged } from "./responses.ts";

export type AnswerCache = Pick<Cache<Tagged>, "get" | "known" | "invalidate">;

/** Compressed copies take up to half of the size again; most answers have one. */
const sizeOf = ({ bytes }: Tagged): number => Math.ceil(bytes.length * 1.5);

export function createAnswerCache(meter: Meter): AnswerCache {
  const small = new Cache<Tagged>({
    sizeOf,
    size_max: web_limits.answer_cache_bytes_max,
    value_size_max: web_limits.answer_cache_entry_bytes_max,
  }).measure(meter, "answers");
  const large = new Cache<Tagged>({
    sizeOf,
    size_max: web_limits.large_answer_cache_bytes_max,
    value_size_min: web_limits.answer_cache_entry_bytes_max,
    value_size_max: web_limits.large_answer_cache_entry_bytes_max,
  }).measure(meter, "large_answers");
  return {
    known: (key) => small.known(key) ?? large.known(key),
    get: (topic, key, make) => small.get(topic, key, () => large.get(topic, key, make)),
    invalidate(topic) {
      small.invalidate(topic);
      large.invalidate(topic);
    },
  };
}
