/** Reads of the beacon: a round that has ended and one far in the future, against Bun.serve with the same bytes from memory. */

import { compileEntry, getRequest, load } from "./load.ts";
import { copyAnswer } from "./reads.ts";
import { sideBySide } from "./rounds.ts";
import { newDirectory, serveCommand, start, type Server } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

const rounds = 5;

/** Requests per second of GET /api/beacon/{round}, 64 connections: an ended round, and 425 for the far future. */
export async function benchBeacon(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const bare = await start([compileEntry("bare.ts"), newDirectory()]);
  const overview = (await (await fetch(`${service.url}/api/beacon`)).json()) as {
    last_revealed: { round: number };
  };
  const passed = `/api/beacon/${overview.last_revealed.round}`;
  const far = "/api/beacon/999999999999999";
  await copyAnswer(service, bare, passed);
  const rate = async ({ url }: Server, path: string, refused = false) =>
    (await load(url, { requests: [getRequest(url, path)], connections: 64, seconds: 2, refused })).per_second;
  try {
    const reads = await sideBySide(rounds, {
      passed: () => rate(service, passed),
      far: () => rate(service, far, true),
      bare: () => rate(bare, passed),
    });
    const row = (what: string, per_second: number): Row => ({
      what,
      value: perSecond(per_second),
      compared: `${perSecond(reads.bare)} Bun.serve with the bytes of a round from memory`,
      ratio: per_second / reads.bare,
    });
    return [
      row("a beacon round that has passed, 64 connections", reads.passed),
      row("a beacon round far in the future (425, nothing computed)", reads.far),
    ];
  } finally {
    await service.stop();
    await bare.stop();
  }
}
