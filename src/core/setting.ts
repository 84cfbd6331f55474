/** What a row of the table of settings is made of. */

import { count, isOn } from "./setting_values.ts";

interface Parse<Value> {
  (text: string): Value;
  /** The only values, if they are words of a list. */
  words?: readonly string[];
}

export interface Setting<Value> {
  /** The flag without dashes, and the key in the settings file. The variable is derived from it: WHARF_DATA_DIR for `data-dir`. */
  flag: string;
  /** The flag as one letter. */
  short?: string;
  /** The name of the flag's value in the help; null for a switch, which has no value. */
  value_name: string | null;
  description: string;
  default: Value;
  /** The default in documents, if different from the value. */
  default_shown?: string;
  /**
   * Set for a secret: it comes only from its variable, or from the file that the variable with `_FILE` at its end names. Command
   * lines and the settings file may be read by others.
   */
  secret?: true;
  /**
   * Set for a value with a password in it: the file that the variable with `_FILE` at its end names may hold it, too, and it is not
   * printed.
   */
  has_file?: true;
  /** Parses a value. Throws an `Error` whose message is the broken rule: "must be …". */
  parse: Parse<Value>;
}

/** A row of the table with the type of its value. */
export const setting = <Value>(row: Setting<Value>): Setting<Value> => row;

/** A limit for each address or name: a whole number above 0. */
export const quota = (flag: string, by_default: number, description: string): Setting<number> => ({
  flag,
  value_name: "count",
  description,
  default: by_default,
  parse: count,
});

/** A switch that is off unless its flag is given. */
export const switchedOn = (flag: string, description: string): Setting<boolean> =>
  setting({ flag, value_name: null, description, default: false, parse: isOn });

/** A switch that is on unless its flag is given. */
export const switchedOff = (flag: string, description: string): Setting<boolean> =>
  setting({ flag, value_name: null, description, default: true, parse: (text) => !isOn(text) });

/** The environment variable of a setting. For a secret, the one with `_FILE` at its end names a file with its value. */
export const variableOf = ({ flag }: Setting<unknown>): string =>
  `WHARF_${flag.toUpperCase().replaceAll("-", "_")}`;
