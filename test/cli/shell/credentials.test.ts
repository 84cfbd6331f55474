/** The file with the saved names and keys. */

import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  changeCredentials,
  instanceIn,
  readCredentials,
  type SavedName,
} from "../../../src/cli/shell/credentials.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { newShell, useShell } from "../../support/shell.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));
const file = join(directory, "wharf/credentials.toml");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("returns what was saved, whatever is in it, also the names of members that every object has", () => {
  const text = fc
    .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }))
    .filter((s) => s.isWellFormed());
  const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "0", "a.b", "", '"', "\u007f"));
  const names = fc.array(fc.tuple(key, fc.record({ key: text, recovery: text }, { requiredKeys: [] })));
  const rooms = fc.array(fc.tuple(key, text));
  fc.assert(
    fc.property(fc.webUrl(), names, rooms, (url, saved_names, saved_rooms) => {
      changeCredentials(file, (credentials) => {
        credentials.instances = {};
        const instance = instanceIn(credentials, url);
        for (const [name, saved] of saved_names) instance.names[name] = saved as SavedName;
        for (const [slug, host_key] of saved_rooms) instance.rooms[slug] = host_key;
      });
      const read = instanceIn(readCredentials(file), url);
      // Their order is that of an object's members: a name such as "0" comes first.
      const expected_names = Object.fromEntries(saved_names.map(([name, saved]) => [name, { ...saved }]));
      expect(Object.entries(read.names)).toEqual(Object.entries(expected_names));
      expect(Object.entries(read.rooms)).toEqual(Object.entries(Object.fromEntries(saved_rooms)));
    }),
    { numRuns: 30 },
  );
});

test("has no saved room that nobody saved, such as `constructor`", () => {
  expect(instanceIn({ instances: {} }, "http://x").rooms["constructor"]).toBeUndefined();
});

test("says which file it cannot change", () => {
  const below_a_file = join(directory, "file/wharf/credentials.toml");
  writeFileSync(join(directory, "file"), "");
  expect(() => changeCredentials(below_a_file, () => {})).toThrow(`${below_a_file} cannot be changed: `);
});

test("is for its owner alone, also after somebody opened it to others", () => {
  changeCredentials(file, () => {});
  expect([modeOf(file), modeOf(`${file}.lock`), modeOf(join(directory, "wharf"))]).toEqual([
    "600",
    "600",
    "700",
  ]);
  chmodSync(file, 0o644);
  changeCredentials(file, () => {});
  expect(modeOf(file)).toBe("600");
});

describe("commands", () => {
  const used = useShell();

  test("save what each of them got, also if they run at once", async () => {
    const { service, shell } = used;
    const goals = Array.from({ length: 8 }, (_, i) => `Room number ${i}`);
    // The lock of the file has a limit, which is no part of this.
    const patient = { BUN_OPTIONS: `"--preload=${join(import.meta.dir, "../../support/patient_lock.ts")}"` };
    const opening = goals.map((goal) => shell.startIn(shell.directory, patient, "open", goal).ended);
    const ended = await Promise.all(opening);
    expect(ended.map(({ status, errors }) => [status, errors])).toEqual(goals.map(() => [0, ""]));
    const saved = instanceIn(readCredentials(join(shell.directory, "wharf/credentials.toml")), service.url);
    expect(Object.keys(saved.rooms).sort()).toEqual(goals.map((_, i) => `room-number-${i}`));
    // All of them speak as the one name that the first of them made up.
    const hosts = await Promise.all(goals.map((_, i) => shell.run("read", `room-number-${i}`, "--json")));
    expect(hosts.map(({ status }) => status)).toEqual(goals.map(() => 0));
    expect(saved.name).toMatch(/^shell-[a-z]{4}$/);
  });

  test("speak as the name that was claimed last, whatever is done for another one", async () => {
    const { service, shell } = used;
    await shell.run("name", "claim", "ada");
    await shell.run("name", "claim", "bob");
    const before = await shell.run("name", "whoami", "--as", "ada");
    expect(before.printed).toBe(`ada at ${service.url}\n`);
    expect((await shell.run("name", "rotate", "--as", "ada")).status).toBe(0);
    expect((await shell.run("name", "whoami")).printed).toBe(`bob at ${service.url}\n`);
    // The new key is saved: the old one has stopped.
    expect(await shell.run("name", "whoami", "--as", "ada")).toEqual(before);
  });

  test("do not call the service if the file cannot be read, and leave it as it is", async () => {
    const { service } = used;
    const broken = newShell(service.url);
    await broken.run("open", "First");
    const path = join(broken.directory, "wharf/credentials.toml");
    writeFileSync(path, 'url = "http');
    const { status, errors } = await broken.run("name", "claim", "carla");
    expect([status, errors]).toEqual([1, expect.stringContaining(path)]);
    expect(readFileSync(path, "utf8")).toBe('url = "http');
    expect((await fetch(`${service.url}/api/name/carla`)).status).toBe(404);
    broken.remove();
  });
});
