/** Reads the usual command lines of `wharf serve` without the parser of all command lines, which takes longer to load than to run. */

import type { Setting } from "../core/setting.ts";
import { setting_names, settings } from "../core/settings.ts";
import type { Texts } from "./configuration.ts";

/** The options of `wharf serve`. */
export interface ServeOptions {
  flags: Texts;
  /** The settings file that is named. */
  config: string | undefined;
}

const names = new Map(setting_names.map((name) => [`--${settings[name].flag}`, name]));

/**
 * Reads the words after `wharf` if they are `serve` or nothing, then flags by their whole names, each with its value as the next
 * word. Returns null for any other command line, also for one with an error: the parser of all command lines reads it.
 */
export function plainOptions([word, ...rest]: readonly string[]): ServeOptions | null {
  if (word !== undefined && word !== "serve") return null;
  const options: ServeOptions = { flags: {}, config: undefined };
  for (let i = 0; i < rest.length; i++) {
    const at = rest[i]!;
    const name = names.get(at);
    const row: Setting<unknown> | undefined = name && settings[name];
    if (row?.secret || (!row && at !== "--config")) return null;
    if (row?.value_name === null) {
      options.flags[name!] = { text: "true", from: "flag", at };
      continue;
    }
    const text = rest[++i];
    if (text === undefined || text.startsWith("-")) return null;
    if (row) options.flags[name!] = { text, from: "flag", at };
    else options.config = text;
  }
  return options;
}
