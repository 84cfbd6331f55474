/** `kill -9` while clients refresh a grant: a client that lost an answer gets it by repeating its token, and no grant is lost or doubled. */

import { expect, test } from "bun:test";
import { lacks_binary } from "../../support/binary.ts";
import { freePort } from "../../support/free_port.ts";
import { claim } from "../../support/names.ts";
import { letIn, whoamiWith, refreshed } from "../../support/oauth.ts";
import { raceUnderKills } from "../../support/refresh_races.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";
import { stored } from "../../support/stored.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 10);

test.skipIf(lacks_binary)(
  `keeps the grant of 64 racers on kill -9, ${kills} times`,
  async () => {
    const { below } = testRandom("kill -9 while clients refresh");
    const data_dir = newDirectory();
    const port = await freePort();
    let service = await startBinary({ data_dir, oauth: true, port });
    const { url } = service;
    const ada = await claim(url, "Ada");
    const { client_id, refresh_token } = await letIn(url, await signedIn(url, ada));
    async function killOne(): Promise<void> {
      service.process.kill("SIGKILL");
      await service.process.exited;
      service = await startBinary({ data_dir, oauth: true, port });
    }
    const raced = await raceUnderKills(() => url, { client_id, refresh_token }, { kills, killOne, below });
    console.log(`${kills} kills, ${raced.lost} answers lost`);
    expect(raced.lost).toBeGreaterThan(kills);
    const last = await refreshed(url, client_id, raced.refresh_token);
    expect(await whoamiWith(url, last.body.access_token)).toEqual([200, "Ada"]);
    await service.stop();
    const [counted] = await stored(data_dir, "SELECT COUNT(*) AS grants FROM oauth_grants");
    const [newest] = await stored(data_dir, "SELECT MAX(n) AS n FROM oauth_refreshes");
    expect([counted!.grants, newest!.n]).toEqual([1, 2 * kills + 1]);
    removeDirectory(data_dir);
  },
  600_000,
);
