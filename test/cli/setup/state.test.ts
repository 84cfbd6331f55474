/** What `wharf setup` saves, and the words that run the program again. */

import { afterAll, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Wiring } from "../../../src/cli/setup/host.ts";
import { hostOf, setup_hosts } from "../../../src/cli/setup/hosts.ts";
import { ownCommand, shellLine } from "../../../src/cli/setup/own_command.ts";
import { spliced, spliceOf } from "../../../src/cli/setup/splice.ts";
import {
  lockSetup,
  readSetup,
  saveSetup,
  setupFile,
  type ChangedFile,
  type MadeChange,
  type SetupState,
} from "../../../src/cli/setup/state.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));
const terminal = { environment: { XDG_STATE_HOME: directory, PATH: process.env["PATH"] } };

/** No command runs, so there is nothing to say. */
const note = (text: string) => expect.unreachable(text);

test("knows no host that is not in the table", () => {
  expect(hostOf("constructor")).toBeUndefined();
});

test("every host has an id of its own, and changes of files in the home of its user", () => {
  const wiring: Wiring = {
    ...{ wharf: ["/bin/wharf"], url: "http://127.0.0.1:1", name: "ada-x", home: "/home/ada" },
    ...{ environment: {}, skill: "Skill" },
  };
  const ids = setup_hosts.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const files = setup_hosts.flatMap((host) => host.changes(wiring)).map(({ file }) => file);
  expect(files.filter((file) => !file.startsWith("/home/ada/"))).toEqual([]);
  expect(ids.map((id) => hostOf(id)?.id)).toEqual(ids);
});

test("returns what was saved, in a file for its owner alone", async () => {
  expect(readSetup(terminal)).toEqual({ hosts: {}, files: {}, folders: [] });
  const change: MadeChange = { host: "a", purpose: "skill", file: "/f", kind: "own_file", text: "x" };
  const file: ChangedFile = { changes: [change], before: null, after: "1", undo: null };
  const state: SetupState = {
    hosts: { a: { name: "ada-a", url: "http://127.0.0.1:1" } },
    files: { "/f": file },
    folders: ["/g"],
  };
  const unlock = await lockSetup({ terminal, note });
  saveSetup(terminal, state);
  unlock();
  expect(readSetup(terminal)).toEqual(state);
  expect((statSync(setupFile(terminal)).mode & 0o777).toString(8)).toBe("600");
});

test("names a file that it cannot read, and leaves it", async () => {
  const other = { environment: { XDG_STATE_HOME: join(directory, "other") } };
  (await lockSetup({ terminal: other, note }))();
  writeFileSync(setupFile(other), "{");
  expect(() => readSetup(other)).toThrow(`${setupFile(other)} cannot be read: `);
  expect(readFileSync(setupFile(other), "utf8")).toBe("{");
});

test("restores any file from any other one by their difference", () => {
  const bytes = fc.uint8Array({ max: 3, maxLength: 12 });
  fc.assert(
    fc.property(bytes, bytes, (from, to) => {
      expect([...spliced(from, spliceOf(from, to))]).toEqual([...to]);
    }),
    { numRuns: 500 },
  );
});

test("stores nothing of what both versions have", () => {
  const [from, to] = ['{"secret": 1}', '{"secret": 1, "wharf": {}}'].map((text) => Buffer.from(text));
  expect(spliceOf(to!, from!)).toEqual({ at: 12, length: 13, bytes: "" });
});

test("the words run this program", async () => {
  const words = ownCommand(terminal);
  const child = Bun.spawn(["sh", "-c", `${shellLine(words)} version`], { stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(shellLine(["a b", "it's", "--url", "http://127.0.0.1:1/x"])).toBe(
    `'a b' 'it'\\''s' --url http://127.0.0.1:1/x`,
  );
});
