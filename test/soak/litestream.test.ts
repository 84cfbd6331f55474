/**
 * Litestream (https://litestream.io) beside a service that is killed: its replica holds every acknowledged post that it had
 * time to copy, and a service starts from it. Needs the program: go install github.com/benbjohnson/litestream/cmd/litestream@v0.3.13
 */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { get, post } from "../support/http.ts";
import { openRoom } from "../support/load.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
const posts_count = 500;
const runs = Number(process.env.WHARF_TEST_RUNS ?? 3);

/** Restores the replica into `file` until it holds the post `last`. Returns the numbers of its posts. */
async function restored(replica: string, file: string, last: number): Promise<number[]> {
  for (;;) {
    rmSync(file, { force: true });
    const run = Bun.spawn(["litestream", "restore", "-o", file, replica], {
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await run.exited) === 0) {
      const database = new Database(file);
      const numbers = database.query("SELECT n FROM posts ORDER BY n").values().flat() as number[];
      const { integrity_check } = database.query("PRAGMA integrity_check").get() as {
        integrity_check: string;
      };
      database.close();
      expect(integrity_check).toBe("ok");
      // Never one without those before it.
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      if (numbers.at(-1) === last) return numbers;
    }
    await Bun.sleep(200);
  }
}

test.skipIf(lacks("Litestream", "litestream")).each(Array.from({ length: runs }, (_, run) => run))(
  "a service that is killed is restored from its replica (%d)",
  async (run) => {
    const folder = join(root, String(run));
    const restored_folder = join(folder, "restored");
    for (const made of [folder, restored_folder]) mkdirSync(made, { mode: 0o700 });
    const service = await startBinary({ data_dir: join(folder, "data") });
    const replica = `file://${join(folder, "replica")}`;
    const litestream = Bun.spawn(["litestream", "replicate", join(service.directory, "wharf.db"), replica], {
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      const room = await openRoom(service.url);
      const speak = (body: string) =>
        post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: body.padEnd(3_000, ".") });
      for (let sent = 0; sent < posts_count; sent += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, index) => speak(`${sent + index}`)));
      }
      // Litestream copies once a second; while it runs, the replica reaches the last post.
      const file = join(restored_folder, "wharf.db");
      await restored(replica, file, posts_count);
      service.process.kill("SIGKILL");
      litestream.kill("SIGKILL");
      await Promise.all([service.process.exited, litestream.exited]);
      expect(await restored(replica, file, posts_count)).toHaveLength(posts_count);
      for (const end of ["-wal", "-shm", ".tmp-wal", ".tmp-shm"]) rmSync(file + end, { force: true });
      chmodSync(file, 0o600);
      const again = await startBinary({ data_dir: restored_folder });
      const page = await get<{ posts: { n: number }[] }>(`${again.url}/api/meet/rooms/${room}`);
      expect(page.body.posts.at(-1)!.n).toBe(posts_count);
      expect(again.output()).toContain('"event":"instance.separated"');
      await again.stop();
    } finally {
      litestream.kill("SIGKILL");
      service.process.kill("SIGKILL");
      await service.stop().catch(() => undefined);
    }
  },
  300_000,
);
