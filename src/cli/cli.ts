/** Runs the command line, and ends with its errors. */

import { prepareWriter } from "../app/writer.ts";
import { explained } from "../core/log.ts";
import { UsageError } from "../core/settings.ts";
import { revealDeceptive } from "../core/text.ts";
import { plainOptions } from "./plain_options.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs the command line `argv`. Prints an error as one line on standard error and exits with status 2 for a usage error,
 * 1 for any other error.
 */
export async function run(argv: string[]): Promise<void> {
  const terminal: Terminal = {
    args: argv.slice(2),
    environment: process.env,
    is_terminal: process.stdout.isTTY,
    columns: process.stdout.columns,
    is_error_terminal: process.stderr.isTTY,
    print: (line) => void process.stdout.write(`${line}\n`),
    writeError: (text) => void process.stderr.write(text),
    async ask(question) {
      if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
      process.stderr.write(question);
      for await (const line of console) return line;
      return "";
    },
    setStatus: (status) => (process.exitCode = status),
    onStop(run) {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, run);
    },
  };
  // When its reader ends, such as head(1), so does a command, as by SIGPIPE. The service needs no reader.
  const endIfReaderEnded = (error: unknown) => {
    if ((error as { code?: unknown } | null)?.code === "EPIPE") process.exit(128 + 13);
  };
  const endWithReader = (error: Error) => {
    endIfReaderEnded(error);
    console.error(`wharf: Standard output cannot be written: ${explained(error)}`);
    process.exit(1);
  };
  process.stdout.on("error", endWithReader);
  const needNoReader = () => process.stdout.off("error", endWithReader).on("error", () => {});
  try {
    const options = plainOptions(terminal.args);
    if (options) {
      needNoReader();
      prepareWriter();
      await (await import("./serving.ts")).serveWith(options, terminal);
      return;
    }
    const { runProgram } = await import("./program.ts");
    await runProgram(argv, terminal, needNoReader);
  } catch (error) {
    // Other writers of standard output throw it.
    endIfReaderEnded(error);
    // It may quote what another machine answered, which must not control the terminal.
    console.error(`wharf: ${revealDeceptive(explained(error))}`);
    await new Promise<void>((resolve) => void process.stdout.write("", () => resolve()));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
