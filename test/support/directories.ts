/** Data directories for tests: copies, hashes of everything in them, and starts that are to be refused. */

import { expect } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "./binary.ts";
import { flagsOf, type TestSettings } from "./service.ts";

/** The name of each file in `directory` with the hash of its bytes. */
export const fileHashes = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory)
      .sort()
      .map((name) => [name, Bun.SHA256.hash(readFileSync(join(directory, name)), "hex")]),
  );

/** Copies a directory, or those of its files that are named. */
export function copyDirectory(from: string, to: string, names?: string[]): void {
  for (const name of names ?? readdirSync(from))
    cpSync(join(from, name), join(to, name), { recursive: true });
}

/** Starts a binary that is to refuse; answers with what it says in its one line, and its status. */
export async function refusal(settings: TestSettings): Promise<{ status: number; says: string }> {
  const child = Bun.spawn([binary(), "serve", ...flagsOf(settings)], { stdout: "pipe", stderr: "pipe" });
  // A binary that serves after all says so: then it is ended, and its banner is what comes out.
  const banner = new Response(child.stdout.pipeThrough(endAfterLine(child))).text();
  const [out, says, status] = await Promise.all([banner, new Response(child.stderr).text(), child.exited]);
  expect(out).toBe("");
  expect(says).toMatch(/^wharf: .+\n$/);
  return { status, says: says.trim() };
}

const endAfterLine = (child: Bun.Subprocess) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      child.kill("SIGKILL");
    },
  });
