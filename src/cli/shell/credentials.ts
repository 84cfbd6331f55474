/** The saved names and keys of the command line: one file for all instances, readable by its owner alone. */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { messageOf, withReason } from "../../core/log.ts";
import type { Terminal } from "../terminal.ts";
import { changeFile } from "./locked_file.ts";

export interface SavedName {
  /** Absent after it was revoked. */
  key?: string;
  recovery?: string;
}

/** The saved names and keys of an instance. */
export interface SavedInstance {
  /** The name that speaks if none is given: a claimed one, or the one that was made up. */
  name?: string;
  /** Claimed names, by the name. */
  names: Record<string, SavedName>;
  /** Host keys of open rooms, by slug. */
  rooms: Record<string, string>;
}

export interface Credentials {
  /** The instance that is used if none is given. */
  url?: string;
  /** By address. */
  instances: Record<string, SavedInstance>;
}

/** How long another command may use the file. */
const lock_wait_ms = 5_000;

/** The path of the file (XDG Base Directory Specification). */
export const credentialsFile = ({
  environment: { XDG_CONFIG_HOME },
}: Pick<Terminal, "environment">): string =>
  join(XDG_CONFIG_HOME || join(homedir(), ".config"), "wharf/credentials.toml");

/** Reads the file. Throws a user-facing error if it is not one of ours. */
export function readCredentials(file: string): Credentials {
  if (!existsSync(file)) return { instances: {} };
  const text = textOf(file);
  try {
    const { url, instances = {} } = Bun.TOML.parse(text) as Partial<Credentials>;
    const complete = Object.entries(instances).map(([address, saved]) => [address, savedInstance(saved)]);
    return { ...(url !== undefined && { url }), instances: Object.fromEntries(complete) };
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}. Mend it, or move it away.`, {
      cause: error,
    });
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw withReason(`${file} cannot be read`, error);
  }
}

/** The saved entry of the instance at `url`. It is added if absent. */
export const instanceIn = ({ instances }: Credentials, url: string): SavedInstance =>
  (instances[url] ??= savedInstance({}));

function savedInstance({ names, rooms, ...instance }: Partial<SavedInstance>): SavedInstance {
  // Without a prototype: a room may be called `constructor`.
  const plain = <Value>(values: Record<string, Value> = {}): Record<string, Value> =>
    Object.assign(Object.create(null), values);
  return { ...instance, names: plain(names), rooms: plain(rooms) };
}

/** Changes the file, while no other command does. Throws a user-facing error if it cannot be changed. */
export function changeCredentials(file: string, change: (credentials: Credentials) => void): void {
  changeFile(file, lock_wait_ms, (write) => {
    const credentials = readCredentials(file);
    change(credentials);
    write(tomlOf(credentials));
  });
}

/** Strings and keys of TOML have the escapes of JSON, and one for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

function tomlOf({ url, instances }: Credentials): string {
  const pairs = (values: Record<string, string | undefined>): string[] =>
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [`${quoted(key)} = ${quoted(value)}`],
    );
  const lines = ["# Keys of claimed names. They are as good as passwords.", ...pairs({ url })];
  for (const [address, { name, names, rooms }] of Object.entries(instances)) {
    const table = `instances.${quoted(address)}`;
    lines.push("", `[${table}]`, ...pairs({ name }));
    for (const [claimed, { key, recovery }] of Object.entries(names)) {
      lines.push("", `[${table}.names.${quoted(claimed)}]`, ...pairs({ key, recovery }));
    }
    if (Object.keys(rooms).length > 0) lines.push("", `[${table}.rooms]`, ...pairs(rooms));
  }
  return `${lines.join("\n")}\n`;
}
