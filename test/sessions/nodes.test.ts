/** Sessions over two nodes of one database: a cookie that is replaced, or a session that ends, at one node opens nothing at the other. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

describe.skipIf(lacks_postgres)("sessions over two nodes", () => {
  let server: PostgresServer;
  let nodes: [SourceService, SourceService];
  let room: Opened;
  let names = 0;
  beforeAll(async () => {
    server = await startPostgres();
    const start = (seed: number) => startSource({ database: server.url }, undefined, seed);
    nodes = [await start(1), await start(2)];
    room = await open(nodes[0].url, "Whose session?");
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });

  /** The same browser at another node. */
  const at = (i: 0 | 1, { cookie }: Browser): Browser => Object.assign(newBrowser(nodes[i].url), { cookie });
  const showKey = (browser: Browser) =>
    browser.post(`/meet/r/${room.slug}/host`, { host_key: room.host_key });
  const me = async (i: 0 | 1, browser: Browser) => (await at(i, browser).get("/me")).status;

  test("refuse a cookie that was replaced at the other node", async () => {
    const browser = await signedIn(nodes[0].url, await claim(nodes[0].url, "ada"));
    const planted = at(1, browser);
    expect(await me(1, planted)).toBe(200);
    expect((await showKey(browser)).status).toBe(303);
    expect(await me(1, planted)).toBe(401);
    expect(await me(1, browser)).toBe(200);
  });

  type End = (holder: Holder, i: 0 | 1) => Promise<{ status: number }>;
  const byAdmin =
    (action: string): End =>
    ({ name }, i) =>
      asOwner(nodes[i], "POST", `/api/admin/names/${name}/${action}`, { reason: "floods rooms" });
  const ends: Record<string, End> = {
    "is rotated": ({ pair }, i) => post(`${nodes[i].url}/api/name/rotate`, {}, pair),
    "is recovered": ({ name, recovery_code }, i) =>
      post(`${nodes[i].url}/api/name/recover`, { name, recovery_code }),
    "is revoked": ({ key }, i) => post(`${nodes[i].url}/api/name/revoke`, { key }),
    "is that of a suspended name": byAdmin("suspend"),
    "is that of a released name": byAdmin("release"),
  };
  const gains: Record<string, (browser: Browser, holder: Holder) => Promise<{ status: number }>> = {
    "shows a host key": showKey,
    "signs in again": (browser, { name, key }) => browser.post("/signin", { name, key }),
  };
  const races = Object.keys(ends).flatMap((end) => Object.keys(gains).map((gain) => [end, gain] as const));

  test.each(races)("end when the key %s while the browser %s", async (end, gain) => {
    let survived = 0;
    for (let round = 0; round < 10; round++) {
      const holder = await claim(nodes[0].url, `bea-${++names}`);
      const browser = await signedIn(nodes[0].url, holder);
      const [ended] = await Promise.all([
        ends[end]!(holder, (round % 2) as 0 | 1),
        gains[gain]!(browser, holder),
      ]);
      expect(ended.status).toBe(200);
      if ((await me(1, browser)) !== 401) survived++;
    }
    expect(survived).toBe(0);
  });
});
