/** Private rooms in a shell: opening one, its members, and what those see who are none. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Ended, type Shell } from "../../support/shell.ts";

let service: SourceService;
let ada: Shell;
let bob: Shell;
let carl: Shell;
/** Has claimed no name. */
let stranger: Shell;
beforeAll(async () => {
  service = await startSource();
  const newOne = () => newShell(service.url);
  [ada, bob, carl, stranger] = [newOne(), newOne(), newOne(), newOne()];
  await Promise.all(
    Object.entries({ Ada: ada, bob, carl }).map(([name, shell]) => shell.run("name", "claim", name)),
  );
});
afterAll(async () => {
  await service.stop();
  for (const shell of [ada, bob, carl, stranger]) shell.remove();
});

const done = { errors: "", status: 0 };
const open = async (...members: string[]): Promise<string> => {
  const { printed } = await ada.run("open", "Plan the release", "--private", "--json");
  const { slug, visibility } = JSON.parse(printed) as { slug: string; visibility: string };
  expect(visibility).toBe("private");
  if (members.length > 0) expect(await ada.run("members", "add", slug, ...members)).toMatchObject(done);
  return slug;
};
/** The answers of a command with --json. */
const answersOf = ({ printed }: Ended) =>
  printed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("wharf open --private opens a room that only its members read and speak in", async () => {
  const slug = await open();
  const missing = await bob.run("read", "private--k3f7q2mzvx5a6hd4tn7w2rjcpe");
  expect(missing).toMatchObject({ printed: "", status: 3 });
  expect(missing.errors).toMatch(/^wharf: There is no room .*--as <name>\..* \(room_not_found\)\n$/);
  for (const shell of [bob, stranger]) {
    expect(await shell.run("read", slug)).toEqual(missing);
    expect(await shell.run("say", slug, "Hello.")).toEqual(missing);
    expect(await shell.run("read", slug, "--follow")).toEqual(missing);
    expect(await shell.run("lease", "list", "--room", slug)).toEqual(missing);
  }
  expect(await ada.run("members", "add", slug, "bob")).toEqual({
    printed: `bob is added to ${slug} as a member.\n`,
    ...done,
  });
  expect(await ada.run("say", slug, "Who begins?")).toMatchObject(done);
  const read = await bob.run("read", slug);
  expect(read).toMatchObject(done);
  expect(read.printed).toMatch(
    new RegExp(
      `^${slug}  private, 1 post, last .*\\n    Plan the release\\n#1 .* Ada \\*\\n    Who begins\\?\\n$`,
    ),
  );
  expect((await bob.run("say", slug, "I do.")).printed).toBe(`#2 in ${slug}, as bob *\n`);
  expect(await carl.run("read", slug)).toEqual(missing);
});

test("say --add-members makes those members whom a host mentions, who find a note", async () => {
  const slug = await open("carl");
  expect(await carl.run("say", slug, "Come, @bob.", "--add-members")).toMatchObject({
    errors: expect.stringMatching(/--add-members.* \(host_key_required\)\n$/) as string,
    status: 3,
  });
  await bob.run("inbox", "--ack");
  expect((await ada.run("say", slug, "Come, @bob.", "--add-members")).printed).toBe(
    `#1 in ${slug}, as Ada *\n`,
  );
  const notes = await bob.run("inbox", "--ack");
  expect(notes).toMatchObject(done);
  expect(notes.printed).toMatch(
    new RegExp(
      `^• \\d+ {2}.{16} {2}room\\.added by Ada {2}${slug}\\n {2}as member\\n` +
        `• \\d+ {2}.{16} {2}room\\.mention by Ada {2}${slug} #1\\n {4}Come, @bob\\.\\n$`,
    ),
  );
  expect((await bob.run("say", slug, "Here I am.")).status).toBe(0);
});

test("rooms --private lists and searches one's own private rooms, with the role", async () => {
  const slug = await open();
  await ada.run("say", slug, "The quokka sleeps.");
  await ada.run("members", "add", slug, "carl", "--role", "reader");
  expect((await ada.run("rooms")).printed).not.toContain(slug);
  const lines = (role: string) =>
    new RegExp(`^${slug}  private, your role ${role}, 1 post, last .{16}\\n    Plan the release\\n`, "m");
  expect((await ada.run("rooms", "--private")).printed).toMatch(lines("host"));
  expect((await carl.run("rooms", "--private")).printed).toMatch(lines("reader"));
  const found = await carl.run("rooms", "--private", "--search", "quokka");
  expect(found).toMatchObject(done);
  expect(found.printed).toMatch(lines("reader"));
  expect(found.printed).toEndWith("  #1:\n    The quokka sleeps.\n");
  const nothing = { printed: "", status: 0 };
  expect(await bob.run("rooms", "--search", "quokka")).toEqual({
    ...nothing,
    errors: "wharf: no room has these words.\n",
  });
  expect(await carl.run("rooms", "--private", "--closed")).toEqual({
    ...nothing,
    errors: "wharf: no private room of yours is closed.\n",
  });
  await ada.run("close", slug);
  expect((await carl.run("rooms", "--private", "--closed")).printed).toContain(`${slug}  closed, private, `);
  expect(await stranger.run("rooms", "--private")).toMatchObject({ printed: "", status: 2 });
});

test("wharf open --private needs the key of a claimed name, and says how to claim one", async () => {
  const refused = await stranger.run("open", "Plan the release", "--private");
  expect(refused).toMatchObject({ printed: "", status: 2 });
  expect(refused.errors).toContain("'wharf name claim NAME' claims a name");
  expect(await ada.run("open", "Plan the release", "--private", "--unlisted")).toMatchObject({
    printed: "",
    errors: expect.stringContaining("--private") as string,
    status: 2,
  });
});

test("lists the members with their roles, hosts first, and changes a role", async () => {
  const slug = await open("carl", "bob");
  const lines = /^Ada {2}host, since .{16}\nbob {2}member, since .{16}\ncarl {2}member, since .{16}\n$/;
  expect((await bob.run("members", "list", slug)).printed).toMatch(lines);
  expect(await ada.run("members", "add", slug, "bob", "--role", "reader")).toEqual({
    printed: `bob is a reader of ${slug}.\n`,
    ...done,
  });
  expect(answersOf(await bob.run("members", "list", `${service.url}/meet/r/${slug}`, "--json"))).toEqual(
    (["Ada host", "carl member", "bob reader"] as const).map((one) => {
      const [name, role] = one.split(" ");
      return { name, role, since: expect.any(String) as unknown };
    }),
  );
  const refused = await bob.run("say", slug, "Hello.");
  expect(refused).toMatchObject({ printed: "", status: 3 });
  expect(refused.errors).toMatch(/'wharf members list ROOM'.* \(readers_only_read\)\n$/);
  expect((await ada.run("members", "add", slug, "bob", "--role", "guest")).status).toBe(2);
});

test("adds and removes each of several names, says which it could not, and ends with status 3 then", async () => {
  const slug = await open();
  const added = await ada.run("members", "add", slug, "bob", "nobody-claimed-this", "carl");
  expect(added.printed).toBe(`bob is added to ${slug} as a member.\ncarl is added to ${slug} as a member.\n`);
  expect(added.errors).toMatch(
    /^wharf: nobody-claimed-this: Nobody has claimed that name\..* \(member_not_claimed\)\n$/,
  );
  expect(added.status).toBe(3);
  const removed = await ada.run("members", "remove", slug, "bob", "dora", "carl", "--json");
  expect(removed).toMatchObject({ errors: "", status: 3 });
  expect(answersOf(removed)).toMatchObject([
    { removed: true },
    { code: "member_not_found" },
    { removed: true },
  ]);
  expect((await ada.run("members", "list", slug)).printed).toMatch(/^Ada {2}host, since .*\n$/);
  // The room refuses them all for the same reason: that is said once.
  const refused = await bob.run("members", "add", slug, "bob", "carl");
  expect(refused).toMatchObject({ printed: "", status: 3 });
  expect(refused.errors).toMatch(/^wharf: There is no room .* \(room_not_found\)\n$/);
});

test("the saved host key of a room is used by a name that is no host", async () => {
  const slug = await open("carl");
  await ada.run("name", "claim", "Ada-two");
  expect((await ada.run("members", "add", slug, "bob", "--as", "Ada-two")).printed).toBe(
    `bob is added to ${slug} as a member.\n`,
  );
  expect(await ada.run("members", "remove", slug, "carl", "--as", "nobody")).toEqual({
    printed: `carl is removed from ${slug}.\n`,
    ...done,
  });
  // It makes nobody a member.
  expect((await ada.run("read", slug, "--as", "Ada-two")).errors).toContain("(room_not_found)");
  const no_key = await stranger.run("members", "add", slug, "bob");
  expect(no_key).toMatchObject({ printed: "", status: 2 });
  expect(no_key.errors).toContain("only its host adds members");
  await ada.run("login", "--as", "Ada");
});

test("leave ends one's own membership, and the last host stays", async () => {
  const slug = await open("bob");
  expect(await bob.run("leave", slug)).toEqual({ printed: `bob has left ${slug}.\n`, ...done });
  expect((await bob.run("read", slug)).errors).toContain("(room_not_found)");
  expect((await bob.run("leave", slug)).errors).toContain("(room_not_found)");
  const last = await ada.run("leave", slug);
  expect(last).toMatchObject({ printed: "", status: 3 });
  expect(last.errors).toMatch(/'wharf members add ROOM NAME --role host'.* \(last_host\)\n$/);
  await ada.run("members", "add", slug, "carl", "--role", "host");
  expect(answersOf(await ada.run("leave", slug, "--json"))).toEqual([{ removed: true }]);
  expect((await carl.run("members", "list", slug)).printed).toMatch(/^carl {2}host, since .*\n$/);
  expect((await stranger.run("leave", slug)).status).toBe(2);
});

test("a room that is not private has no members, and says how to open one that has", async () => {
  await ada.run("open", "For everybody", "--as", "Ada");
  for (const words of [["list"], ["add", "bob"]]) {
    const [command, ...names] = words as [string, ...string[]];
    const refused = await ada.run("members", command, "for-everybody", ...names);
    expect(refused).toMatchObject({ printed: "", status: 3 });
    expect(refused.errors).toMatch(/'wharf open GOAL --private'.* \(not_private\)\n$/);
  }
});
