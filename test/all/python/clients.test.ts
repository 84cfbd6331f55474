/** The official Python client, 1.x and 2.x, against the compiled binary. Each version is installed in a folder of its own. */

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../../support/free_port.ts";
import { post } from "../../support/http.ts";
import { install_timeout_ms, linesOf, python_versions, pythonWith } from "../../support/python.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

interface Said {
  event: "waiting" | "ended" | "again";
  text?: string;
  error?: string;
}

describe.each(python_versions)("mcp %s", (version) => {
  let python: string;
  beforeAll(() => {
    python = pythonWith(version);
  }, install_timeout_ms);

  test("a call that a crash cuts short is made again after the restart, misses nothing, and the session continues", async () => {
    const data_dir = newDirectory();
    const port = await freePort();
    const before = await startBinary({ data_dir, port });
    const room = { goal: "Wait", name: "Ada" };
    const { slug } = (await post<{ slug: string }>(`${before.url}/api/meet/rooms`, room)).body;
    const client = Bun.spawn([python, join(import.meta.dir, "resume.py"), `${before.url}/mcp`, slug], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const said: Said[] = [];
    let after = before;
    for await (const text of linesOf(client.stdout)) {
      const line = JSON.parse(text) as Said;
      said.push(line);
      if (line.event !== "waiting" || after !== before) continue;
      before.process.kill("SIGKILL");
      await before.process.exited;
      after = await startBinary({ data_dir, port });
      await post(`${after.url}/api/meet/rooms/${slug}/posts`, { name: "Bob", body: "After the crash." });
    }
    expect(said.filter(({ event }) => event !== "waiting")).toEqual([
      { event: "ended", text: expect.stringContaining("After the crash.") },
      { event: "again", text: expect.stringContaining("After the crash.") },
    ]);
    expect(await client.exited).toBe(0);
    await after.stop();
    removeDirectory(data_dir);
  });
});
