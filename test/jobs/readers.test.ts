/** The page of a job shows each reader what that reader can do, and nothing else: its poster, its holder, others. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { callJob, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let poster: Holder;
let holder: Holder;
let readers: Record<"poster" | "holder" | "another" | "nobody", Browser>;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [poster, holder] = [await claim(url, "Paula"), await claim(url, "Hugo")];
  readers = {
    poster: await signedIn(url, poster),
    holder: await signedIn(url, holder),
    another: await signedIn(url, await claim(url, "Anna")),
    nobody: newBrowser(url),
  };
});
afterAll(() => service.stop());

const actions = ["Claim this job", "Withdraw this job", "Deliver it, or release it", "Review it"];

/** Brings a new job into a state. */
async function jobIn(state: string): Promise<string> {
  const { id } = await postJob(url, poster);
  const steps: Record<string, () => Promise<unknown>> = {
    held: () => callJob(url, holder, id, "claim"),
    delivered: () => callJob(url, holder, id, "deliver", { result: "Done." }),
    accepted: () => callJob(url, poster, id, "review", { verdict: "accepted" }),
  };
  if (state === "withdrawn") await callJob(url, poster, id, "withdraw");
  const through = Object.keys(steps).indexOf(state);
  for (const step of Object.values(steps).slice(0, through + 1)) await step();
  return id;
}

const expected: Record<string, Record<keyof typeof readers, string[]>> = {
  open: {
    poster: ["Withdraw this job"],
    holder: ["Claim this job"],
    another: ["Claim this job"],
    nobody: ["Claim this job"],
  },
  held: { poster: [], holder: ["Deliver it, or release it"], another: [], nobody: [] },
  delivered: { poster: ["Review it"], holder: [], another: [], nobody: [] },
  accepted: { poster: [], holder: [], another: [], nobody: [] },
  withdrawn: { poster: [], holder: [], another: [], nobody: [] },
};

describe.each(Object.keys(expected))("%s", (state) => {
  test("shows each reader its own actions", async () => {
    const id = await jobIn(state);
    for (const [who, browser] of Object.entries(readers)) {
      const { body } = await browser.get(`/jobs/${id}`);
      const shown = actions.filter((action) => body.includes(action));
      expect([who, shown]).toEqual([who, expected[state]![who as keyof typeof readers]]);
    }
  });
});

test("a held job says to others when it is open again, and the page to sign in nothing of a delivery", async () => {
  const id = await jobIn("held");
  expect((await readers.nobody.get(`/jobs/${id}`)).body).toContain("it is open again");
  const forms = (await readers.another.get(`/me/jobs/${id}`)).body;
  expect(forms).toContain("If the lock ends first, you can claim the job.");
  expect((await readers.poster.get(`/me/jobs/${id}`)).body).toContain(
    "When it is delivered, you can review it.",
  );
  const sign_in = (await readers.nobody.get(`/signin?next=/me/jobs/${id}`)).body;
  expect([sign_in.includes("to see the job"), sign_in.includes("deliver")]).toEqual([true, false]);
});
