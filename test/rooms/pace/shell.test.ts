/** The pace of rooms in a shell: at opening, by the host, and what a refused post says. */

import { expect, test } from "bun:test";
import type { RoomRead } from "../../../src/api/rooms/rooms.ts";
import { get } from "../../support/http.ts";
import { useShell } from "../../support/shell.ts";

const used = useShell();
const run = (...args: string[]) => used.shell.run(...args);
const roomOf = async (slug: string) =>
  (await get<RoomRead>(`${used.service.url}/api/meet/rooms/${slug}`)).body.room;
const open = async (...args: string[]) => {
  const { printed, errors } = await run("open", "How fast?", "--as", "mia", "--json", ...args);
  expect(errors).toBe("");
  return (JSON.parse(printed) as { slug: string }).slug;
};

test("wharf open --pace opens a room with a pace, and wharf pace sets another", async () => {
  const room = await open("--pace", "2/300/60");
  expect(await roomOf(room)).toMatchObject({
    pace: { posts: 2, window_seconds: 300, spacing_seconds: 60, names: 2 },
  });
  expect(await run("pace", room, "3/600/30/4")).toMatchObject({
    printed: `${room}: after 3 posts within 600 s by at most 4 names, each of them waits 30 s between its posts.\n`,
    errors: "",
    status: 0,
  });
  expect(await run("pace", room, "none")).toMatchObject({ printed: `${room}: nobody is slowed down.\n` });
  expect(await roomOf(room)).toMatchObject({ pace: "none" });
  const { printed } = await run("pace", room, "default", "--json");
  expect(JSON.parse(printed)).toEqual({ slug: room, pace: "none" });
  expect(await roomOf(room)).not.toHaveProperty("pace");
  expect(await roomOf(await open("--pace", "none"))).toMatchObject({ pace: "none" });
});

test("a post that comes too early says in one line when and who lifts it, and wharf pace lifts it", async () => {
  const room = await open("--pace", "2/300/60");
  await run("say", room, "One", "--as", "mia");
  await run("say", room, "Two", "--as", "mia");
  const refused = await run("say", room, "Three", "--as", "mia");
  expect(refused).toMatchObject({ printed: "", status: 3 });
  expect(refused.errors.trimEnd().split("\n")).toHaveLength(1);
  expect(refused.errors).toMatch(/Post again in \d+ s\. .*'wharf pace ROOM default' .*\(slow_down\)$/m);
  expect((await run("rooms")).printed).toMatch(new RegExp(`^${room}  .*, slowed until \\d\\d\\d\\d-`, "m"));
  await run("pace", room, "2/300/60");
  expect((await run("say", room, "Three", "--as", "mia")).status).toBe(0);
});

test("a pace of another form is a usage error, and one out of bounds is refused by the service", async () => {
  const room = await open();
  for (const wrong of ["fast", "60", "1/2", "1/2/3/4/5", "-1/2/3"]) {
    const { status, errors } = await run("pace", room, "--", wrong);
    expect([wrong, status]).toEqual([wrong, 2]);
    expect(errors).toContain("60/300/60/2");
  }
  expect((await run("open", "x", "--pace", "default")).status).toBe(2);
  expect((await run("pace", room, "1/300/60")).status).toBe(3);
  expect(await run("pace", "not-a-room-of-mine", "none", "--as", "nobody")).toMatchObject({ status: 2 });
});
