/**
 * A client in another language, as a program of its own. It takes a JSON object with what is given to it, and then a line for
 * each thing to do: `call`, or `hour` for an hour that passes on its clock. It prints a JSON object for each: `name`, or `passed`. In
 * between it may print `open` with a page for the browser; then the next line has the address to which that has led.
 */

import { linesOf } from "../../../support/python.ts";
import type { SigningClient, StartClient } from "./scenario.ts";

interface Printed {
  open?: string;
  name?: string;
  passed?: true;
}

/** Starts the program with this command. */
export const startChild =
  (command: () => string[]): StartClient =>
  async ({ open, allow: _allow, ...given }): Promise<SigningClient> => {
    const child = Bun.spawn(command(), { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    const errors = new Response(child.stderr).text();
    const lines = linesOf(child.stdout);
    const send = async (line: string) => {
      void child.stdin.write(`${line}\n`);
      await child.stdin.flush();
    };
    /** Returns what it prints for a line, once the browser has been where it wanted. */
    async function done(line: string): Promise<Printed> {
      await send(line);
      for (;;) {
        const { value, done: ended } = await lines.next();
        if (ended) throw new Error(`The program has ended: ${await errors}`);
        const printed = JSON.parse(value) as Printed;
        if (printed.open === undefined) return printed;
        const led = await open(printed.open);
        await send(led.href);
      }
    }
    await send(JSON.stringify(given));
    return {
      nameOfLocker: async () => (await done("call")).name!,
      passHour: async () => void (await done("hour")),
      async close() {
        await child.stdin.end();
        if ((await child.exited) !== 0) throw new Error(`The program has failed: ${await errors}`);
      },
    };
  };
