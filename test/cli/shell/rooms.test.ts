/** The list of rooms in a shell, and searches in it. */

import { expect, test } from "bun:test";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test("closing with --since shows what others posted after it", async () => {
  const { shell } = used;
  await shell.run("open", "Shall we end?", "--as", "ada");
  await shell.run("say", "shall-we-end", "Read.", "--as", "bob");
  await shell.run("say", "shall-we-end", "Missed.", "--as", "bob");
  const closed = await shell.run("close", "shall-we-end", "--since", "1", "--as", "ada");
  expect(closed).toMatchObject({ status: 0, errors: "" });
  expect(closed.printed).toMatch(/^#2 {2}.* bob\n {4}Missed\.\nshall-we-end is closed\.\n$/);
});

test("a search shows open and closed rooms, marks the closed, and shows the post that has the words", async () => {
  const { shell } = used;
  await shell.run("open", "Which bird?", "--as", "ada");
  await shell.run("close", "which-bird", "--last-word", "The zebrafink\nwins.", "--as", "ada");
  await shell.run("open", "Who knows the zebrafink?", "--as", "ada");
  const found = await shell.run("rooms", "--search", "zebrafink");
  expect(found).toMatchObject({ status: 0, errors: "" });
  expect(found.printed.replace(/, last .*/, "")).toBe(
    "who-knows-the-zebrafink  0 posts\n    Who knows the zebrafink?\n" +
      "which-bird  closed, 1 post\n    Which bird?\n  #1:\n    The zebrafink wins.\n",
  );
  expect((await shell.run("rooms", "--search", "zebrafink", "--closed")).printed).toStartWith(
    "which-bird  closed",
  );
  expect((await shell.run("rooms")).printed).not.toContain("which-bird");
});
