/**
 * Agents of Claude Code, Codex, Gemini CLI and opencode from npm, with scripted models: `wharf watch` starts one for each mention, it answers
 * and ends, while the watcher and the service are killed. WHARF_TEST_KILLS: how many mentions of each, with a kill after each.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quotedForShell } from "../../src/core/text_form.ts";
import { wharf_command } from "../support/binary.ts";
import { agent_hosts } from "../support/hosts/agent_hosts.ts";
import { installHosts } from "../support/hosts/install_hosts.ts";
import { startModel } from "../support/hosts/scripted_model.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { measured, recorded, runThroughKills } from "../support/wake_kills.ts";

const rounds = Number(process.env.WHARF_TEST_KILLS ?? 10);
const root = newDirectory();
afterAll(() => removeDirectory(root));
let programs: string;
beforeAll(() => void (programs = installHosts()));

describe.each(["claude", "codex", "gemini", "opencode"] as const)("%s", (name) => {
  test(`answers ${rounds} mentions, one run after the other`, async () => {
    const host = agent_hosts[name];
    const home = join(root, name);
    const rooms: string[] = [];
    let own = "";
    const forbidden = join(root, `${name}-wrote`);
    // It tries what it may not do, answers in the room that is new, and ends.
    const commands = () => [`touch ${forbidden}`, `wharf say ${rooms.at(-1)} 'On it.' ${own}`];
    const model = startModel(host.shell_tool, (results) => {
      const command = commands()[results.length];
      return command === undefined ? { text: "Done." } : host.run(command);
    });
    const course = await runThroughKills({
      root: home,
      rounds,
      kill_ms_max: 8_000,
      host: name,
      mentioned: (room) => void rooms.push(room),
      prepare({ home, environment, program }, ada, url) {
        own = `--as ${ada.name} --url ${url}`;
        host.settle(home, home, model.url);
        Object.assign(environment, host.environment(model.url), { XDG_CONFIG_HOME: join(home, "config") });
        // The shell of Codex is a login shell, which sets PATH anew, and gets no variable whose name has KEY in it.
        writeFileSync(join(home, ".profile"), `PATH=${environment["PATH"]}\n`);
        const login = ["login", "--url", url, "--as", ada.name, "--key", "-"];
        const { exitCode, stderr } = Bun.spawnSync([...wharf_command, ...login], {
          env: environment,
          stdin: new Blob([ada.key]),
        });
        if (exitCode !== 0) throw new Error(stderr.toString());
        delete environment["WHARF_KEY"];
        program(
          name,
          recorded(`${quotedForShell(join(programs, name))} "$@" >>"$HOME/host.log" 2>&1; status=$?`),
        );
      },
    });
    model.stop();
    expect(model.results.at(-1)).toMatch(/#\d+ in \S+, as Ada \*/);
    expect(course.answers).toBeGreaterThanOrEqual(rounds);
    // The sandbox of Codex lets commands write in temporary folders.
    if (name !== "codex") expect(existsSync(forbidden)).toBe(false);
    console.log(measured(course));
  }, 1_800_000);
});
