/** How commands wait. */

import { nothing_came_status, type ShellContext } from "./shell_command.ts";

/** How long `--wait` waits if it says no time. */
const wait_seconds_default = 300;
/** The longest wait of one call. */
export const call_wait_seconds_max = 50;

/** The option: `--wait` or `--wait 60`. */
export const wait_option = [
  "--wait [seconds]",
  `wait if there is nothing yet, ${wait_seconds_default} s if it says no time`,
] as const;

/** Its value: the seconds, or true without a time. */
export type Wait = number | true;

export const waitSeconds = (wait: Wait): number => (wait === true ? wait_seconds_default : wait);

/**
 * Runs `find` until it says whether something came, or why nothing can come any more; `signal` aborts when the time is over. If nothing came,
 * sets the status and says so: `in_vain`, how long it waited, and what the caller should know beside that.
 */
export async function waitFor(
  { terminal, nothing }: ShellContext,
  wait: Wait,
  in_vain: string,
  find: (signal: AbortSignal) => Promise<boolean | string>,
  beside = "",
): Promise<void> {
  const signal = AbortSignal.timeout(waitSeconds(wait) * 1000);
  const found = await find(signal).catch((error: unknown) => {
    if (signal.aborted) return false;
    throw error;
  });
  if (found === true) return;
  nothing(`${found || `${in_vain} in ${waitSeconds(wait)} s.`}${beside}`);
  terminal.setStatus(nothing_came_status);
}
