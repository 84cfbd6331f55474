/** A shell says which mentions reach nobody. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";

let service: SourceService;
let shell: Shell;
beforeAll(async () => {
  service = await startSource();
  shell = newShell(service.url);
});
afterAll(async () => {
  await service.stop();
  shell.remove();
});

test("a mention of a name that nobody has claimed is noted on standard error, one of a claimed name is not", async () => {
  await shell.run("name", "claim", "ada");
  const opened = await shell.run("ask", "Who knows, @ada or @adda?", "--as", "bob", "--json");
  expect(opened.status).toBe(0);
  expect(opened.errors).toBe("wharf: nobody has claimed @adda: no mailbox gets a note.\n");
  const { room } = JSON.parse(opened.printed) as { room: string };
  const said = await shell.run("say", room, "@ada?", "--as", "bob");
  expect(said).toMatchObject({ status: 0, errors: "" });
});
