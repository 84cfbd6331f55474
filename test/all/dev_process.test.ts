/** `wharf dev` as a process: its first line, its end by signals, and what it leaves. */

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, lacks_binary } from "../support/binary.ts";
import { devState, setClock, untilOpen } from "../support/dev.ts";
import { createProgram } from "../support/dev_program.ts";
import { post } from "../support/http.ts";

/** Where the processes of this file have their directories. */
const temporary = mkdtempSync(join(tmpdir(), "wharf-dev-test-"));
afterAll(() => rmSync(temporary, { recursive: true }));

interface Ready {
  url: string;
  pid: number;
  data_dir: string | null;
  seed: number;
}

/** Starts `wharf dev`; resolves at its first line. */
async function startProcess(...options: string[]) {
  const child = Bun.spawn([binary(), "dev", "--port", "0", ...options], {
    env: { ...process.env, TMPDIR: temporary },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const [line = ""] = Buffer.from(value ?? [])
    .toString()
    .split("\n");
  return { child, line, stderr: new Response(child.stderr).text() };
}

async function startJson(...options: string[]) {
  const { child, line } = await startProcess("--json", ...options);
  return { child, ...(JSON.parse(line) as Ready) };
}

describe.skipIf(lacks_binary)("wharf dev as a process", () => {
  test("prints its URL first, or one JSON object", async () => {
    const plain = await startProcess("--memory");
    expect(plain.line).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await devState(plain.line)).toMatchObject({ data_dir: null, frozen: false });
    plain.child.kill();
    const { child, line } = await startProcess(
      "--json",
      "--seed",
      "7",
      "--at",
      "2031-02-03T04:05:06Z",
      "--frozen",
    );
    const ready = JSON.parse(line) as Ready;
    expect(ready).toEqual({
      url: expect.any(String),
      pid: child.pid,
      data_dir: expect.any(String),
      seed: 7,
    } as never);
    expect(await devState(ready.url)).toMatchObject({
      at: "2031-02-03T04:05:06.000Z",
      seed: 7,
      data_dir: ready.data_dir,
    });
    child.kill();
    expect(await Promise.all([plain.child.exited, child.exited])).toEqual([0, 0]);
  });

  for (const memory of [["--memory"], []]) {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      test(`ends by ${signal} and waits for no stream or wait, and leaves nothing (${memory[0] ?? "on disk"})`, async () => {
        const { child, url, data_dir } = await startJson(
          "--seed",
          "1",
          "--frozen",
          "--allowed-host",
          "wharf.test",
          ...memory,
        );
        const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, {
          goal: "Where?",
          name: "ana",
        });
        const stream = await fetch(`${url}/api/meet/rooms/${body.slug}/stream`);
        const wait = fetch(`${url}/api/wait?rooms=now&wait_seconds=50`).then(({ status }) => status);
        await untilOpen(url, { waits: 1, streams: 1 });
        if (data_dir !== null) expect(existsSync(data_dir)).toBe(true);
        const begun = performance.now();
        child.kill(signal);
        expect(await child.exited).toBe(0);
        // The wait would last 50 seconds.
        expect(performance.now() - begun).toBeLessThan(25_000);
        await stream.text();
        expect(await wait).toBe(200);
        expect(readdirSync(temporary)).toEqual([]);
      });
    }
  }

  test("ends with its standard input if that was asked for", async () => {
    const command = [binary(), "dev", "--memory", "--port", "0", "--until-stdin-ends"];
    const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    await child.stdout.getReader().read();
    void child.stdin.end();
    expect(await child.exited).toBe(0);
  });

  test.each([
    ["ends during advances", ["SIGINT"], 0],
    // Stopped meanwhile, so that it gets both at the same time. Equal signals would be one.
    ["ends at once by a second signal", ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"], 1],
  ] as const)("%s", async (_, signals, status) => {
    const { child, url } = await startJson("--seed", "1");
    // One after the other, they would take about a minute.
    const advance = () => setClock(url, { advance_seconds: 31 * 86_400 }).catch(() => null);
    const advances = Promise.all(Array.from({ length: 10 }, advance));
    await Bun.sleep(300);
    const begun = performance.now();
    for (const signal of signals) child.kill(signal);
    expect(await child.exited).toBe(status);
    expect(performance.now() - begun).toBeLessThan(25_000);
    await advances;
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("says that a port is taken, and leaves nothing", async () => {
    const { child, url } = await startJson("--memory");
    const { child: second, stderr } = await startProcess("--port", new URL(url).port);
    expect(await second.exited).not.toBe(0);
    expect(await stderr).toContain("is taken");
    child.kill();
    await child.exited;
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("warns if other machines can reach it", async () => {
    const { child, stderr } = await startProcess("--memory", "--host", "0.0.0.0");
    child.kill();
    await child.exited;
    expect(await stderr).toContain("WARNING: 0.0.0.0 can be reached from other machines");
  });

  test("gives the same bytes in two processes", async () => {
    const transcripts = [];
    for (const memory of [["--memory"], []]) {
      const { child, url } = await startJson(
        "--seed",
        "1",
        "--frozen",
        "--allowed-host",
        "wharf.test",
        ...memory,
      );
      const program = createProgram(url, 11);
      transcripts.push(await program.play(200));
      program.close();
      child.kill();
      await child.exited;
    }
    const [first, second] = transcripts;
    const at = first!.findIndex((one, i) => JSON.stringify(one) !== JSON.stringify(second![i]));
    if (at >= 0) expect(second![at]).toEqual(first![at]!);
  }, 60_000);
});
