/** Commands that wait: they continue after the service restarts, and end when nobody reads them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { room_limits } from "../../../src/api/limits.ts";
import { wharf_command } from "../../support/binary.ts";
import { freePort } from "../../support/free_port.ts";
import { started } from "../../support/leftovers.ts";
import { newDirectory, removeDirectory, startProgram } from "../../support/service.ts";
import { newShell, type Shell } from "../../support/shell.ts";

const data_dir = newDirectory();
let port: number;
let service: Awaited<ReturnType<typeof serve>>;
const serve = () => startProgram(wharf_command, { port, data_dir });
let ada: Shell;
let bob: Shell;
beforeAll(async () => {
  port = await freePort();
  service = await serve();
  [ada, bob] = [newShell(service.url), newShell(service.url)];
  await ada.run("name", "claim", "ada");
});
afterAll(async () => {
  await service.stop();
  for (const shell of [ada, bob]) shell.remove();
  removeDirectory(data_dir);
});

test("read --follow, inbox --follow, say --wait and inbox --wait continue after the service was killed", async () => {
  await ada.run("open", "Restarted");
  const following = ada.start("read", "restarted", "--follow");
  const notes = ada.start("inbox", "--follow");
  const note = ada.start("inbox", "--wait", "100");
  const answer = ada.start("say", "restarted", "Anybody?", "--wait", "100", "--json");
  await answer.prints('"body":"Anybody?"');
  await following.prints("Anybody?");
  await bob.run("say", "restarted", "One for @ada", "--as", "bob");
  const [first, first_note] = await Promise.all([answer.ended, note.ended]);
  expect([first.status, first.printed]).toEqual([0, expect.stringContaining("One for @ada")]);
  expect([first_note.status, first_note.printed]).toEqual([
    0,
    expect.stringContaining("room.mention by bob  restarted #2"),
  ]);
  await Promise.all([following.prints("One for @ada"), notes.prints("One for @ada")]);

  const second_answer = ada.start("say", "restarted", "Still there?", "--wait", "100", "--json");
  await second_answer.prints('"body":"Still there?"');
  service.process.kill("SIGKILL");
  await service.process.exited;
  service = await serve();
  await bob.run("say", "restarted", "Two for @ada", "--as", "bob");
  const second = await second_answer.ended;
  expect([second.status, second.printed]).toEqual([0, expect.stringContaining("Two for @ada")]);
  await Promise.all([following.prints("Two for @ada"), notes.prints("Two for @ada")]);

  await ada.run("close", "restarted", "--last-word", "Done.");
  const all = await following.ended;
  expect([all.status, all.errors]).toEqual([0, ""]);
  // Each post once, in order.
  expect(all.printed.match(/^#\d+/gm)).toEqual(["#1", "#2", "#3", "#4", "#5"]);
  expect(all.printed).toEndWith("The room is closed.\n");
  notes.process.kill();
});

test("ends with the status of SIGPIPE when its reader has ended", async () => {
  await ada.run("ask", "Piped?");
  const line = `{ ${wharf_command.join(" ")} read piped --follow; echo "status $?" >&2; } | head -1`;
  const child = Bun.spawn(["sh", "-c", line], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: ada.directory, WHARF_URL: service.url },
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toStartWith("piped  1 post");
  await bob.run("say", "piped", "One.", "--as", "bob");
  expect(await new Response(child.stderr).text()).toBe("status 141\n");
});

test("so does the reading of a slot", async () => {
  await ada.run("locker", "put", "piped", "A value.");
  // The pipe has no reader any more.
  const line = `mkfifo pipe; true <pipe & exec 3>pipe; wait; ${wharf_command.join(" ")} locker get piped >&3; echo "status $?" >&2`;
  const child = Bun.spawn(["sh", "-c", line], {
    cwd: ada.directory,
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: ada.directory, WHARF_URL: service.url },
    stdout: "ignore",
    stderr: "pipe",
  });
  started.push(child);
  expect(await new Response(child.stderr).text()).toBe("status 141\n");
});

test("a wait says that the room was closed, and not that its time is over", async () => {
  const waiting = ada.start("ask", "Closed soon?", "--wait", "100");
  await waiting.prints("closed-soon");
  expect((await ada.run("close", "closed-soon")).status).toBe(0);
  const { status, errors } = await waiting.ended;
  expect([status, errors]).toEqual([
    4,
    "wharf: the room is closed: nobody can answer. Your post #1 in closed-soon is stored.\n",
  ]);
});

test("a question that is refused opens no room, or says which is open without it", async () => {
  const long = await ada.run("ask", `Too long ${"x".repeat(room_limits.post_body_chars_max)}`);
  expect([long.status, long.errors]).toEqual([
    2,
    expect.stringMatching(/the question is 4009 characters long; at most 4000 fit/),
  ]);
  const hidden = await ada.run("ask", `${"Deep ".repeat(100)}\u202e?`);
  expect([hidden.status, hidden.errors]).toEqual([
    3,
    expect.stringContaining("is open, without the question: `wharf say"),
  ]);
  const { rooms } = (await (await fetch(`${service.url}/api/meet/rooms`)).json()) as {
    rooms: { goal: string }[];
  };
  expect(rooms.filter(({ goal }) => goal.startsWith("Too long"))).toEqual([]);
});

test("ends with status 4 if nobody answers in time", async () => {
  const { status, errors } = await bob.run("ask", "Nobody?", "--wait", "0");
  expect([status, errors]).toEqual([4, "wharf: nobody answered in 0 s. Your post #1 in nobody is stored.\n"]);
});
