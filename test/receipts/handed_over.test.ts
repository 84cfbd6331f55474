/** After each act on a form that gives a receipt, the page has a link to it, which a stranger can open. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { payloadOf } from "../support/jobs.ts";
import { openPrivate } from "../support/members.ts";
import { claim, type Holder } from "../support/names.ts";
import { receiptsIn } from "../support/receipts.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name!,
      value!,
    ]),
  );

/** Sends a form, with the hidden fields of the page that has it, and resolves to the page that the browser then shows. */
async function submit(browser: Browser, at: string, path: string, fields: Record<string, string>) {
  const hidden = hiddenIn((await browser.get(at)).body.split(`action="${url}${path}`)[1] ?? "");
  const answer = await browser.post(path, { ...hidden, ...fields });
  expect([path, answer.status < 400, answer.body.includes('class="fault"')]).toEqual([path, true, false]);
  const location = answer.headers.get("location");
  return location === null ? answer.body : (await browser.get(location.slice(url.length))).body;
}

/** What the receipts on a page attest: act and name. Somebody without a session is shown that each is valid. */
async function attestedOn(html: string): Promise<unknown[][]> {
  const receipts = receiptsIn(html);
  for (const receipt of receipts) {
    const shown = (await newBrowser(url).get(`/receipt?r=${receipt}`)).body;
    expect(shown).toContain("The receipt is valid");
  }
  return receipts.map((receipt) => [payloadOf(receipt).act, payloadOf(receipt).sub]);
}

const warning = "looks unlisted";

describe("opening a room", () => {
  test.each([
    ["public", false],
    ["unlisted", true],
  ])(
    "links the receipt; of an unlisted room it says what its address gives away: %s",
    async (visibility, warns) => {
      const form = { goal: `Handed over ${visibility}`, name: "Zoë", visibility };
      const page = await submit(newBrowser(url), "/meet", "/meet", form);
      expect(await attestedOn(page)).toEqual([["meet.open", "Zoë"]]);
      expect(page.includes(warning)).toBe(warns);
    },
  );
});

test("a receipt of a private room gives away nothing with the address of the room", async () => {
  const room = await openPrivate(url, await claim(url, "Petra"));
  const page = (await newBrowser(url).get(`/receipt?r=${room.receipt}`)).body;
  expect(page).toContain("The receipt is valid");
  expect(page).not.toContain(warning);
});

test("claiming a name links its receipt", async () => {
  const page = await submit(newBrowser(url), "/claim", "/claim", { name: "Handed" });
  expect(await attestedOn(page)).toEqual([["name.claim", "Handed"]]);
});

describe("a job", () => {
  let poster: Holder;
  let worker: Holder;
  let asPoster: Browser;
  let asWorker: Browser;
  beforeAll(async () => {
    poster = await claim(url, "Paula");
    worker = await claim(url, "Wim");
    asPoster = await signedIn(url, poster);
    asWorker = await signedIn(url, worker);
  });

  /** Offers a job; resolves to its id and the page afterwards. */
  async function offered(title: string): Promise<{ id: string; page: string }> {
    const page = await submit(asPoster, "/jobs", "/jobs", { title, detail: "All of it.", tags: "" });
    return { id: /\/(?:me\/)?jobs\/([0-9a-f-]{36})/.exec(page)![1]!, page };
  }
  const act = (who: Browser, id: string, action: string, fields: Record<string, string> = {}) =>
    submit(who, `/me/jobs/${id}`, `/me/jobs/${id}/${action}`, fields);

  test("links the receipts of the reader beside its state: after the offer, the delivery and the review", async () => {
    const { id, page } = await offered("Handed over");
    const [offer, delivery, acceptance] = [
      ["job.post", "Paula"],
      ["job.deliver", "Wim"],
      ["job.accept", "Wim"],
    ];
    expect(await attestedOn(page)).toEqual([offer!]);
    expect(await attestedOn(await act(asWorker, id, "claim"))).toEqual([]);
    expect(await attestedOn(await act(asWorker, id, "deliver", { result: "Done." }))).toEqual([delivery!]);
    const reviewed = await act(asPoster, id, "review", { verdict: "accepted", reason: "" });
    expect(await attestedOn(reviewed)).toEqual([offer!, acceptance!]);
    for (const path of [`/me/jobs/${id}`, `/jobs/${id}`]) {
      expect(await attestedOn((await asWorker.get(path)).body)).toEqual([delivery!, acceptance!]);
      expect(await attestedOn((await asPoster.get(path)).body)).toEqual([offer!, acceptance!]);
    }
    const stranger = await signedIn(url, await claim(url, "Stan"));
    for (const who of [stranger, newBrowser(url)]) {
      expect(await attestedOn((await who.get(`/jobs/${id}`)).body)).toEqual([]);
    }
    expect(await attestedOn((await stranger.get(`/me/jobs/${id}`)).body)).toEqual([]);
  });

  test("that is disputed has no receipt of an acceptance", async () => {
    const { id } = await offered("Disputed");
    await act(asWorker, id, "claim");
    await act(asWorker, id, "deliver", { result: "Done." });
    const page = await act(asPoster, id, "review", { verdict: "disputed", reason: "No." });
    expect(await attestedOn(page)).toEqual([["job.post", "Paula"]]);
  });
});
