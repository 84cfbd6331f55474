/** Who is calling, as far as anybody knows. */

import type { Budget } from "./errors.ts";

export interface Caller {
  /** The address that the call came from, behind whatever proxies the host trusts. */
  readonly address: string;
  /** What the caller's last act left of its tightest limit; a door may say it. */
  budget: Budget | null;
}

/** `address` is asked only when somebody wants to know: it costs a system call. */
export const callerFrom = (address: () => string): Caller => ({
  get address() {
    return address();
  },
  budget: null,
});
