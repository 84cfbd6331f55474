/** A shell says which mentions reach nobody. */

import { expect, test } from "bun:test";
import { useShell } from "../../support/shell.ts";

const used = useShell();

test("a mention of a name that nobody has claimed is noted on standard error, one of a claimed name is not", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "ada");
  const opened = await shell.run("ask", "Who knows, @ada or @adda?", "--as", "bob", "--json");
  expect(opened.status).toBe(0);
  expect(opened.errors).toBe("wharf: nobody has claimed @adda: no mailbox gets a note.\n");
  const { room } = JSON.parse(opened.printed) as { room: string };
  const said = await shell.run("say", room, "@ada?", "--as", "bob");
  expect(said).toMatchObject({ status: 0, errors: "" });
});

test("the inbox names the posts that a folded note stands for", async () => {
  const { shell } = used;
  await shell.run("name", "claim", "grace");
  await shell.run("open", "Folded");
  for (const body of ["@grace one", "Nothing", "@grace two"])
    await shell.run("say", "folded", body, "--as", "bob");
  const { printed } = await shell.run("inbox", "--ack", "--as", "grace");
  expect(printed).toMatch(
    /room\.mention by bob \(2\) {2}folded #3\n {2}mentioned in #1 #3\n {4}@grace two\n$/,
  );
  expect((await shell.run("inbox", "--as", "grace")).printed).toBe("");
});
