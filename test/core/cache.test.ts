/** What is kept in memory: never shown once it has changed, made once for all who ask, bounded. */

import { expect, test } from "bun:test";
import { Kept } from "../../src/core/cache.ts";

const newKept = () => new Kept<string>({ sizeOf: (text) => text.length, size_max: 10, value_size_max: 6 });

/** Something to make whose end the test decides, and how often it was begun. */
function making() {
  const begun: PromiseWithResolvers<string>[] = [];
  const make = () => {
    begun.push(Promise.withResolvers<string>());
    return begun.at(-1)!.promise;
  };
  return { begun, make };
}

test("a value is made once and forgotten when its subject changes", async () => {
  const kept = newKept();
  let made = 0;
  const get = () => kept.get("room:a", "a", async () => `a${++made}`);
  expect([await get(), await get()]).toEqual(["a1", "a1"]);
  kept.forget("room:b");
  expect(await get()).toBe("a1");
  kept.forget("room:a");
  expect(await get()).toBe("a2");
  kept.forget(null);
  expect(await get()).toBe("a3");
});

test("whoever asks while a value is being made shares it, failures too", async () => {
  const kept = newKept();
  const { begun, make } = making();
  const both = [kept.get("room:a", "a", make), kept.get("room:a", "a", make)];
  expect(begun.length).toBe(1);
  begun[0]!.resolve("a");
  expect(await Promise.all(both)).toEqual(["a", "a"]);

  const failing = [kept.get("room:a", "b", make), kept.get("room:a", "b", make)];
  begun[1]!.reject(new Error("no"));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const again = kept.get("room:a", "b", make);
  begun[2]!.resolve("b");
  expect(await again).toBe("b");
});

test("what was begun before a change is neither shared nor kept after it", async () => {
  const kept = newKept();
  const { begun, make } = making();
  const before = kept.get("room:a", "a", make);
  kept.forget("room:a");
  const after = kept.get("room:a", "a", make);
  expect(begun.length).toBe(2);
  begun[1]!.resolve("new");
  expect(await after).toBe("new");
  begun[0]!.resolve("old");
  expect(await before).toBe("old");
  expect(await kept.get("room:a", "a", make)).toBe("new");
});

test("the ones used last stay when there is no more room, and large ones never come in", async () => {
  const kept = newKept();
  const made: string[] = [];
  const get = (key: string, value: string) =>
    kept.get(key, key, async () => {
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

test("a key takes room like a value: whoever chooses keys cannot fill the memory with values that are nothing", async () => {
  const kept = newKept();
  let made = 0;
  const get = (key: string) => kept.get("lists", key, async () => (made++, ""));
  for (const key of ["1234", "5678", "90ab"]) await get(key);
  await get("1234");
  expect(made).toBe(4);
  await get("1234567");
  await get("1234567");
  expect(made).toBe(6);
});
