/** The service of a user that starts an agent: what systemd and launchd read of it. */

import { afterAll, describe, expect, test } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { orThrow } from "../../../src/client/client.ts";
import { launchdAgent, serviceFile, serviceFolder, systemdUnit } from "../../../src/cli/setup/service.ts";
import { wharf_command } from "../../support/binary.ts";
import { clientOf } from "../../support/client.ts";
import { started } from "../../support/leftovers.ts";
import { claim } from "../../support/names.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";
import { agentHome, answering_agent, mentionIn } from "../../support/stand_in_hosts.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));

/** Folders whose names have what systemd and XML read as syntax. */
const awkward = join(root, `a b%h$HOME"q'\\n&<x>`);
const programs = join(root, "a b%h$HOME&<x>");
for (const folder of [awkward, programs]) mkdirSync(folder);
const program = join(programs, "wharf");
writeFileSync(program, "#!/bin/sh\n");
chmodSync(program, 0o755);

const wiring = {
  wharf: [program],
  url: "http://127.0.0.1:4273",
  name: "Ada B",
  home: join(root, "home"),
  skill: "",
  environment: {
    PATH: `${awkward}:/usr/bin`,
    XDG_STATE_HOME: join(root, "state"),
    WHARF_KEY: "wfk_secret",
    OPENAI_API_KEY: "sk-secret",
  },
};
const host = { id: "codex", title: "Codex" };
const watching = [
  ...[program, "watch", "--inbox", "--ack", "--debounce", "2", "--as", "Ada B"],
  ...["--url", "http://127.0.0.1:4273", "--", program, "wake", "start", "codex"],
];

/** The words of a setting, read as systemd.syntax(7) says. */
const wordsIn = (value: string): string[] =>
  Array.from(value.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, word]) =>
    word!.replaceAll("%%", "%").replace(/\\(.)/g, "$1"),
  );

/** The values of a setting of a unit. */
const settingsOf = (text: string, name: string): string[] =>
  Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value]) => value!);

describe("systemd", () => {
  const { file, text, enable, disable } = systemdUnit(wiring, host, awkward);
  const valuesOf = (name: string): string[] => settingsOf(text, name);

  test("gets the words of the watcher, the folder and where settings are, and no key", () => {
    expect(file).toBe(join(wiring.home, ".config/systemd/user/wharf-watch-codex.service"));
    const [command] = valuesOf("ExecStart");
    const [first, ...others] = wordsIn(command!);
    expect([first, ...others.map((word) => word.replaceAll("$$", "$"))]).toEqual(watching);
    expect(valuesOf("WorkingDirectory")).toEqual([awkward.replaceAll("%", "%%")]);
    expect(valuesOf("Environment").flatMap(wordsIn)).toEqual([
      `PATH=${awkward}:/usr/bin`,
      `XDG_STATE_HOME=${join(root, "state")}`,
    ]);
    expect(text).not.toMatch(/secret/);
    const unit = basename(file);
    expect([enable, disable]).toEqual([
      ["systemctl", "--user", "enable", "--now", unit],
      ["systemctl", "--user", "disable", "--now", unit],
    ]);
  });

  test.skipIf(lacks("the service of a user", "systemd-analyze"))("knows every line", async () => {
    const unit = join(root, basename(file));
    await Bun.write(unit, text);
    const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "--user", "verify", unit], {
      env: { ...process.env, XDG_RUNTIME_DIR: root },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  });

  test("gets no line break into a setting", () => {
    expect(() => systemdUnit(wiring, host, "/a\nExecStart=/bin/false")).toThrow("A service cannot be made");
  });

  test("runs no program whose path it refuses", () => {
    const quoted = { ...wiring, wharf: [join(awkward, "wharf")] };
    expect(() => systemdUnit(quoted, host, "/a")).toThrow("systemd runs no program whose path has quotes");
  });
});

test("launchd gets the same, marked as not tried", () => {
  const { file, text, enable } = launchdAgent(wiring, host, awkward);
  expect(file).toBe(join(wiring.home, "Library/LaunchAgents/wharf-watch-codex.plist"));
  expect(XMLValidator.validate(text)).toBe(true);
  const { plist } = new XMLParser({ parseTagValue: false }).parse(text) as {
    plist: { dict: { array: object; dict: object[] } };
  };
  expect(plist.dict.array).toEqual({ string: watching });
  expect(plist.dict.dict[0]).toMatchObject({ string: [`${awkward}:/usr/bin`, join(root, "state")] });
  expect(text).toContain(
    `<key>WorkingDirectory</key><string>${awkward.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}</string>`,
  );
  expect(text).toContain("not tried on a Mac");
  expect(text).not.toMatch(/secret/);
  expect(enable).toEqual(["launchctl", "load", "-w", file]);
});

test("an agent works in an empty folder of its own if its user names none", () => {
  expect(serviceFolder(wiring, host)).toBe(join(wiring.home, ".local/share/wharf/agents/codex"));
  expect(serviceFolder({ ...wiring, environment: { XDG_DATA_HOME: "/d" } }, host)).toBe(
    "/d/wharf/agents/codex",
  );
  expect(serviceFile(wiring, host, "/x").text).toContain("/x");
});

test("its watcher starts an agent in the folder, and ends in order with it at SIGTERM", async () => {
  const service = await startSource();
  const [ada, bob] = [await claim(service.url, "Ada"), await claim(service.url, "Bob")];
  const agent = agentHome(join(root, "ada"), service.url, ada);
  // It gets the signal, too, and ends when it is done.
  agent.program("codex", `trap "" TERM\n${answering_agent}\necho started`);
  const of_user = { url: service.url, name: ada.name, home: agent.home, environment: agent.environment };
  const { text } = systemdUnit({ ...wiring, ...of_user, wharf: [...wharf_command] }, host, programs);
  const words = wordsIn(settingsOf(text, "ExecStart")[0]!);
  const variables = settingsOf(text, "Environment").flatMap(wordsIn);
  const login = ["login", "--url", service.url, "--as", ada.name, "--key", "-"];
  const saved = Bun.spawn([...wharf_command, ...login], {
    env: agent.environment,
    stdin: new Blob([ada.key]),
  });
  expect(await saved.exited).toBe(0);
  const watcher = Bun.spawn(words, {
    cwd: settingsOf(text, "WorkingDirectory")[0]!.replaceAll("%%", "%"),
    env: { HOME: agent.home, ...Object.fromEntries(variables.map((one) => one.split("=", 2))) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  started.push(watcher);
  const room = await mentionIn(service.url, bob, ada.name);
  const reader = watcher.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("started\n");
  watcher.kill("SIGTERM");
  expect(await watcher.exited).toBe(0);
  expect(agent.recorded("folder")).toBe(`${programs}\n`);
  expect(agent.recorded("environment")).not.toContain("WHARF_KEY");
  const { posts } = await orThrow(clientOf(service.url).get("/api/meet/rooms/{room}", { path: { room } }));
  expect(posts.at(-1)).toMatchObject({ name: ada.name, claimed: true, body: "On it." });
  await service.stop();
});
