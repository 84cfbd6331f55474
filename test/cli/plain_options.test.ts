/** The usual command lines of `wharf serve` mean the same with and without the parser of all command lines. */

import { describe, expect, test } from "bun:test";
import { readConfig } from "../../src/cli/configuration.ts";
import { plainOptions } from "../../src/cli/plain_options.ts";
import { program } from "../../src/cli/program.ts";
import { configFrom } from "../../src/cli/setting_options.ts";
import { withSettingsFile } from "../../src/cli/settings_file.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { setting_names, settings } from "../../src/core/settings.ts";

const terminalOf = (args: string[], environment = {}) =>
  ({ args, environment }) as Partial<Terminal> as Terminal;

/** The settings as the parser of all command lines reads them. */
async function parsed(args: string[], environment = {}): Promise<object> {
  const terminal = terminalOf(args, environment);
  const wharf = await program(terminal);
  const serve = wharf.commands.find((command) => command.name() === "serve")!;
  let config: object | undefined;
  serve.action((_options, command) => void (config = configFrom(command, terminal)));
  await wharf.parseAsync(["bun", "wharf", ...args]);
  return config!;
}

/** The settings as they are read without it; null if they are not. */
function plain(args: string[], environment = {}): object | null {
  const options = plainOptions(args);
  return options && readConfig(...withSettingsFile(options.flags, environment, options.config));
}

/** A value that the setting takes, as text. */
const values: Record<string, string> = {
  port: "8080",
  "data-dir": "./here",
  host: "::1",
  "round-seconds": "60",
};

describe("a plain command line means what the parser reads", () => {
  test.each([
    [[]],
    [["serve"]],
    [["serve", "--port", "0", "--no-rate-limit", "--data-dir", "/tmp/data"]],
    [["serve", "--port", "1", "--port", "2"]],
    [["serve", "--host", "0.0.0.0", "--base-url", "https://wharf.example"]],
  ])("%p", async (args) => {
    expect(plain(args)).toEqual(await parsed(args));
  });

  test.each(
    setting_names
      .map((name) => settings[name])
      .filter((row) => row.value_name === null || row.flag in values)
      .map(({ flag, value_name }) => ["serve", `--${flag}`, ...(value_name === null ? [] : [values[flag]!])])
      .map((words) => ({ words })),
  )("$words", async ({ words }) => {
    expect(plain(words)).toEqual(await parsed(words));
  });

  test("with variables, which flags override", async () => {
    const environment = { WHARF_PORT: "9000", WHARF_HOST: "::1" };
    const args = ["serve", "--port", "8080"];
    expect(plain(args, environment)).toEqual(await parsed(args, environment));
  });
});

test.each(
  [
    ["--help"],
    ["-p", "8080"],
    ["serve", "--help"],
    ["serve", "-p", "8080"],
    ["serve", "--port=8080"],
    ["serve", "--port"],
    ["serve", "--port", "--no-rate-limit"],
    ["serve", "--port", "-1"],
    ["serve", "--prot", "8080"],
    ["serve", "more"],
    ["serve", "--", "more"],
    ["serve", "--admin-token", "wfa_1"],
    ["--port", "8080"],
    ["backup"],
  ].map((words) => ({ words })),
)("$words is read by the parser of all command lines", ({ words }) => {
  expect(plainOptions(words)).toBeNull();
});

test("an empty value is refused in the same words", () => {
  expect(() => plain(["serve", "--port", ""])).toThrow("--port is empty: give it a value, or leave it out.");
});
