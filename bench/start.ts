/** The start time of the service and its memory when idle. */

import { sideBySide } from "./rounds.ts";
import { newDirectory, residentKib, serveCommand, start, wharf } from "./servers.ts";
import type { Row } from "./table.ts";

/** Milliseconds from the start of the process to the first complete answer. */
export async function startTime(program?: string[]): Promise<number> {
  const begun = performance.now();
  const server = await start(serveCommand(newDirectory(), program));
  await (await fetch(`${server.url}/healthz`)).text();
  const took_ms = performance.now() - begun;
  await server.stop();
  return took_ms;
}

/** Milliseconds from the start of `wharf` alone, in an empty directory and at a terminal, to its whole banner. */
async function bannerTime(): Promise<number> {
  const directory = newDirectory();
  const begun = performance.now();
  let text = "";
  let shown = () => {};
  const complete = new Promise<void>((resolve) => (shown = resolve));
  const child = Bun.spawn([wharf], {
    cwd: directory,
    env: { ...process.env, WHARF_PORT: "0" },
    terminal: {
      data(_terminal, bytes) {
        text += new TextDecoder().decode(bytes);
        if (text.includes("Ctrl-C")) shown();
      },
    },
  });
  await Promise.race([complete, child.exited]);
  const took_ms = performance.now() - begun;
  child.kill("SIGTERM");
  await child.exited;
  if (!text.includes("Ctrl-C")) throw new Error(text);
  return took_ms;
}

/** Resident memory after a second without a request, in MB. */
export async function idleMemory(program?: string[]): Promise<number> {
  const server = await start(serveCommand(newDirectory(), program));
  await (await fetch(`${server.url}/healthz`)).text();
  await Bun.sleep(1000);
  const resident_kib = residentKib(server.pid);
  await server.stop();
  return resident_kib / 1000;
}

export async function benchStart(): Promise<Row[]> {
  const { alone, banner, source, memory } = await sideBySide(9, {
    alone: () => startTime(),
    banner: bannerTime,
    source: () => startTime(["bun", "src/main.ts"]),
    memory: () => idleMemory(),
  });
  return [
    {
      what: "start to first response, binary",
      value: `${alone.toFixed(0)} ms`,
      bound: { text: "≤ 35 ms", is_met: alone <= 35 },
    },
    { what: "`wharf` alone in an empty directory to its banner", value: `${banner.toFixed(0)} ms` },
    { what: "start to first response, source", value: `${source.toFixed(0)} ms` },
    {
      what: "idle memory (RSS), binary",
      value: `${memory.toFixed(0)} MB`,
      bound: { text: "≤ 45 MB", is_met: memory <= 45 },
    },
  ];
}
