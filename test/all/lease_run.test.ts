/** `wharf lease run`: what happens to the command when the lease is released, broken, or cannot be extended. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { newShell, type Shell } from "../support/shell.ts";
import { lacks } from "../support/programs.ts";
import { startBinary, type TestService } from "../support/service.ts";

const no_programs = lacks("commands that run while a lease is held", "sh", "sleep");

let service: Awaited<ReturnType<typeof startBinary>> & TestService;
let ada: Shell;
let bob: Shell;
let room: string;
let count = 0;

beforeAll(async () => {
  service = await startBinary();
  ada = newShell(service.url);
  bob = newShell(service.url);
  await ada.run("name", "claim", "ada");
  await bob.run("name", "claim", "bob");
});
beforeEach(async () => {
  room = (
    JSON.parse((await ada.run("open", `Runs ${++count}`, "--as", "host", "--json")).printed) as {
      slug: string;
    }
  ).slug;
});
afterAll(async () => {
  await service.stop();
  ada.remove();
  bob.remove();
});

const run = (shell: Shell, options: string[], ...command: string[]) =>
  shell.start("lease", "run", "src", "--room", room, ...options, "--", ...command);
const listed = async () => (await bob.run("lease", "list", "--room", room)).printed;
/** A command that says when it runs, and runs until it is ended. */
const endless = ["sh", "-c", "echo runs; exec sleep 1000"];

describe.skipIf(no_programs)("the command", () => {
  test("has the lease while it runs, and its status is the status", async () => {
    const script = 'echo "$WHARF_FENCE $WHARF_LEASE_PATHS"; exit 7';
    expect(await run(ada, [], "sh", "-c", script).ended).toEqual({
      printed: "1 src\n",
      errors: "",
      status: 7,
    });
    expect(await listed()).toBe("");
    expect(await run(ada, [], "no-such-program").ended).toMatchObject({ status: 2 });
    expect(await listed()).toBe("");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "gets %s, and the lease is released",
    async (signal) => {
      const running = run(ada, [], ...endless);
      await running.prints("runs");
      expect(await listed()).toContain("ada, until");
      running.process.kill(signal);
      const number = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 }[signal];
      expect(await running.ended).toEqual({ printed: "runs\n", errors: "", status: 128 + number });
      expect(await listed()).toBe("");
    },
  );

  test("a second one of the same path is refused, also of the same name, or waits", async () => {
    const first = run(ada, [], ...endless);
    await first.prints("runs");
    expect((await run(ada, [], "echo", "never").ended).status).toBe(5);
    expect((await run(bob, [], "echo", "never").ended).status).toBe(5);
    const waiting = run(bob, ["--wait", "600"], "echo", "at last");
    while (!(await listed()).includes("bob waits for")) await Bun.sleep(50);
    first.process.kill("SIGTERM");
    await first.ended;
    expect(await waiting.ended).toEqual({ printed: "at last\n", errors: "", status: 0 });
  });

  test("runs on while the lease is extended, and is ended with status 6 when the host breaks it", async () => {
    const running = run(ada, ["--ttl", "30"], ...endless);
    await running.prints("runs");
    const first = await listed();
    // It is extended after 10 s.
    while ((await listed()) === first) await Bun.sleep(200);
    await breakLease();
    const { status, errors } = await running.ended;
    expect([status, errors]).toEqual([6, expect.stringContaining("the lease is lost")]);
  });

  test("is ended with status 6 after its name was removed from a private room", async () => {
    const opened = await ada.run("open", "Runs", "--private", "--json");
    ({ slug: room } = JSON.parse(opened.printed) as { slug: string });
    await ada.run("members", "add", room, "bob");
    const running = run(bob, ["--ttl", "30"], ...endless);
    await running.prints("runs");
    await ada.run("members", "remove", room, "bob");
    // It sees that when it extends the lease after 10 s.
    expect(await running.ended).toMatchObject({
      errors:
        "wharf: the lease is lost: you are no longer a member of the room, or it was deleted. sh is ended.\n",
      status: 6,
    });
  });

  test("is ended with SIGKILL if it ignores SIGTERM", async () => {
    const running = run(
      ada,
      ["--ttl", "30"],
      "sh",
      "-c",
      "trap '' TERM; echo runs; while :; do sleep 1; done",
    );
    await running.prints("runs");
    await breakLease();
    expect((await running.ended).status).toBe(6);
  });

  test("that ends by itself after the lease was lost ends with status 6", async () => {
    const running = run(
      ada,
      ["--ttl", "600"],
      "sh",
      "-c",
      "echo runs; until [ -e over ]; do sleep 0.1; done",
    );
    await running.prints("runs");
    await breakLease();
    await Bun.write(`${ada.directory}/over`, "");
    const { status, errors } = await running.ended;
    expect([status, errors]).toEqual([6, "wharf: lease 1 was lost while sh ran.\n"]);
  });

  test("is ended before the lease ends if the service is away", async () => {
    const running = run(ada, ["--ttl", "30"], ...endless);
    await running.prints("runs");
    service.process.kill("SIGKILL");
    const { status, errors } = await running.ended;
    expect(status).toBe(6);
    expect(errors).toContain("the lease cannot be extended before it ends: ");
  });
});

/** Ends the lease as the host of the room. */
async function breakLease(): Promise<void> {
  const credentials = await Bun.file(`${ada.directory}/wharf/credentials.toml`).text();
  const key = Bun.TOML.parse(credentials) as { instances: Record<string, { rooms: Record<string, string> }> };
  const answer = await fetch(`${service.url}/api/meet/rooms/${room}/leases/break`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-meet-key": key.instances[service.url]!.rooms[room]! },
    body: JSON.stringify({ paths: ["src"] }),
  });
  expect(answer.status).toBe(200);
}
