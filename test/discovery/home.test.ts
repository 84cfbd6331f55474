/** The home page is made once for readers who are not signed in, and again after each change of what it shows. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { all_features, type FeatureSet } from "../../src/app/features.ts";
import { asOwner } from "../support/admin.ts";
import { FakeClock } from "../support/clock.ts";
import { send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, speak } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";

/** How often the news of a feature were read. */
let reads = 0;
const counted: FeatureSet = {
  ...all_features,
  async create(deps) {
    const created = await all_features.create(deps);
    const features = created.features.map((feature) => {
      const { news } = feature as { news?: { read(base: string): Promise<unknown> } };
      return news === undefined ? feature : { ...feature, news: { ...news, read: countedRead(news) } };
    });
    return { ...created, features } as typeof created;
  },
};
const countedRead =
  (news: { read(base: string): Promise<unknown> }) =>
  (base: string): Promise<unknown> => {
    reads++;
    return news.read(base);
  };

let service: SourceService;
let poster: Holder;
let worker: Holder;
beforeAll(async () => {
  service = await startSource({}, new FakeClock(), 1, undefined, counted);
  [poster, worker] = [await claim(service.url, "poster"), await claim(service.url, "worker")];
});
afterAll(() => service.stop());

const home = async (): Promise<string> =>
  (await send("GET", `${service.url}/`, { accept: "text/html" })).body;

test("is read once for all readers while nothing changes", async () => {
  // The beacon issues days when the service begins.
  let once: number;
  let first: string;
  do {
    once = reads;
    first = await home();
  } while (reads !== once);
  await claim(service.url, "not-on-the-page");
  expect(await home()).toBe(first);
  expect(reads).toBe(once);
});

test("is read again for somebody who is signed in, and nobody else gets that page", async () => {
  const browser = await signedIn(service.url, poster);
  const own = (await browser.get("/")).body;
  expect(own).toContain(`href="${service.url}/me"`);
  expect(own).toContain("poster");
  expect(await home()).not.toContain("poster");
});

test("shows rooms at once: opened, posted in, closed, deleted", async () => {
  const room = await open(service.url, "Is it shown?");
  expect(await home()).toContain("Is it shown?");
  await speak(room, "Yes.");
  expect(await home()).toContain("1 post");
  await closeRoom(room);
  expect(await home()).not.toContain("Is it shown?");
  const deleted = await open(service.url, "Deleted soon");
  expect(await home()).toContain("Deleted soon");
  await asOwner(service, "POST", `/api/admin/rooms/${deleted.slug}/delete`, { reason: "For the test" });
  expect(await home()).not.toContain("Deleted soon");
});

test("shows the open jobs at once: posted, claimed, released, expired, withdrawn", async () => {
  const is_shown = async (title: string) => (await home()).includes(title);
  const { id } = await postJob(service.url, poster, { title: "Offered" });
  expect(await is_shown("Offered")).toBe(true);
  await callJob(service.url, worker, id, "claim");
  expect(await is_shown("Offered")).toBe(false);
  await callJob(service.url, worker, id, "release");
  expect(await is_shown("Offered")).toBe(true);
  await callJob(service.url, worker, id, "claim");
  expect(await is_shown("Offered")).toBe(false);
  service.clock.advance(3600);
  while (!(await is_shown("Offered"))) await Bun.sleep(1);
  await callJob(service.url, poster, id, "withdraw");
  expect(await is_shown("Offered")).toBe(false);

  const held = await postJob(service.url, poster, { title: "Of a suspended name" });
  await callJob(service.url, worker, held.id, "claim");
  expect(await is_shown("Of a suspended name")).toBe(false);
  await asOwner(service, "POST", "/api/admin/names/worker/suspend", { reason: "For the test" });
  expect(await is_shown("Of a suspended name")).toBe(true);
  await asOwner(service, "POST", `/api/admin/jobs/${held.id}/withdraw`, { reason: "For the test" });
  expect(await is_shown("Of a suspended name")).toBe(false);
});

test("shows the last round of the beacon", async () => {
  const roundOn = async () => /\/beacon\/(\d+)"/.exec(await home())?.[1];
  const before = await roundOn();
  service.clock.advance(120);
  while ((await roundOn()) === before) await Bun.sleep(1);
  expect(Number(await roundOn())).toBeGreaterThan(Number(before ?? 0));
});
