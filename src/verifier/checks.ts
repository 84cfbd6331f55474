/** A list of checks with their results. */

import type { Keys } from "./jws.ts";
import { readStatement, type Statement } from "./statement.ts";

/** One check and its result. */
export interface Check {
  what: string;
  holds: boolean;
  /** What was found, if the check failed. */
  found?: string;
}

/** Collects the results of checks. */
export class Checks {
  readonly all: Check[] = [];

  is(what: string, holds: boolean, found = "they differ"): void {
    this.all.push({ what, holds, ...(!holds && { found }) });
  }

  /** Checks a signature. Returns the signed statement, or null if the signature is not valid. Does nothing without keys. */
  async signed(what: string, jws: string, keys: Keys | null): Promise<Statement | null> {
    if (!keys) return null;
    try {
      const statement = await readStatement(jws, keys);
      this.is(what, true);
      return statement;
    } catch (error) {
      this.is(what, false, error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}
