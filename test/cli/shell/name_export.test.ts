/** `wharf name export` writes everything of a claimed name to standard output, or into a file that is whole or not there. */

import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { newSecret, secret_prefixes } from "../../../src/core/secrets.ts";
import { seededRandom } from "../../../src/dev/random.ts";
import { newShell, useShell } from "../../support/shell.ts";

const used = useShell();
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; body?: string });

test("the lines are those of the service, on standard output or in a file that only its owner reads", async () => {
  const { shell } = used;
  expect(await shell.run("name", "export", "--as", "ada")).toMatchObject({ status: 2, printed: "" });
  await shell.run("name", "claim", "ada");
  await shell.run("ask", "What shall I take along?");
  const printed = await shell.run("name", "export");
  expect(printed).toMatchObject({ status: 0, errors: "wharf: 6 lines are exported.\n" });
  expect(lines(printed.printed).map(({ kind }) => kind)).toEqual([
    ...["name", "receipt", "room", "receipt", "post", "receipt", "end"],
  ]);
  const file = join(shell.directory, "ada.jsonl");
  const saved = await shell.run("name", "export", "--out", "ada.jsonl");
  expect(saved).toEqual({ status: 0, errors: "", printed: "6 lines are exported.\n" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lines(readFileSync(file, "utf8")).find(({ kind }) => kind === "post")?.body).toBe(
    "What shall I take along?",
  );
  const again = await shell.run("name", "export", "--out", "ada.jsonl");
  expect(again.status).toBe(1);
  expect(again.errors).toContain("ada.jsonl exists already");
});

test("an export that is cut off gets no name, and the command fails", async () => {
  const claimed = {
    name: "ada",
    created: "",
    key: newSecret(secret_prefixes.name_key, seededRandom(1)),
    recovery_code: "wfr_x",
    keep: "",
    use: "",
    receipt: "",
  };
  const cut = Bun.serve({
    port: 0,
    fetch: ({ method }) =>
      method === "POST"
        ? Response.json(claimed, { status: 201 })
        : new Response('{"kind":"name"}\n', { headers: { "content-type": "application/x-ndjson" } }),
  });
  const shell = newShell(cut.url.origin);
  expect((await shell.run("name", "claim", "ada")).status).toBe(0);
  const ended = await shell.run("name", "export", "--out", "ada.jsonl");
  expect(ended.status).toBe(1);
  expect(ended.errors).toContain("The export is cut off");
  for (const file of ["ada.jsonl", "ada.jsonl.partial"])
    expect(existsSync(join(shell.directory, file))).toBe(false);
  shell.remove();
  await cut.stop(true);
});
