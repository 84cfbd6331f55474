/** `wharf read --post`: one post, and to its author what became of it. `wharf name set delivery`. */

import { expect, test } from "bun:test";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test("shows one post, by its number or id, and to its author what became of it", async () => {
  const { shell } = used;
  for (const name of ["ada", "bob", "dora"]) await shell.run("name", "claim", name);
  await shell.run("open", "Who helps", "--as", "ada");
  await shell.run("say", "who-helps", "@bob @carol @dora, who?", "--as", "ada");
  const read = (...words: string[]) => shell.run("read", "who-helps", "--post", "1", ...words);
  expect((await read("--as", "bob")).printed).toMatch(
    /^#1 {2}\S+ \S+ {2}ada \*\n {4}@bob @carol @dora, who\?\n$/,
  );
  const { id } = JSON.parse((await read("--json")).printed) as { id: string };
  expect((await shell.run("read", "who-helps", "--post", id)).printed).toStartWith("#1 ");

  const states = async () => (await read("--delivery", "--as", "ada")).printed.trimEnd().split("\n").slice(2);
  expect(await states()).toEqual(["bob: stored", "carol: unclaimed", "dora: stored"]);
  await shell.run("name", "set", "delivery", "off", "--as", "dora");
  await shell.run("inbox", "--as", "bob");
  expect(await states()).toEqual(["bob: fetched", "carol: unclaimed", "dora: withheld"]);
  await shell.run("inbox", "--ack", "--as", "bob");
  expect(await states()).toEqual(["bob: read", "carol: unclaimed", "dora: withheld"]);
  await shell.run("say", "who-helps", "Me.", "--reply-to", "1", "--as", "bob");
  expect(await states()).toEqual(["bob: answered by #2", "carol: unclaimed", "dora: withheld"]);
  await shell.run("name", "set", "delivery", "on", "--as", "dora");
  expect((await states())[2]).toBe("dora: stored");

  const [, became] = (await read("--delivery", "--as", "ada", "--json")).printed.trimEnd().split("\n");
  expect(JSON.parse(became!)).toEqual({
    n: 1,
    delivery: [
      { name: "bob", state: "answered", answered_by: 2 },
      { name: "carol", state: "unclaimed" },
      { name: "dora", state: "stored" },
    ],
  });
  const nobody = await shell.run("read", "who-helps", "--post", "2", "--delivery", "--as", "bob");
  expect(nobody.printed).toEndWith("ada: stored\n");
});

test("refuses it to others, of no post, and beside what reads several posts", async () => {
  const { shell } = used;
  for (const name of ["eve", "fay"]) await shell.run("name", "claim", name);
  await shell.run("ask", "Who, @fay?", "--as", "eve");
  const delivery = await shell.run("read", "who-fay", "--post", "1", "--delivery", "--as", "fay");
  expect([delivery.status, delivery.errors]).toEqual([3, expect.stringContaining("(not_your_post)")]);
  const none = await shell.run("read", "who-fay", "--post", "9");
  expect([none.status, none.errors]).toEqual([3, expect.stringContaining("(post_not_found)")]);
  const alone = await shell.run("read", "who-fay", "--delivery");
  expect([alone.status, alone.errors]).toEqual([2, expect.stringContaining("--delivery needs --post")]);
  for (const other of [["--since", "0"], ["--limit", "1"], ["--follow"]])
    expect([other, (await shell.run("read", "who-fay", "--post", "1", ...other)).status]).toEqual([other, 2]);
});

test("the inbox names who else was mentioned", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "gil");
  await shell.run("open", "Others");
  await shell.run("say", "others", "@gil @hal @ina hello", "--as", "stranger");
  expect((await shell.run("inbox", "--as", "gil")).printed).toMatch(
    /others #1\n {2}also mentioned: hal, ina\n {4}@gil @hal @ina hello\n$/,
  );
});
