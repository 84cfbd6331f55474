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
