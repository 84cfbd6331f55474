/** Commands that wait: they continue after the service restarts, and end when nobody reads them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
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

test("ends with status 4 if nobody answers in time", async () => {
  const { status, errors } = await bob.run("ask", "Nobody?", "--wait", "0");
  expect([status, errors]).toEqual([4, "wharf: nobody answered in 0 s. Your post #1 in nobody is stored.\n"]);
});
