/** Installs the agent hosts from npm. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeed } from "../installed.ts";
import { agent_hosts } from "./agent_hosts.ts";

const directory = join(import.meta.dir, "../../../.hosts");
const fixtures = join(import.meta.dir, "../../fixtures/host_hooks");

/** Fetch the program of the package, which npm runs only if it is allowed to. */
const install_scripts = [
  "node_modules/@anthropic-ai/claude-code/install.cjs",
  "node_modules/opencode-ai/postinstall.mjs",
];

/** Installs the versions of the recorded calls, if they are not there yet. Returns the folder of their programs. */
export function installHosts(): string {
  const wanted = Object.keys(agent_hosts).map((name) => {
    const recorded = JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8")) as Record<
      string,
      string
    >;
    return `${recorded["package"]}@${recorded["version"]}`;
  });
  const installed = join(directory, "installed");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== wanted.join(" ")) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), "{}");
    succeed(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted], { cwd: directory });
    for (const script of install_scripts) {
      const file = join(directory, script);
      succeed(["node", file], { cwd: join(file, "..") });
    }
    writeFileSync(installed, wanted.join(" "));
  }
  return join(directory, "node_modules/.bin");
}
