/** Settings: where their values come from, what is refused, and what `wharf config` and the documents say of them. */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setting_rows, settings_document, written_rows } from "../../scripts/settings_table.ts";
import { findSettings, readConfig, unknownVariables } from "../../src/cli/configuration.ts";
import { readSettingsFile } from "../../src/cli/settings_file.ts";
import { duration } from "../../src/core/setting_values.ts";
import { variableOf, type Setting } from "../../src/core/setting.ts";
import { setting_names, settings, UsageError, type SettingName } from "../../src/core/settings.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

/** The path of a new settings file. */
let files = 0;
function file(text: string): string {
  const path = join(directory, `${++files}.toml`);
  writeFileSync(path, text);
  return path;
}

const secrets = setting_names.filter((name) => "secret" in settings[name]);

test("docs/operating.md has a row for each setting, generated from the table of settings", async () => {
  const [table] = written_rows.exec(await Bun.file(settings_document).text())!;
  const cells = table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  expect(cells).toEqual(setting_rows);
});

test("a flag overrides the variable, which overrides the file, which overrides the default", () => {
  const in_file = readSettingsFile(file(`port = 3\nhost = "::1"\nlog-level = "warn"`));
  const environment = { WHARF_PORT: "2", WHARF_HOST: "127.0.0.2" };
  const found = findSettings({ port: { text: "1", from: "flag", at: "-p" } }, environment, in_file);
  expect(found).toMatchObject({
    port: { value: 1, written: { from: "flag", at: "-p" } },
    host: { value: "127.0.0.2", written: { from: "variable", at: "WHARF_HOST" } },
    log_level: { value: "warn", written: { from: "file", at: expect.stringMatching(/\/\d+\.toml$/) } },
    data_dir: { value: "./wharf-data", written: null },
  });
});

/** For each setting two texts of values that differ from its default. */
const samples: Partial<Record<SettingName, string>> = {
  database: "postgres://wharf@db.example/wharf",
  database_listen: "postgres://wharf@direct.example/wharf",
  port: "4000",
  host: "::1",
  base_url: "https://wharf.example",
  allowed_hosts: "wharf.lan",
  allowed_origins: "https://app.example",
  trusted_proxies: "10.0.0.0/8",
  fetch_allow: "10.1.0.0/16",
  webhook_unchecked_hosts: "hooks.example",
  round_seconds: "30",
  log_level: "warn",
  log_format: "text",
  access_log: "short",
  metrics_listen: "[::1]:9473",
  contact: "harbour@wharf.example",
  read: "members",
  speak: "claimed",
  claims: "invite",
};
const quotas = setting_names.filter((name) => name.includes("_by_") || name.includes("_per_"));
for (const name of quotas) samples[name] = "7";

test("a value means the same as a flag, as a variable and in the file", () => {
  for (const name of setting_names.filter((name) => !secrets.includes(name))) {
    const row: Setting<unknown> = settings[name];
    const text = row.value_name === null ? "true" : (samples[name] ?? sampleOf(row));
    const written = /^(?:true|\d+)$/.test(text) ? text : JSON.stringify(text);
    const configs = [
      readConfig({ [name]: { text, from: "flag", at: "-x" } }, {}),
      readConfig({}, { [variableOf(row)]: text }),
      readConfig({}, {}, readSettingsFile(file(`${row.flag} = ${written}`))),
    ];
    expect(configs[1]).toEqual(configs[0]!);
    expect(configs[2]).toEqual(configs[0]!);
    expect([name, configs[0]![name]]).not.toEqual([name, row.default]);
  }
});

/** A text that a setting accepts: of a size, a length of time, permissions, or any text. */
function sampleOf(row: Setting<unknown>): string {
  const accepted = ["9GB", "9h", "9", "600", "https://sample.example", "9/9/9/9", "sample"].find((text) => {
    try {
      row.parse(text);
      return true;
    } catch {
      return false;
    }
  });
  if (accepted === undefined) throw new Error(`${row.flag} needs a sample in this test`);
  return accepted;
}

test("the error for an empty setting names its flag or variable as it was written", () => {
  for (const name of setting_names) {
    const variable = variableOf(settings[name]);
    expect(() => readConfig({ [name]: { text: "", from: "flag", at: "-x" } }, {})).toThrow(
      new UsageError("-x is empty: give it a value, or leave it out."),
    );
    expect(() => readConfig({}, { [variable]: "" })).toThrow(
      new UsageError(`${variable} is empty: give it a value, or leave it out.`),
    );
  }
});

describe("variables", () => {
  test.each([
    ["WHARF_PORT", "70000", "WHARF_PORT must be a whole number from 0 to 65535."],
    ["WHARF_HOST", "nonsense", "WHARF_HOST must be an IP address such as"],
    ["WHARF_NO_RATE_LIMIT", "maybe", "WHARF_NO_RATE_LIMIT must be true or false."],
  ])("the error for %s=%s names the variable and its rule", (name, text, sentence) => {
    expect(() => readConfig({}, { [name]: text })).toThrow(sentence);
  });

  test.each([
    ["WHARF_PROT", "WHARF_PORT"],
    ["WHARF_DATADIR", "WHARF_DATA_DIR"],
    ["WHARF_LOG_LEVL", "WHARF_LOG_LEVEL"],
    ["WHARF_ADMIN_TOKEN_FIEL", "WHARF_ADMIN_TOKEN_FILE"],
  ])("refuses %s, which resembles %s", (name, nearest) => {
    expect(() => readConfig({}, { [name]: "1" })).toThrow(
      new UsageError(`${name} is no setting. The nearest is ${nearest}.`),
    );
  });

  test("ignores variables that resemble no setting, and returns their names", () => {
    const foreign = { WHARF_SERVICE_HOST: "10.0.0.1", WHARF_PORT_4273_TCP: "x", WHARF_TEST_SEED: "1" };
    expect(unknownVariables({ ...foreign, WHARF_PORT: "0", PATH: "" })).toEqual(Object.keys(foreign));
  });
});

describe("secrets", () => {
  const token_file = join(directory, "token");
  writeFileSync(token_file, "wfa_from_a_file\n");

  test("come from their variable, or from the file that it names", () => {
    expect(readConfig({}, { WHARF_ADMIN_TOKEN: "wfa_1" }).admin_token).toBe("wfa_1");
    expect(readConfig({}, { WHARF_ADMIN_TOKEN_FILE: token_file }).admin_token).toBe("wfa_from_a_file");
  });

  test("are refused if they have two values, no file, or are in the settings file", () => {
    expect(() => readConfig({}, { WHARF_ADMIN_TOKEN: "x", WHARF_ADMIN_TOKEN_FILE: token_file })).toThrow(
      "WHARF_ADMIN_TOKEN and WHARF_ADMIN_TOKEN_FILE are both set",
    );
    expect(() => readConfig({}, { WHARF_ADMIN_TOKEN_FILE: join(directory, "none") })).toThrow(
      "WHARF_ADMIN_TOKEN_FILE names a file that cannot be read: there is no ",
    );
    expect(() => readSettingsFile(file(`admin-token = "wfa_1"`))).toThrow("is a secret");
  });
});

describe("the settings file", () => {
  test.each([
    [`prot = 1`, "prot in FILE is no setting. The nearest is port."],
    [`data_dir = "x"`, "data_dir in FILE is no setting. The nearest is data-dir."],
    [`[serve]\nport = 1`, "serve in FILE is no setting. The nearest is "],
    [`port = true`, "port in FILE must be a string or an integer, not a boolean."],
    [`port = 1.5`, "port in FILE must be a string or an integer, not the number 1.5."],
    [`port = [1]`, "port in FILE must be a string or an integer, not an array."],
    [`[port]\na = 1`, "port in FILE must be a string or an integer, not a table."],
    [`no-rate-limit = "true"`, "no-rate-limit in FILE must be true or false, not a string."],
    [
      `allowed-host = 1.5`,
      "allowed-host in FILE must be a string or an array of strings, not the number 1.5.",
    ],
    [`port = 70000`, "port in FILE must be a whole number from 0 to 65535."],
    [`port = ""`, "port in FILE is empty: give it a value, or leave it out."],
    [`port = 1\n\nport = 2`, "FILE, line 3: Cannot redefine key 'port'."],
    [`port = 1\nhost =\nlog-level = "info"`, "FILE, line 2: "],
  ])("refuses %j", (text, sentence) => {
    const path = file(text);
    expect(() => readConfig({}, {}, readSettingsFile(path))).toThrow(sentence.replace("FILE", path));
  });

  test("is refused if it cannot be read", () => {
    expect(() => readSettingsFile(join(directory, "none.toml"))).toThrow(" cannot be read: there is no ");
  });

  test("takes arrays for settings with several values, and false for a switch", () => {
    const path = file(`allowed-host = ["a.lan", "b.lan"]\nno-rate-limit = false`);
    const config = readConfig({}, {}, readSettingsFile(path));
    expect(config).toMatchObject({ allowed_hosts: ["a.lan", "b.lan"], rate_limit: true });
  });
});

test("a length of time has a unit, and is in seconds", () => {
  expect(["90s", "30m", "6h", "7d", "0"].map(duration)).toEqual([90, 1_800, 21_600, 604_800, 0]);
  for (const wrong of ["6", "h", "-1h", "1.5h", "1 h", "6H"])
    expect(() => duration(wrong)).toThrow("such as 90s");
});
