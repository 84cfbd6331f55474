/** A restored backup has the grants of its moment: what their programs can still do, and what they have to do again. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../../support/commands.ts";
import { claim } from "../../support/names.ts";
import { letIn, refreshed, revoked, whoamiWith, type Refused } from "../../support/oauth.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";

test("programs continue after a restore, unless they have refreshed since; an access that ended since is there again", async () => {
  const root = newDirectory();
  const [data_dir, restored, file] = [join(root, "data"), join(root, "restored"), join(root, "wharf.backup")];
  const settings = { oauth: true, base_url: "https://wharf.example" };
  const first = await startSource({ ...settings, data_dir });
  const ada = await claim(first.url, "Ada");
  const browser = await signedIn(first.url, ada, settings.base_url);
  const [steady, ahead, ended] = [
    await letIn(first.url, browser),
    await letIn(first.url, browser),
    await letIn(first.url, browser),
  ];
  expect(await runHere({}, "backup", file, "--data-dir", data_dir)).toMatchObject({ status: 0 });
  const later = await refreshed(first.url, ahead.client_id, ahead.refresh_token);
  await revoked(first.url, ended.client_id, ended.refresh_token);
  await first.stop();
  const bytes = readFileSync(file, "latin1");
  for (const { access_token, refresh_token } of [steady, ahead, ended])
    expect([bytes.includes(access_token), bytes.includes(refresh_token)]).toEqual([false, false]);

  expect(await runHere({}, "restore", file, "--data-dir", restored)).toMatchObject({ status: 0 });
  const second = await startSource({ ...settings, data_dir: restored }, first.clock);
  const { url } = second;
  for (const { client_id, access_token, refresh_token } of [steady, ended]) {
    expect(await whoamiWith(url, access_token)).toEqual([200, "Ada"]);
    expect((await refreshed(url, client_id, refresh_token)).status).toBe(200);
  }
  const refused = await refreshed<Refused>(url, ahead.client_id, later.body.refresh_token);
  expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
  // Another copy of the program that still has the token from before is not signed out by that.
  const other = await refreshed(url, ahead.client_id, ahead.refresh_token);
  expect([other.status, other.body.refresh_token]).toEqual([200, later.body.refresh_token]);
  expect((await refreshed(url, ahead.client_id, later.body.refresh_token)).status).toBe(200);
  await second.stop();
  removeDirectory(root);
});
