/** The settings file: TOML. Its keys are the flags of the settings without dashes in front. */

import { existsSync, readFileSync } from "node:fs";
import { messageOf } from "../core/log.ts";
import { nearestWord } from "../core/edit_distance.ts";
import type { Setting } from "../core/setting.ts";
import { setting_names, settings, UsageError, type SettingName } from "../core/settings.ts";
import { file_variable, type Environment, type Texts } from "./configuration.ts";

const keys = new Map<string, SettingName>(
  setting_names.filter((name) => !("secret" in settings[name])).map((name) => [settings[name].flag, name]),
);

/** The settings file that is read if none is named. */
export const usual_file = "wharf.toml";

/** Returns the sources of settings: flags, variables, and the file `named`, or else the one that exists. */
export function withSettingsFile(
  flags: Texts,
  environment: Environment,
  named: string | undefined,
): [Texts, Environment, Texts] {
  const path = named ?? environment[file_variable] ?? (existsSync(usual_file) ? usual_file : null);
  return [flags, environment, path === null ? {} : readSettingsFile(path)];
}

/** Reads the settings file at `path`. Throws a `UsageError` for a file that cannot be read, broken TOML, and unknown keys. */
export function readSettingsFile(path: string): Texts {
  const texts: Texts = {};
  for (const [key, value] of Object.entries(parse(textOf(path), path))) {
    const name = keys.get(key);
    if (name === undefined) throw unknownKey(key, path);
    texts[name] = { text: settingText(settings[name], value, path), from: "file", at: path };
  }
  return texts;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The settings file ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

function parse(text: string, path: string): object {
  try {
    return Bun.TOML.parse(text);
  } catch (error) {
    const message = (error as Error).message.replace(/^TOML Parse error: /, "");
    throw new UsageError(`${path}, line ${brokenLine(text)}: ${message}.`, { cause: error });
  }
}

/** The line where the first statement begins that cannot be parsed: the one after the longest beginning that can. */
function brokenLine(text: string): number {
  const lines = text.split("\n");
  const parses = (count: number): boolean => {
    try {
      Bun.TOML.parse(lines.slice(0, count).join("\n"));
      return true;
    } catch {
      return false;
    }
  };
  return lines.findLastIndex((_, count) => parses(count)) + 1;
}

function unknownKey(key: string, path: string): UsageError {
  const secret = setting_names.find((name) => settings[name].flag === key);
  return new UsageError(
    secret
      ? `${key} in ${path} is a secret, which the file must not hold. See 'wharf config --help'.`
      : `${key} in ${path} is no setting. The nearest is ${nearestWord(key, [...keys.keys()])}.`,
  );
}

const isText = (value: unknown): boolean => typeof value === "string" || Number.isSafeInteger(value);

/** The text of a value, as it would be in a flag. */
function settingText(row: Setting<unknown>, value: unknown, path: string): string {
  const [expected, fits] =
    row.value_name === null
      ? ["true or false", typeof value === "boolean"]
      : Array.isArray(row.default)
        ? ["a string or an array of strings", [value].flat().every(isText)]
        : ["a string or an integer", isText(value)];
  if (fits) return String(value);
  throw new UsageError(`${row.flag} in ${path} must be ${expected}, not ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return value instanceof Date ? "a date" : "a table";
  return typeof value === "number" ? `the number ${value}` : `a ${typeof value}`;
}
