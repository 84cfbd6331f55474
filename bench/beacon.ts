/** What the beacon costs: a round that has passed and one far away, against Bun.serve with the same bytes from memory. */

import { compileEntry, getRequest, load } from "./load.ts";
import { copyAnswer } from "./reads.ts";
import { sideBySide } from "./rounds.ts";
import { newDirectory, serveCommand, start, type Server } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

const rounds = 5;

/** Rounds a second, 64 connections: GET /api/beacon/{round} as it is answered for ever, and 425 for the far future. */
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
