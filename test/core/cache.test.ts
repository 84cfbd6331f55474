/** The cache: never returns a value after its topic changed, makes a value once for concurrent callers, is bounded. */

import { expect, test } from "bun:test";
import { Cache } from "../../src/core/cache.ts";

const newCache = () => new Cache<string>({ sizeOf: (text) => text.length, size_max: 10, value_size_max: 6 });

/** A computation that the test ends, with the number of its starts. */
function making() {
  const begun: PromiseWithResolvers<string>[] = [];
  const make = () => {
    begun.push(Promise.withResolvers<string>());
    return begun.at(-1)!.promise;
  };
  return { begun, make };
}

test("makes a value once and drops it when its topic changes", async () => {
  const cache = newCache();
  let made = 0;
  const get = () => cache.get("room:a", "a", async () => `a${++made}`);
  expect([await get(), await get()]).toEqual(["a1", "a1"]);
  cache.invalidate("room:b");
  expect(await get()).toBe("a1");
  cache.invalidate("room:a");
  expect(await get()).toBe("a2");
  cache.invalidate(null);
  expect(await get()).toBe("a3");
});

test("shares a value in the making, or its failure, with concurrent callers", async () => {
  const cache = newCache();
  const { begun, make } = making();
  const both = [cache.get("room:a", "a", make), cache.get("room:a", "a", make)];
  expect(begun.length).toBe(1);
  begun[0]!.resolve("a");
  expect(await Promise.all(both)).toEqual(["a", "a"]);

  const failing = [cache.get("room:a", "b", make), cache.get("room:a", "b", make)];
  begun[1]!.reject(new Error("no"));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const again = cache.get("room:a", "b", make);
  begun[2]!.resolve("b");
  expect(await again).toBe("b");
});

test("neither shares nor caches after a change what was begun before it", async () => {
  const cache = newCache();
  const { begun, make } = making();
  const before = cache.get("room:a", "a", make);
  cache.invalidate("room:a");
  const after = cache.get("room:a", "a", make);
  expect(begun.length).toBe(2);
  begun[1]!.resolve("new");
  expect(await after).toBe("new");
  begun[0]!.resolve("old");
  expect(await before).toBe("old");
  expect(await cache.get("room:a", "a", make)).toBe("new");
});

test("evicts the least recently used values and never caches large ones", async () => {
  const cache = newCache();
  const made: string[] = [];
  const get = (key: string, value: string) =>
    cache.get(key, key, async () => {
      made.push(key);
      return value;
    });
  await get("a", "aaaa");
  await get("b", "bbbb");
  await get("a", "aaaa");
  await get("c", "cccc");
  expect(made).toEqual(["a", "b", "c"]);
  await get("a", "aaaa");
  await get("b", "bbbb");
  expect(made).toEqual(["a", "b", "c", "b"]);
  await get("large", "1234567");
  await get("large", "1234567");
  expect(made).toEqual(["a", "b", "c", "b", "large", "large"]);
});

test("counts the length of keys, so that many keys with empty values cannot fill the memory", async () => {
  const cache = newCache();
  let made = 0;
  const get = (key: string) => cache.get("lists", key, async () => (made++, ""));
  for (const key of ["1234", "5678", "90ab"]) await get(key);
  await get("1234");
  expect(made).toBe(4);
  await get("1234567");
  await get("1234567");
  expect(made).toBe(6);
});
