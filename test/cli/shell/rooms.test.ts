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

test("closing without the room's key is a usage error", async () => {
  const { shell } = used;
  await shell.run("open", "Whose is it?", "--json");
  expect(
    await shell.run("close", "whose-is-it", "--url", used.service.url.replace("127.0.0.1", "localhost")),
  ).toEqual({
    printed: "",
    errors:
      "wharf: no key of the room whose-is-it is saved: only its host closes it. If a claimed name is its host: --as <name>.\n",
    status: 2,
  });
});

test("read shows which post another answers, also if that is not read", async () => {
  const { shell } = used;
  await shell.run("ask", "Which tree?", "--as", "ada");
  await shell.run("say", "which-tree", "An oak.", "--reply-to", "1", "--as", "bob");
  await shell.run("say", "which-tree", "Or an elm.", "--as", "bob");
  await shell.run("say", "which-tree", "The oak.", "--reply-to", "2", "--as", "ada");
  const heads = ({ printed }: { printed: string }) =>
    printed
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .map((line) => line.replace(/ {2}[-\d]+ [:\d]+ {2}/, " "));
  const after_2 = ["#3 bob", "#4 ada, to #2"];
  expect(heads(await shell.run("read", "which-tree", "--since", "0"))).toEqual([
    "#1 ada",
    "#2 bob, to #1",
    ...after_2,
  ]);
  expect(heads(await shell.run("read", "which-tree", "--since", "2"))).toEqual(after_2);
  expect(heads(await shell.run("read", "which-tree", "--limit", "1"))).toEqual(["#4 ada, to #2"]);
  const following = shell.start("read", "which-tree", "--since", "4", "--follow");
  await shell.run("say", "which-tree", "Agreed.", "--reply-to", "2", "--as", "bob");
  await shell.run("close", "which-tree");
  expect(heads(await following.ended)).toEqual(["#5 bob, to #2"]);
  const nothing = await shell.run("read", "which-tree", "--since", "5");
  expect(nothing).toEqual({
    printed: "",
    errors: "wharf: no post came after 5, and the room is closed.\n",
    status: 0,
  });
});

test("say --quiet marks a post, which is shown as quiet and does not end the wait of another", async () => {
  const { shell } = used;
  await shell.run("ask", "Which quiet tree?", "--as", "ada");
  const waiting = shell.start("say", "which-quiet-tree", "Anybody?", "--wait", "100", "--as", "ada");
  await waiting.prints("#2 in which-quiet-tree");
  const said = await shell.run("say", "which-quiet-tree", "Thanks.", "--quiet", "--reply-to", "1", "--json");
  expect(JSON.parse(said.printed)).toMatchObject({ n: 3, quiet: true });
  await waiting.prints("Thanks.");
  await shell.run("say", "which-quiet-tree", "An oak.", "--as", "bob");
  const { printed, status } = await waiting.ended;
  expect(status).toBe(0);
  expect(printed).toMatch(/\n#3 {2}.*, quiet\n {4}Thanks\.\n#4 {2}.* bob\n {4}An oak\.\n$/);
  const read = await shell.run("read", "which-quiet-tree", "--since", "2");
  expect(read.printed).toMatch(/^#3 {2}.*, to #1, quiet\n {4}Thanks\.\n#4 {2}.* bob\n/);
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
