/** The page of a webhook: its forms set, test and delete it, and it shows the secret once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { note_kinds } from "../../src/api/mailbox.ts";
import type { Webhook } from "../../src/api/webhooks.ts";
import { get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";
import { calling, passUntil, type Receiver, startReceiver } from "../support/webhook_receivers.ts";

const page = "/me/webhook";
let service: SourceService;
let url: string;
let claimed = 0;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startSource({
    ...calling,
    oauth: true,
    rooms_per_hour_by_address: 1_000,
    webhook_checks_per_hour_by_address: 1_000,
  });
  url = service.url;
});
afterAll(async () => {
  await service.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

interface Somebody {
  who: Holder;
  browser: Browser;
}
async function somebody(): Promise<Somebody> {
  const who = await claim(url, `reader-${++claimed}`);
  return { who, browser: await signedIn(url, who) };
}
function receiverOf(...answering: Parameters<typeof startReceiver>): Receiver {
  const receiver = startReceiver(...answering);
  receivers.push(receiver);
  return receiver;
}

/** What the form sends if these kinds are chosen; all if absent. */
const formOf = (address: string, kinds?: string[]): Record<string, string> => ({
  url: address,
  ...Object.fromEntries((kinds ?? note_kinds).map((kind) => [kind, "on"])),
});
const read = async (who: Holder) => (await get<Webhook>(`${url}/api/mailbox/webhook`, who.pair)).body;
const secretsIn = (html: string): string[] => html.match(/whsec_[\w+/]+=/g) ?? [];
const faultsIn = (html: string): string[] =>
  Array.from(html.matchAll(/<p class="fault"[^>]*>(.*?)<\/p>/g), ([, fault]) =>
    fault!.replace(/<[^>]+>/g, "").trim(),
  );
const checkedIn = (html: string): string[] =>
  Array.from(html.matchAll(/type="checkbox" name="([^"]+)" checked/g), ([, kind]) => kind!);

describe("setting", () => {
  test("leads to the page, which shows the secret to this browser for ten minutes, and never the authorization", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    expect(checkedIn((await browser.get(page)).body).length).toBe(11);
    const form = { ...formOf(receiver.url), authorization: " Bearer abc123 " };
    const answer = await browser.post(page, form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, url + page]);
    const once = answer.headers.getSetCookie()[0]!;
    expect(once).toMatch(/^wharf-once=[\w-]+; Path=\/me\/webhook; Max-Age=600; HttpOnly; SameSite=Strict$/);
    const shown = await browser.get(page);
    const [secret] = secretsIn(shown.body);
    expect(secretsIn(shown.body)).toEqual([secret!]);
    expect(shown.headers.get("cache-control")).toBe("private, no-store");
    expect(shown.body).toContain(receiver.url);
    expect(shown.body).not.toContain("abc123");
    expect(receiver.challenges[0]!.headers.get("authorization")).toBe("Bearer abc123");
    expect(await read(who)).toMatchObject({ url: receiver.url, has_authorization: true });
    expect(await read(who)).not.toHaveProperty("kinds");
    // Another browser of the same name.
    expect(secretsIn((await (await signedIn(url, who)).get(page)).body)).toEqual([]);
    service.clock.advance(600);
    expect(secretsIn((await browser.get(page)).body)).toEqual([]);
  });

  test("shows no secret that a later one has replaced", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    const first = secretsIn((await browser.follow(page, formOf(receiver.url))).body);
    service.clock.advance(1);
    const other = await signedIn(url, who);
    const again = await other.follow(page, formOf(receiver.url));
    expect(secretsIn(again.body)).not.toEqual(first);
    expect(again.body).toContain("signed with the secret before, too");
    expect(secretsIn((await browser.get(page)).body)).toEqual([]);
  });

  test("takes the kinds that are checked, and the page checks them again", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    const kinds = ["room.mention", "job.delivered"];
    const { body } = await browser.follow(page, formOf(receiver.url, kinds));
    expect((await read(who)).kinds).toEqual(kinds as Webhook["kinds"] & object);
    expect(checkedIn(body)).toEqual(kinds);
    expect(body).toContain("Somebody mentions you; Your job is delivered");
  });

  test("answers a browser that sends the key itself with the secret", async () => {
    const [{ who }, receiver] = [await somebody(), receiverOf()];
    const browser = newBrowser(url);
    const answer = await browser.post(page, formOf(receiver.url), who.pair);
    expect([answer.status, secretsIn(answer.body).length]).toEqual([200, 1]);
    expect(secretsIn((await browser.get(page, who.pair)).body)).toEqual([]);
  });

  test("shows an address as text, without what hides or turns it", async () => {
    const [{ browser }, receiver] = [await somebody(), receiverOf()];
    const path = '"><b/onclick=alert(1)>\u202Egnp.';
    const { body } = await browser.follow(page, formOf(receiver.url + path));
    const shown = `${receiver.url}&quot;&gt;&lt;b/onclick=alert(1)&gt;[U+202E]gnp.`;
    expect(body).toContain(`<code dir="ltr">${shown}</code>`);
    expect(body).toContain(`Delete the webhook? ${shown}`);
    expect(body).not.toContain("<b/onclick");
    expect(body).not.toContain(`href="${receiver.url}`);
  });
});

describe("a refused form", () => {
  test("shows again what was entered, without the authorization, and the reason beside the address", async () => {
    const { who, browser } = await somebody();
    const receiver = receiverOf();
    await receiver.stop();
    const form = { ...formOf(receiver.url, ["room.reply"]), authorization: "Bearer abc123" };
    const answer = await browser.post(page, form);
    expect(answer.status).toBe(422);
    expect(faultsIn(answer.body)).toEqual(["The receiver cannot be reached."]);
    expect(answer.body).toMatch(/aria-invalid="true"[^>]*value="http:\/\/127\.0\.0\.1:\d+\/hook"/);
    expect(checkedIn(answer.body)).toEqual(["room.reply"]);
    expect(answer.body).not.toContain("abc123");
    expect((await get(`${url}/api/mailbox/webhook`, who.pair)).status).toBe(404);
  });

  test.each([
    ["no kind", () => formOf("https://agent.example/", []), /^“Call when” needs/],
    ["no address", () => formOf(" "), /Address/],
    [
      "an authorization with a letter beyond ASCII",
      () => ({ ...formOf("https://agent.example/"), authorization: "Bearer é" }),
      /Authorization header must be visible ASCII/,
    ],
  ])("says what is wrong with %s", async (_, form, reason) => {
    const { browser } = await somebody();
    const answer = await browser.post(page, form());
    expect(answer.status).toBe(422);
    expect(faultsIn(answer.body)).toEqual([expect.stringMatching(reason)]);
  });

  test("does not show a key that was entered as the address", async () => {
    const { who, browser } = await somebody();
    const answer = await browser.post(page, formOf(`https://agent.example/${who.key}`));
    expect(answer.status).toBe(422);
    expect(answer.body).not.toContain(who.key);
  });
});

describe("the page of a webhook", () => {
  test("shows how a test ended, and that the webhook stays", async () => {
    const [{ browser }, receiver] = [await somebody(), receiverOf()];
    await browser.post(page, formOf(receiver.url));
    const accepted = await browser.post(page, { do: "test" });
    expect([accepted.status, faultsIn(accepted.body)]).toEqual([200, []]);
    expect(accepted.body).toContain("The receiver has accepted the test, with status 204.");
    // The secret is still shown, and the receiver may need it now.
    expect(secretsIn((await browser.get(page)).body).length).toBe(1);
    receiver.answering = () => new Response(null, { status: 500 });
    const failed = await browser.post(page, { do: "test" });
    expect(faultsIn(failed.body)).toEqual(["The test has failed. The receiver answered with status 500."]);
    expect(receiver.calls.map(({ body }) => body.type)).toEqual(["test", "test"]);
  });

  test("shows the latest call: its state, its tries, when it is tried again and why it failed", async () => {
    const { who, browser } = await somebody();
    const receiver = receiverOf(() => new Response(null, { status: 503 }));
    expect((await browser.follow(page, formOf(receiver.url))).body).toContain("No call was made yet.");
    const { api } = await open(url, "Calling");
    await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
    await passUntil(service, async () => (await read(who)).call?.tries === 1);
    const queued = (await browser.get(page)).body;
    for (const text of ["queued</span>", "<dt>Next try</dt>", "The receiver answered with status 503."])
      expect(queued).toContain(text);
    await post(`${url}/api/mailbox/ack`, { through: 1 }, who.pair);
    const done = (await browser.get(page)).body;
    expect(done).toContain("read</span>");
    expect(done).not.toContain("<dt>Next try</dt>");
  });

  test("says that it sleeps and what that means, and the note of it leads here from the mailbox and /me", async () => {
    const { who, browser } = await somebody();
    const receiver = receiverOf(() => new Response(null, { status: 503 }));
    await browser.post(page, formOf(receiver.url));
    const { api } = await open(url, "Calling");
    await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
    await passUntil(service, async () => (await read(who)).call?.tries === 1);
    // So much later, the next failure is the last one.
    service.clock.pass(86_400);
    while (!(await read(who)).asleep) {
      service.clock.advance(0.01);
      await Bun.sleep(1);
    }
    expect((await browser.get(page)).body).toContain("It is called once a day");
    for (const path of ["/me/mailbox", "/me"]) {
      const { body } = await browser.get(path);
      expect(body).toContain(`<a href="${url}/me/webhook" dir="auto">Webhook</a>`);
      expect(body).toContain("Your webhook sleeps: its receiver has failed for a day");
      expect(body).not.toContain("/jobs/undefined");
    }
    receiver.answering = () => undefined;
    expect((await browser.post(page, { do: "test" })).body).not.toContain("It is called once a day");
  });

  test("deletes it, also twice, with the secret that it showed", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    await browser.post(page, formOf(receiver.url));
    for (let i = 0; i < 2; i++) {
      const answer = await browser.post(page, { do: "delete" });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, url + page]);
      expect(answer.headers.getSetCookie()[0]).toContain("Max-Age=0;");
    }
    expect((await get(`${url}/api/mailbox/webhook`, who.pair)).status).toBe(404);
    expect((await browser.get(page)).body).not.toContain(receiver.url);
    expect(faultsIn((await browser.post(page, { do: "test" })).body)).toEqual(["The name has no webhook."]);
  });
});

describe("access", () => {
  test("strangers get the page to sign in, and their forms do nothing", async () => {
    const stranger = newBrowser(url);
    const shown = await stranger.get(page);
    expect([shown.status, shown.body.includes("<h1>Sign in</h1>")]).toEqual([401, true]);
    const receiver = receiverOf();
    expect((await stranger.post(page, formOf(receiver.url))).status).toBe(401);
    expect(receiver.challenges).toEqual([]);
  });

  test("a program that was let in does not see, set or test it", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    const { access_token } = await letIn(url, browser);
    await browser.post(page, formOf(receiver.url));
    const bearer = { authorization: `Bearer ${access_token}` };
    const shown = await send("GET", url + page, bearer);
    expect([shown.status, shown.body.includes(receiver.url)]).toEqual([401, false]);
    const form = { ...bearer, origin: url, "content-type": "application/x-www-form-urlencoded" };
    for (const fields of [formOf("https://agent.example/"), { do: "test" }, { do: "delete" }]) {
      const answer = await send("POST", url + page, form, new URLSearchParams(fields).toString());
      expect(answer.status).toBe(401);
    }
    expect(receiver.calls).toEqual([]);
    expect((await read(who)).url).toBe(receiver.url);
  });

  test("forms of other sites do nothing", async () => {
    const [{ who, browser }, receiver] = [await somebody(), receiverOf()];
    for (const form of [formOf(receiver.url), { do: "test" }, { do: "delete" }]) {
      const answer = await browser.post(page, form, { origin: "https://evil.example" });
      expect(answer.status).toBe(403);
    }
    expect(receiver.challenges).toEqual([]);
    expect((await get(`${url}/api/mailbox/webhook`, who.pair)).status).toBe(404);
  });

  test("the page and the link to it are on a service with webhooks only", async () => {
    const { browser } = await somebody();
    const link = (at: string) => `<a href="${at}/me/webhook">Webhook</a>`;
    expect((await browser.get("/me")).body).toContain(link(url));
    const without = await startSource();
    try {
      const other = await signedIn(without.url, await claim(without.url, "Ada"));
      expect((await other.get("/me")).body).not.toContain(link(without.url));
      expect((await other.get(page)).status).toBe(404);
    } finally {
      await without.stop();
    }
  });
});
