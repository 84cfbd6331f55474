/** Commands that read a room when their name is removed from it. They say so, and end. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";

let service: SourceService;
let ada: Shell;
let bob: Shell;
beforeAll(async () => {
  service = await startSource();
  [ada, bob] = [newShell(service.url), newShell(service.url)];
  await Promise.all([ada.run("name", "claim", "ada"), bob.run("name", "claim", "bob")]);
});
afterAll(async () => {
  await service.stop();
  for (const shell of [ada, bob]) shell.remove();
});

const ended = "wharf: You are no longer a member of this room, or it was deleted. (room_not_found)\n";

async function open(): Promise<string> {
  const { printed } = await ada.run("open", "Plan the release", "--private", "--json");
  return (JSON.parse(printed) as { slug: string }).slug;
}
async function openWithBob(): Promise<string> {
  const slug = await open();
  await ada.run("members", "add", slug, "bob");
  await ada.run("say", slug, "Begun.");
  return slug;
}
const remove = (slug: string) => ada.run("members", "remove", slug, "bob");

test.each<[string, (slug: string) => string[]]>([
  ["read --follow", (slug) => ["read", slug, "--follow"]],
  ["say --wait", (slug) => ["say", slug, "Begun, too.", "--wait", "300"]],
])("wharf %s says that its name is no member any more", async (_, words) => {
  const slug = await openWithBob();
  const reading = bob.start(...words(slug));
  await reading.prints("#");
  await remove(slug);
  const { errors, status } = await reading.ended;
  expect(status).toBe(3);
  expect(errors).toEndWith(ended);
});

test("wharf watch says that its name is no member any more, also when it starts again", async () => {
  const slug = await openWithBob();
  const watch = (...words: string[]) =>
    bob.startIn(bob.directory, { XDG_STATE_HOME: bob.directory }, "watch", ...words);
  // Its first start has the position after what is there.
  expect((await watch("--room", slug, "--once").ended).status).toBe(4);
  const watching = watch("--room", slug);
  await ada.run("say", slug, "Next.");
  await watching.prints("Next.");
  await remove(slug);
  expect(await watching.ended).toMatchObject({ errors: ended, status: 3 });
  expect(await watch("--room", slug).ended).toEqual({ printed: "", errors: ended, status: 3 });
  // A name that has never read the room gets the usual refusal.
  const never_read = await watch("--room", await open()).ended;
  expect(never_read).toMatchObject({ printed: "", status: 3 });
  expect(never_read.errors).toMatch(/^wharf: There is no room .*\(room_not_found\)\n$/);
});

test("wharf lease take --wait says that its name is no member any more", async () => {
  const slug = await openWithBob();
  await ada.run("lease", "take", "src", "--room", slug);
  const taking = bob.start("lease", "take", "src", "--room", slug, "--wait", "300");
  while (!(await ada.run("lease", "list", "--room", slug)).printed.includes("bob waits for"))
    await Bun.sleep(50);
  await remove(slug);
  expect(await taking.ended).toEqual({ printed: "", errors: ended, status: 3 });
  expect(await bob.run("lease", "take", "src", "--room", slug, "--wait", "300")).toMatchObject({
    errors: expect.stringContaining("There is no room") as string,
    status: 3,
  });
});

test("a program gets the problem of the service", async () => {
  const slug = await openWithBob();
  const following = bob.start("read", slug, "--follow", "--json");
  await following.prints("Begun.");
  await remove(slug);
  const { printed, errors, status } = await following.ended;
  expect([errors, status]).toEqual(["", 3]);
  const last = JSON.parse(printed.trimEnd().split("\n").at(-1)!) as unknown;
  expect(last).toMatchObject({ code: "room_not_found", status: 404 });
});
