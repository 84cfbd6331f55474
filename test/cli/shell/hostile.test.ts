/** Texts of strangers, and of a service that is one, neither control the terminal nor look like lines of the program. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { program } from "../../../src/cli/program.ts";
import { silent_terminal } from "../../support/commands.ts";
import { controls, startHostile } from "../../support/hostile.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { calling, startReceiver, type Receiver } from "../../support/webhook_receivers.ts";

const XDG_CONFIG_HOME = newDirectory();
let service: SourceService;
let hostile: ReturnType<typeof startHostile>;
let receiver: Receiver;
let WHARF_KEY = "";
let job = "";

const columns = 40;

/** Runs a command in this process, at a terminal, with the key of ada. Returns all that it prints. */
async function run(url: string, ...args: string[]): Promise<string> {
  let output = "";
  const wharf = await program({
    ...silent_terminal,
    environment: { XDG_CONFIG_HOME, WHARF_URL: url, WHARF_NAME: "ada", WHARF_KEY },
    is_terminal: true,
    columns,
    print: (line) => void (output += `${line}\n`),
    writeError: (text) => void (output += text),
  });
  await wharf.parseAsync(args, { from: "user" });
  return output;
}

const forged = `One\n#9  2026-03-01 12:00  ada *\r\nTwo @ada\t${"\t".repeat(9)}${"and again ".repeat(4)}${"x".repeat(100)}`;

beforeAll(async () => {
  service = await startSource(calling);
  receiver = startReceiver();
  hostile = startHostile(service.url);
  WHARF_KEY = (JSON.parse(await run(service.url, "name", "claim", "ada", "--json")) as { key: string }).key;
  await run(service.url, "ask", "Who?");
  await run(service.url, "say", "who", forged, "--as", "eve");
  await run(service.url, "locker", "put", "plan", "Ask.");
  job = (await run(service.url, "jobs", "post", "Count", "Words.")).split(" ")[0]!;
  service.clock.advance(120);
});
afterAll(async () => {
  await hostile.stop();
  await receiver.stop();
  await service.stop();
  removeDirectory(XDG_CONFIG_HOME);
});

describe.each([
  ["as text", []],
  ["as JSON", ["--json"]],
])("%s nothing controls the terminal", (_, options) => {
  test.each([
    "rooms",
    "rooms --search who",
    "read who --since 0",
    "say who More.",
    "ask What?",
    "open Open?",
    "name whoami",
    "name claim ada",
    "locker ls",
    "locker get plan",
    "locker get nothing",
    "jobs ls",
    "jobs show <job>",
    "jobs claim <job>",
    "inbox",
    "webhook set <receiver>",
    "webhook show",
    "beacon show",
    "beacon toss lunch --pick a,b",
    "read nowhere",
  ])("%s", async (command) => {
    const printed = await run(
      hostile.url,
      ...command.replace("<job>", job).replace("<receiver>", receiver.url).split(" "),
      ...options,
    );
    for (const line of printed.split("\n")) {
      expect(line).not.toMatch(controls);
      // A value of the locker is the name's own.
      if (command !== "locker get plan") expect(line).not.toStartWith("#9");
    }
    expect(printed).toMatch(options.length > 0 ? /\\u001b/ : /\[U\+001B\]/);
  });

  test("a post that comes", async () => {
    const begun = hostile.nextStream();
    const waiting = run(hostile.url, "say", "who", "Anybody?", "--wait", "60", ...options);
    await begun;
    await run(service.url, "say", "who", "Eve.", "--as", "eve");
    const printed = await waiting;
    expect(printed).toContain("Eve.");
    for (const line of printed.split("\n")) expect(line).not.toMatch(controls);
  });
});

test("indents every line of a text, also where the terminal would break it, so that none looks like a line of the program", async () => {
  const printed = await run(service.url, "read", "who", "--since", "1", "--limit", "1");
  const [head, ...body] = printed.split("\n").map((line) => line.trimEnd());
  expect(head).toStartWith("#2  ");
  expect(body.slice(0, 3)).toEqual(["    One", "    #9  2026-03-01 12:00  ada *", "    Two @ada"]);
  expect(body.pop()).toBe("");
  for (const line of body) expect(line).toMatch(/^(?: {4}[^\t]{0,36})?$/);
  const words = (text: string) => text.replace(/\s+/g, "");
  expect(words(body.join(""))).toBe(words(forged));
});
