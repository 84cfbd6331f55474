/** Who holds what, as `wharf read` shows it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { open, speak } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";

let service: SourceService;
let shell: Shell;
let grace: Holder;
beforeAll(async () => {
  service = await startSource();
  shell = newShell(service.url);
  grace = await claim(service.url, "grace");
});
afterAll(async () => {
  await service.stop();
  shell.remove();
});

test("wharf read shows it below the goal, and a program gets posts alone", async () => {
  const room = await open(service.url, "In the shell");
  await speak(room, "hello");
  const lease = { paths: ["src", "issue/1"], ttl_seconds: 600, purpose: "For\ntwo lines" };
  const { body } = await post<{ until: string }>(`${room.api}/leases`, lease, grace.pair);
  const until = body.until.slice(0, 16).replace("T", " ");
  const held = [
    `held by grace until ${until} UTC:`,
    "    issue/1",
    "    src",
    "  for:",
    "    For",
    "    two lines",
  ];
  for (const options of [[], ["--since", "1"]]) {
    const { status, printed } = await shell.run("read", room.slug, ...options);
    expect([status, printed]).toEqual([0, expect.stringContaining(held.join("\n"))]);
  }
  const { printed } = await shell.run("read", room.slug, "--json");
  const lines = printed.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { n?: number }).n)).toEqual([1]);
});

test("wharf read --follow shows each change; a program gets posts alone", async () => {
  const room = await open(service.url, "Following");
  const following = shell.start("read", room.slug, "--follow");
  const program = shell.start("read", room.slug, "--follow", "--json");
  while (service.open().streams < 2) await service.clock.turn();
  const lease = { paths: ["src"], ttl_seconds: 600 };
  const { body } = await post<{ fence: number }>(`${room.api}/leases`, lease, grace.pair);
  await following.prints("held by grace until");
  await post(`${room.api}/leases/release`, { fence: body.fence }, grace.pair);
  await following.prints("nothing is held.");
  await speak(room, "hello");
  await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key });
  expect((await following.ended).errors).toBe("");
  const { printed } = await program.ended;
  const kinds = printed
    .trimEnd()
    .split("\n")
    .map((line) => Object.keys(JSON.parse(line) as object)[0]);
  expect(kinds).toEqual(["id", "slug"]);
});
