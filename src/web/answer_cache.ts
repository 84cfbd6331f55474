/** Finished answers in memory. Large ones have a part of their own, so that a few do not take the place of many. */

import { Kept } from "../core/cache.ts";
import { limits } from "../core/limits.ts";
import type { Tagged } from "./responses.ts";

export type AnswerCache = Pick<Kept<Tagged>, "get" | "forget">;

const sizeOf = ({ bytes }: Tagged): number => bytes.length;

export function createAnswerCache(): AnswerCache {
  const small = new Kept<Tagged>({
    sizeOf,
    size_max: limits.answer_cache_bytes_max,
    value_size_max: limits.answer_cache_entry_bytes_max,
  });
  const large = new Kept<Tagged>({
    sizeOf,
    size_max: limits.large_answer_cache_bytes_max,
    value_size_min: limits.answer_cache_entry_bytes_max,
    value_size_max: limits.large_answer_cache_entry_bytes_max,
  });
  return {
    get: (subject, key, make) => small.get(subject, key, () => large.get(subject, key, make)),
    forget(subject) {
      small.forget(subject);
      large.forget(subject);
    },
  };
}
