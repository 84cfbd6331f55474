/** What programs have by OAuth and nobody uses any more is removed: a dry run counts it, and a run removes as much. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { claim, type Holder } from "../support/names.ts";
import {
  decided,
  letIn,
  newPkce,
  refreshed,
  registered,
  requestQuery,
  type Refused,
} from "../support/oauth.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { stored } from "../support/stored.ts";

let service: SourceService;
let url: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource({ oauth: true });
  ({ url } = service);
  ada = await claim(url, "Ada");
});
afterAll(() => service.stop());

const hour = 3600;
const day = 24 * hour;

interface Report {
  counts: { oauth: number };
}

/** What a dry run counts, and what a run removes after it. */
async function removed(): Promise<[number, number]> {
  const counts = [];
  for (const method of ["GET", "POST"])
    counts.push((await asOwner<Report>(service, method, "/api/admin/retention")).body.counts.oauth);
  return counts as [number, number];
}

const left = async () => {
  const tables = ["clients", "grants", "codes", "refreshes", "tokens"];
  const counts = tables.map((table) =>
    stored(service.directory, `SELECT COUNT(*) AS rows FROM oauth_${table}`),
  );
  return Object.fromEntries((await Promise.all(counts)).map(([row], i) => [tables[i], Number(row!.rows)]));
};

const redirect_uri = "http://127.0.0.1:33418/callback";

test("codes after an hour, tokens after theirs, programs after 30 days, accesses after 90", async () => {
  const browser = await signedIn(url, ada);
  const { client_id, refresh_token } = await letIn(url, browser);
  const unused = await registered(url, { redirect_uris: [redirect_uri] });
  const { challenge } = newPkce();
  await decided(browser, requestQuery({ client_id, redirect_uri, code_challenge: challenge }));
  expect(await removed()).toEqual([0, 0]);
  expect(await left()).toEqual({ clients: 2, grants: 1, codes: 2, refreshes: 1, tokens: 1 });

  // Without the runs that timers begin.
  service.clock.pass(2 * hour);
  expect(await removed()).toEqual([3, 3]);
  expect(await left()).toEqual({ clients: 2, grants: 1, codes: 0, refreshes: 1, tokens: 0 });

  service.clock.pass(31 * day);
  expect(await removed()).toEqual([1, 1]);
  expect(await stored(service.directory, "SELECT id FROM oauth_clients")).toEqual([{ id: client_id }]);
  expect(client_id).not.toBe(unused);

  const next = await refreshed(url, client_id, refresh_token);
  expect(next.status).toBe(200);
  service.clock.pass(89 * day);
  expect(await removed()).toEqual([1, 1]);
  expect(await left()).toEqual({ clients: 1, grants: 1, codes: 0, refreshes: 2, tokens: 0 });
  expect((await refreshed(url, client_id, next.body.refresh_token)).status).toBe(200);

  service.clock.pass(91 * day);
  expect(await removed()).toEqual([2, 2]);
  expect(await left()).toEqual({ clients: 1, grants: 0, codes: 0, refreshes: 0, tokens: 0 });

  // Its last access has ended.
  service.clock.pass(29 * day);
  expect(await removed()).toEqual([0, 0]);
  service.clock.pass(2 * day);
  expect(await removed()).toEqual([1, 1]);
  expect((await refreshed<Refused>(url, client_id, "wfo_x")).body.error).toBe("invalid_client");
});

test("a program stays as long as it has an access, also if a run at another node has overlooked that", async () => {
  const { client_id, refresh_token } = await letIn(url, await signedIn(url, ada));
  // The run saw no access, because it was given at the same moment.
  const overlooked = "UPDATE oauth_clients SET expires = $1 WHERE id = $2 AND expires IS NULL RETURNING id";
  const long_ago = "2020-01-01T00:00:00.000Z";
  expect(await stored(service.directory, overlooked, long_ago, client_id)).toEqual([{ id: client_id }]);
  let token = refresh_token;
  for (let month = 0; month < 4; month++) {
    service.clock.pass(31 * day);
    await removed();
    const { status, body } = await refreshed(url, client_id, token);
    expect(status).toBe(200);
    token = body.refresh_token;
  }
});
