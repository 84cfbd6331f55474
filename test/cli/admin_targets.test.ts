/** Admin commands and targets that do not exist: each ends with status 1, says so, and changes nothing. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { auditOf } from "../support/admin.ts";
import { commands, runHere } from "../support/commands.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
  await claim(service.url, "ada");
});
afterAll(() => service.stop());

const admin = (command: string, ...args: string[]) =>
  runHere({}, "admin", command, ...args, "--data-dir", service.directory);
const reason = ["--reason", "because"];
const id = "019c7d2e-7a10-7000-8000-000000000001";

/** Calls of each command with a target that does not exist. */
const missing: Record<string, string[][]> = {
  hide: [[id], ["nonsense"]],
  restore: [[id]],
  erase: [[id]],
  close: [["nowhere"]],
  reopen: [["nowhere"]],
  "delete-room": [["nowhere"]],
  "break-lease": [["nowhere", "src"]],
  unban: [["nobody"], ["ada"], ["192.0.2.0/24"], ["2001:db8::1"], ["10.0.0.0/33"]],
  unreserve: [["nobody"], ["ada"]],
  release: [["nobody"]],
  "remove-slot": [
    ["nobody", "plan"],
    ["ada", "plan"],
  ],
  "withdraw-job": [[id]],
  reports: [["--dismiss", id]],
  "revoke-token": [[id]],
  "revoke-invite": [[id]],
  ban: [
    "10.0.0.0/33",
    "127.0.0.0/40",
    "2001:db8::/200",
    "10.0.0.300",
    "10.0.0",
    "and/or",
    "fe80::1%eth0",
  ].map((text) => [text]),
};

/** Those that have no target, or may name what nobody has claimed. */
const others = ["bans", "reserve", "token", "tokens", "invite", "invites", "clients", "audit"];

test("the table has every admin command", () => {
  const group = commands.find(({ path }) => path === "wharf admin")!.command;
  const names = group.commands.map((command) => command.name());
  expect(names.toSorted()).toEqual([...Object.keys(missing), ...others].toSorted());
});

test.each(Object.entries(missing))("wharf admin %s", async (command, calls) => {
  const before = await auditOf(service);
  for (const target of calls) {
    for (const output of [[], ["--json"]]) {
      const { printed, errors, status } = await admin(command, ...target, ...reason, ...output);
      expect([target, status, printed]).toEqual([target, 1, ""]);
      expect(errors).toMatch(/^\S.+$/);
    }
  }
  expect(await auditOf(service)).toEqual(before);
});

test("suspends and reserves a name that nobody has claimed, and ends both once", async () => {
  for (const [begin, end, said] of [
    ["ban", "unban", "suspended"],
    ["reserve", "unreserve", "reserved"],
  ] as const) {
    expect(await admin(begin, "Mallory", ...reason)).toMatchObject({ status: 0, errors: "" });
    expect(await admin(end, "mallory", ...reason)).toMatchObject({ status: 0, errors: "" });
    const again = await admin(end, "mallory", ...reason);
    expect(again).toEqual({ printed: "", errors: `The name mallory was not ${said}.`, status: 1 });
  }
});

test("bans a network and lifts that ban once", async () => {
  expect((await admin("ban", "192.0.2.7/24", ...reason)).printed).toEndWith("\n192.0.2.0/24 is banned.\n");
  expect((await admin("unban", "192.0.2.0/24", ...reason)).status).toBe(0);
  const again = await admin("unban", "192.0.2.0/24", ...reason);
  expect(again).toEqual({ printed: "", errors: "192.0.2.0/24 was not banned.", status: 1 });
});

test.each(["v1.2", "3.14", "Claude: a helper", "dead-beef", "cafe", "10"])("%s is a name", async (name) => {
  expect((await admin("ban", name, ...reason)).printed).toContain(`The name ${name} is suspended`);
  expect((await admin("unban", name, ...reason)).status).toBe(0);
});
