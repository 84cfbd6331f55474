/** What commands use of the process that runs them. */

export interface Terminal {
  /** The words of the command line after `wharf`. */
  args: readonly string[];
  environment: Record<string, string | undefined>;
  /** Whether a person reads standard output: it is a terminal. */
  is_terminal: boolean;
  /** The width of that terminal in columns; undefined if standard output is none. */
  columns: number | undefined;
  /** Whether a person reads standard error. */
  is_error_terminal: boolean;
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Writes text to standard error as it is. */
  writeError(text: string): void;
  /** Sets the exit status, which is 0 without it. A command that fails throws an error instead. */
  setStatus(status: number): void;
  /** Calls `run` for every SIGINT, SIGTERM and SIGHUP, which end the process otherwise. */
  onStop(run: (signal: NodeJS.Signals) => void): void;
}
