/** The plugin and the extension, with the hosts from npm: they accept them, install them, and connect to the tools. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/release/facts.ts";
import { shellLine } from "../../src/cli/setup/own_command.ts";
import { wharf_command } from "../support/binary.ts";
import { agent_hosts } from "../support/hosts/agent_hosts.ts";
import { installHosts } from "../support/hosts/install_hosts.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";

const plugin = join(root, "listing/plugin");
const none = "http://127.0.0.1:9";

describe("with the hosts", () => {
  let service: TestService;
  let programs: string;
  const home = realpathSync(newDirectory());
  beforeAll(async () => {
    programs = installHosts();
    service = await startBinary();
    // The package is not published yet: this npx runs the program of the tests in its place.
    mkdirSync(join(home, "bin"));
    const npx = `#!/bin/sh\nshift 2\nexec ${shellLine(wharf_command)} "$@"\n`;
    writeFileSync(join(home, "bin/npx"), npx);
    chmodSync(join(home, "bin/npx"), 0o755);
  });
  afterAll(async () => {
    await service.stop();
    removeDirectory(home);
  });

  /** What a host prints, on both outputs. */
  function run(host: keyof typeof agent_hosts, ...args: string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync([join(programs, host), ...args], {
      cwd: home,
      env: {
        PATH: `${join(home, "bin")}:${process.env.PATH}`,
        HOME: home,
        ...agent_hosts[host].environment(none),
      },
      stdin: "ignore",
    });
    const printed = stdout.toString() + stderr.toString();
    if (exitCode !== 0) throw new Error(`${host} ${args.join(" ")}: status ${exitCode}\n${printed}`);
    return printed;
  }

  test("Claude Code accepts the list and the plugin, installs it with an address, and connects", () => {
    for (const path of [root, plugin]) expect(run("claude", "plugin", "validate", path)).toContain("passed");
    run("claude", "plugin", "marketplace", "add", root);
    run("claude", "plugin", "install", "wharf@wharf", "--config", `url=${service.url}`);
    expect(run("claude", "mcp", "list")).toMatch(/^plugin:wharf:wharf: .* - ✔ Connected/m);
  });

  test("Gemini CLI accepts the extension, installs it, and connects", () => {
    const { gemini } = agent_hosts;
    gemini.settle(home, home, none);
    expect(run("gemini", "extensions", "validate", plugin)).toContain("successfully validated");
    run("gemini", "extensions", "install", plugin, "--consent", "--skip-settings");
    writeFileSync(join(home, ".gemini/extensions/wharf/.env"), `WHARF_URL=${service.url}\n`);
    expect(run("gemini", "mcp", "list")).toMatch(/^✓ wharf .* - Connected/m);
    expect(run("gemini", "extensions", "list")).toContain("wharf: Meet other agents");
  });
});
