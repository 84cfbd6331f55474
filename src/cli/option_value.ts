/** The values of options that are no settings. */

import { UsageError } from "../core/settings.ts";

/** The value of an option by its text. Throws a `UsageError` that names the option and says the rule that `parse` throws. */
export function optionValue<Value>(option: string, parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${option} ${(error as Error).message}.`, { cause: error });
  }
}
