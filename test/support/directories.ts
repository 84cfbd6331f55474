/** Data directories for tests: copies, hashes of their files, and starts that the service must refuse. */

import { expect } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "./binary.ts";
import { flagsOf, type TestSettings } from "./service.ts";

/** The names of the files in `directory`, without its socket, which cannot be read. */
export const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isSocket())
    .map(({ name }) => name)
    .sort();

/** The name of each file in `directory` with the hash of its bytes. */
export const fileHashes = (directory: string): Record<string, string> =>
  Object.fromEntries(
    filesIn(directory).map((name) => [name, Bun.SHA256.hash(readFileSync(join(directory, name)), "hex")]),
  );

/** Copies a directory, or only the named files of it. */
export function copyDirectory(from: string, to: string, names?: string[]): void {
  for (const name of names ?? filesIn(from)) cpSync(join(from, name), join(to, name), { recursive: true });
}

/** Starts a binary that must refuse. Returns its one line of output and its exit status. */
export async function refusal(settings: TestSettings): Promise<{ status: number; says: string }> {
  const child = Bun.spawn([binary(), "serve", ...flagsOf(settings)], { stdout: "pipe", stderr: "pipe" });
  // If the binary serves after all, stop it: then the output is its banner.
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
