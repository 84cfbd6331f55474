/** The blocks of commands in docs/operating.md run as they are written, from the first to the last, beside the service that they start. */

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { freePort } from "../support/free_port.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const document = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");
const blocks = Array.from(document.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block!);
const root = newDirectory();
afterAll(() => removeDirectory(root));

/** The block for the shell: at another port, services in the background, without the build, which was made before. */
function scriptOf(block: string, port: number): string {
  const lines = block.replaceAll("4273", String(port)).split("\n");
  return lines
    .filter((line) => !line.includes(" run build"))
    .map((line) =>
      /\bwharf serve\b/.test(line)
        ? `${line} >>serve.log 2>&1 & echo $! >serve.pid; wharf healthcheck --port ${port} --wait 20`
        : line,
    )
    .join("\n");
}

test("there are such blocks, and the first starts a service", () => {
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks[0]).toContain("dist/wharf serve");
});

const no_programs = lacks("the commands of docs/operating.md", "curl");

test.skipIf(no_programs)(
  "every command ends with status 0",
  async () => {
    for (const folder of ["bin", "dist"]) {
      mkdirSync(join(root, folder));
      symlinkSync(binary(), join(root, folder, "wharf"));
    }
    const port = await freePort();
    const env = { PATH: `${join(root, "bin")}:${process.env.PATH}`, HOME: root };
    try {
      for (const block of blocks) {
        const script = `set -e\n${scriptOf(block, port)}`;
        const run = Bun.spawn(["sh", "-c", script], { cwd: root, env, stdout: "pipe", stderr: "pipe" });
        const [status, said] = await Promise.all([run.exited, new Response(run.stderr).text()]);
        expect({ status, block: status === 0 ? "" : `${script}\n${said}` }).toEqual({ status: 0, block: "" });
      }
    } finally {
      const pid = readFileSync(join(root, "serve.pid"), "utf8").trim();
      const ended = Bun.spawnSync(["sh", "-c", `kill ${pid} && timeout 20 tail --pid=${pid} -f /dev/null`]);
      expect(ended.exitCode).toBe(0);
    }
  },
  120_000,
);
