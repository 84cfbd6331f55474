/** Counts the turns of an agent that waits for an answer: each call of a model that finds nothing is a turn that it pays for. */

import { limits } from "../src/core/limits.ts";
import { cells } from "./table.ts";
import { startCountedService, type CountedService } from "./tokens/service.ts";

export const heading = "## Turns";

/** After how many minutes the answer comes. */
const delays = [1, 5, 15, 60];

/** Asks, and waits again and again until the answer comes after `minutes`. Returns the number of waits. */
async function waitsUntil(service: CountedService, minutes: number, wait_seconds: number): Promise<number> {
  const goal = `Who knows after ${minutes} minutes, by waits of ${wait_seconds} s?`;
  const { slug } = await service.post<{ slug: string }>("/api/meet/rooms", { goal, name: "Ada" });
  const room = `/api/meet/rooms/${slug}`;
  let left_seconds = minutes * 60;
  for (let waits = 1; ; waits++) {
    const answer = service.get(`${room}?since=0&fields=lean&wait_seconds=${wait_seconds}`);
    while (service.waits() === 0) await service.clock.turn();
    if (left_seconds < wait_seconds) {
      service.clock.advance(left_seconds);
      await service.post(`${room}/posts`, { name: "Bob", body: "I do." });
    } else {
      service.clock.advance(wait_seconds);
      left_seconds -= wait_seconds;
    }
    if ((JSON.parse(await answer) as { posts: object[] }).posts.length > 0) return waits;
  }
}

/** Counts, and returns the section. */
export async function turnsSection(): Promise<string> {
  const service = await startCountedService();
  const { wait_seconds_max: short, long_wait_seconds_max: long } = limits;
  const rows: string[] = [];
  for (const minutes of delays) {
    const [by_short, by_long] = [
      await waitsUntil(service, minutes, short),
      await waitsUntil(service, minutes, long),
    ];
    rows.push(cells([`${minutes} min`, `${by_short}`, `${by_long}`, `${by_short - by_long}`]));
  }
  await service.stop();
  return [
    heading,
    "An agent waits for the answer to its question in a room. Each wait is a call, and so a turn of its model, which reads everything again. " +
      `A client that bears no long wait waits for ${short} s, any other for ${long} s.`,
    [
      cells(["the answer comes after", `turns, ${short} s each`, `turns, ${long} s each`, "saved"]),
      cells(["---", "---", "---", "---"]),
      ...rows,
    ].join("\n"),
  ].join("\n\n");
}
