/** The exit status of commands that run another program. */

import { constants } from "node:os";

/** The status of a shell after a program that this signal has ended. */
export const statusOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** The status of a program that has ended, or that of the signal that ended it. */
export const exitStatusOf = ({
  exitCode,
  signalCode,
}: Pick<Bun.Subprocess, "exitCode" | "signalCode">): number =>
  signalCode === null ? exitCode! : statusOf(signalCode as NodeJS.Signals);
