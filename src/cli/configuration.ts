/** Finds the value of every setting: a flag overrides the variable, which overrides the settings file, which overrides the default. */

import { readFileSync } from "node:fs";
import { messageOf, type LogFormat } from "../core/log.ts";
import { editDistance, nearestWord } from "../core/edit_distance.ts";
import { variableOf, type Setting } from "../core/setting.ts";
import type { Terminal } from "./terminal.ts";
import { setting_names, settings, UsageError, type Config, type SettingName } from "../core/settings.ts";

/** The text of a setting, and its source as the operator wrote it: `--port` or `-p`, `WHARF_PORT`, or the path of the file. */
interface Written {
  text: string;
  from: "flag" | "variable" | "file";
  at: string;
}

export type Texts = Partial<Record<SettingName, Written>>;

/** The value of a setting. `written` is null for the default. */
export interface Found {
  value: unknown;
  written: Written | null;
}

export type Environment = Record<string, string | undefined>;

/**
 * Returns the value and the source of every setting. A switch that is on has the text "true". Throws a `UsageError` that names
 * the flag, the variable or the key, and the broken rule.
 */
export function findSettings(
  flags: Texts,
  environment: Environment,
  file: Texts,
): Record<SettingName, Found> {
  unknownVariables(environment);
  const found = setting_names.map((name): [SettingName, Found] => {
    const row: Setting<unknown> = settings[name];
    const written = flags[name] ?? inEnvironment(row, environment) ?? file[name];
    return [name, written ? { value: parsed(row, written), written } : { value: row.default, written: null }];
  });
  return Object.fromEntries(found) as Record<SettingName, Found>;
}

/** Reads the configuration, as `findSettings` finds it. */
export const readConfig = (flags: Texts, environment: Environment, file: Texts = {}): Config =>
  Object.fromEntries(
    Object.entries(findSettings(flags, environment, file)).map(([name, { value }]) => [name, value]),
  ) as Config;

/** The form of the log: as it is set, else text for a person who reads it. */
export const logFormat = ({ log_format }: Config, { is_error_terminal }: Terminal): LogFormat =>
  log_format ?? (is_error_terminal ? "text" : "json");

function parsed(row: Setting<unknown>, { text, from, at }: Written): unknown {
  const as = from === "file" ? `${row.flag} in ${at}` : at;
  if (text === "") throw new UsageError(`${as} is empty: give it a value, or leave it out.`);
  try {
    return row.parse(text);
  } catch (error) {
    throw new UsageError(`${as} ${(error as Error).message}.`, { cause: error });
  }
}

function inEnvironment(row: Setting<unknown>, environment: Environment): Written | undefined {
  const variable = variableOf(row);
  const text = environment[variable];
  const path = (row.secret ?? row.has_file) && environment[`${variable}_FILE`];
  if (path === undefined) return text === undefined ? undefined : { text, from: "variable", at: variable };
  if (text !== undefined)
    throw new UsageError(`${variable} and ${variable}_FILE are both set: leave one out.`);
  return { text: secretIn(path, `${variable}_FILE`), from: "variable", at: `${variable}_FILE` };
}

function secretIn(path: string, variable: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new UsageError(`${variable} names a file that cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** The variable that names the settings file. */
export const file_variable = "WHARF_CONFIG";

const variables = [
  file_variable,
  ...setting_names.flatMap((name) => {
    const row: Setting<unknown> = settings[name];
    return (row.secret ?? row.has_file) ? [variableOf(row), `${variableOf(row)}_FILE`] : [variableOf(row)];
  }),
];

/**
 * The variables that begin with WHARF_ and are no settings. Throws a `UsageError` for one that resembles a setting. Others are
 * not refused, because they need not be ours: Kubernetes, for one, sets WHARF_SERVICE_HOST for a service that is called wharf.
 */
export function unknownVariables(environment: Environment): string[] {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith("WHARF_") && !variables.includes(name),
  );
  for (const name of unknown) {
    const nearest = nearestWord(name, variables)!;
    if (editDistance(name, nearest) > Math.min(2, (name.length - "WHARF_".length) / 3)) continue;
    throw new UsageError(`${name} is no setting. The nearest is ${nearest}.`);
  }
  return unknown;
}
