/** The clock on the wall is set while the service runs: whoever waits waits as long as was asked for. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { call, get } from "./support/http.ts";
import { open, speak } from "./support/rooms.ts";
import { startSource, type SourceService } from "./support/service.ts";

let service: SourceService;
beforeEach(async () => {
  service = await startSource();
});
afterEach(() => service.stop());

test.each(["2026-03-01T11:00:00.000Z", "2026-03-02T12:00:00.000Z"])(
  "a wait of 3 seconds ends after 3 seconds, although the clock was set to %s and a change came in between",
  async (time) => {
    const { clock, url } = service;
    const room = await open(url, "To be waited for");
    const spoken = (await speak(room, "to be taken away")).body;
    const wait = get<{ posts: unknown[] }>(`${room.api}?since=${String(spoken.ts)}&wait_seconds=3`);
    await clock.timerAt(3);
    clock.advance(1);
    clock.set(time);
    const redacted = await call("DELETE", `${room.api}/posts/${String(spoken.id)}`, undefined, {
      "x-meet-key": room.host_key,
    });
    expect(redacted.status).toBe(200);
    await clock.timerAt(2);
    clock.advance(2);
    expect((await wait).body.posts).toEqual([]);
  },
);
