/** Runs commands of packages as their users do, each with an empty home directory. */

import { join } from "node:path";

const modules = join(import.meta.dir, "../../node_modules");

/**
 * Runs a package's script in `home` until it ends. Its environment has only `PATH`. It runs on Bun: some of
 * them need a newer Node than a machine has.
 */
export async function command(script: string, args: string[], home: string) {
  const child = Bun.spawn([process.execPath, join(modules, script), ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}
