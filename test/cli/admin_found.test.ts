/** Commands of admins print what they found before what they did, so that a mistyped target is noticed. Texts of strangers in it are escaped. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { runHere } from "../support/commands.ts";
import { post, send } from "../support/http.ts";
import { postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  ada = await claim(service.url, "Ada");
});
afterAll(() => service.stop());

const admin = (command: string, ...args: string[]) =>
  runHere({}, "admin", command, ...args, "--reason", "because", "--data-dir", service.directory);
/** The lines that a command prints, which ends with status 0. */
async function lines(command: string, ...args: string[]): Promise<string[]> {
  const { printed, errors, status } = await admin(command, ...args);
  expect([errors, status]).toEqual(["", 0]);
  return printed.trimEnd().split("\n");
}
const open = async (goal: string, name = "x") =>
  (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal, name })).body;
const say = async (room: OpenedRoom, name: string, body = "Spam.") =>
  (await post<Post>(`${room.api}/posts`, { name, body })).body;
const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

test("a post is shown with its number, room, author, time and state", async () => {
  const room = await open("Probe it");
  const { id } = await say(room, "x");
  const found = (state: string) =>
    expect.stringMatching(
      new RegExp(String.raw`^Found: post 1 of probe-it, by "x" \(without a key\), ${time}, ${state}\.$`),
    );
  expect(await lines("hide", id)).toEqual([found("visible"), "Post 1 of probe-it is hidden."]);
  expect(await lines("restore", id)).toEqual([found("hidden"), "Post 1 of probe-it is visible."]);
  expect(await lines("erase", id)).toEqual([found("visible"), "Post 1 of probe-it is erased."]);
  expect((await lines("erase", id))[0]).toEqual(found("erased"));
});

test("a room is shown with its host and its goal", async () => {
  const room = await open("A plan for\nThe room nowhere is closed.", 'ev"e');
  const head = (state: string) =>
    expect.stringMatching(
      new RegExp(
        String.raw`^Found: the ${state} room ${room.slug}, opened by "ev\\"e" \(without a key\), ${time}, with 0 posts\. Its goal:$`,
      ),
    );
  const goal = ["> A plan for", "> The room nowhere is closed."];
  expect(await lines("close", room.slug)).toEqual([
    head("open"),
    ...goal,
    `The room ${room.slug} is closed.`,
  ]);
  expect(await lines("reopen", room.slug)).toEqual([
    head("closed"),
    ...goal,
    `The room ${room.slug} is open.`,
  ]);
  expect((await lines("delete-room", room.slug)).slice(0, 3)).toEqual([head("open"), ...goal]);
  expect(await lines("delete-room", room.slug)).toEqual([
    `Found: the room ${room.slug}, which was deleted before.`,
    `The room ${room.slug} is deleted already.`,
  ]);
});

test("a ban of a name that nobody has used says so, and bans it", async () => {
  const unseen = 'Found: the name "Evve", which nobody has claimed, none of the latest posts is under it';
  const check = "Nobody was seen with it: check its spelling.";
  expect(await lines("ban", "Evve")).toEqual([`${unseen}. ${check}`, "The name Evve is suspended."]);
  expect(await lines("unban", "Evve")).toEqual([
    `${unseen}, suspended. ${check}`,
    "The name Evve is not suspended.",
  ]);
  await say(await open("Evening"), "EVE");
  const [found] = await lines("ban", "eve");
  expect(found).toMatch(
    new RegExp(`^Found: the name "eve", which nobody has claimed, latest post ${time}\\.$`),
  );
  expect((await lines("reserve", "ada"))[0]).toMatch(
    new RegExp(`^Found: the name "Ada", claimed ${time}, none of the latest posts is under it\\.$`),
  );
  expect((await lines("unreserve", "ada"))[0]).toEndWith("reserved.");
  expect((await admin("ban", "evve", "--json")).printed).toContain(
    '"found":{"claimed_at":null,"last_post":null}',
  );
});

test("a ban of a network says whether it was banned, and whether somebody there has a call open", async () => {
  const unseen = " Addresses of earlier calls are not stored: check it against your log.";
  expect((await lines("ban", "192.0.2.7/24"))[0]).toBe(
    `Found: 192.0.2.0/24, not banned, with no open waits or streams from it.${unseen}`,
  );
  expect((await lines("ban", "192.0.2.7/24"))[0]).toMatch(
    new RegExp(`^Found: 192.0.2.0/24, banned since ${time} \\("because"\\), with no open`),
  );
  expect((await lines("unban", "192.0.2.0/24"))[0]).toMatch(
    new RegExp(`^Found: 192.0.2.0/24, banned since ${time} \\("because"\\)\\.$`),
  );
  const room = await open("Stream");
  // Loopback is a trusted proxy, and cannot be banned itself.
  const headers = { "x-forwarded-for": "198.51.100.9", accept: "text/event-stream" };
  const stream = await fetch(`${room.api}/stream`, { headers });
  expect(stream.status).toBe(200);
  expect((await lines("ban", "198.51.100.0/24"))[0]).toBe(
    "Found: 198.51.100.0/24, not banned, with 1 open wait or stream from it.",
  );
  await stream.body!.cancel();
});

test("slots, jobs, reports, tokens and invitations are shown", async () => {
  const headers = { "x-wf-name": ada.name, "x-wf-key": ada.key, "content-type": "application/json" };
  const slot = JSON.stringify({ value: "An address", public: true });
  await send("PUT", `${service.url}/api/locker/plan`, headers, slot);
  expect((await lines("remove-slot", "Ada", "plan"))[0]).toMatch(
    new RegExp(`^Found: the slot "plan" of "Ada", public, 10 bytes, of ${time}\\.$`),
  );
  const job = await postJob(service.url, ada, { title: "Found: nothing", detail: "All." });
  const withdrawn = await lines("withdraw-job", job.id);
  expect(withdrawn[0]).toMatch(
    new RegExp(`^Found: the job ${job.id}, open, posted by "Ada", ${time}\\. Its title:$`),
  );
  expect(withdrawn[1]).toBe("> Found: nothing");
  const room = await open("Reported");
  const { id } = await say(room, "x");
  await post(`${room.api}/posts/${id}/report`, { reason: "spam" });
  expect((await lines("reports", "--dismiss", id))[0]).toMatch(
    new RegExp(`^Found: post 1 of reported, by "x" \\(without a key\\), ${time}, reported 1 time\\.$`),
  );
  await runHere({}, "admin", "token", "--label", "grace", "--data-dir", service.directory);
  await runHere({}, "admin", "invite", "--uses", "5", "--data-dir", service.directory);
  const idIn = async (list: string) =>
    (await runHere({}, "admin", list, "--data-dir", service.directory)).printed.split(" ")[0]!;
  const [token, invite] = [await idIn("tokens"), await idIn("invites")];
  // A repeated revocation says that it is one.
  for (const before of ["", `, revoked before at ${time}`]) {
    expect((await lines("revoke-token", token))[0]).toMatch(
      new RegExp(`^Found: the token of "grace", scope moderate, made ${time}${before}\\.$`),
    );
    expect((await lines("revoke-invite", invite))[0]).toMatch(
      new RegExp(String.raw`^Found: the invitation \S+, made ${time}, \d of 5 left${before}\.$`),
    );
  }
});
