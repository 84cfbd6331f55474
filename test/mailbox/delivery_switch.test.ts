/** A name chooses whether authors see what became of their posts to it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `reader-${++claimed}`);
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const set = (shown: unknown, headers: Record<string, string> = {}, at = url) =>
  call<{ shown: boolean; code?: string }>("PUT", `${at}/api/mailbox/delivery`, { shown }, headers);
const shownOf = async (who: Holder): Promise<unknown> => (await readMailbox(url, who)).delivery_shown;

async function exportOf(who: Holder): Promise<object[]> {
  const { body } = await send("GET", `${url}/api/name/export`, who.pair);
  const lines = body.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as { kind: string }).filter(({ kind }) => kind === "mailbox");
}

test("a name turns it off and on again, also before it has got a note, and its mailbox says so while it is off", async () => {
  const who = await somebody();
  const before = await readMailbox(url, who);
  expect(before).not.toHaveProperty("delivery_shown");
  for (const shown of [false, false, true, true, false]) {
    const { status, body } = await set(shown, who.pair);
    expect([status, body]).toEqual([200, { shown } as never]);
    expect(await shownOf(who)).toBe(shown ? undefined : false);
  }
  const { api } = await open(url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
  const { notes, ...after } = await readMailbox(url, who);
  expect(notes.map(({ seq }) => seq)).toEqual([1]);
  expect(after).toMatchObject({ count: 1, unread: 1, next_since: 1, delivery_shown: false });
  await set(true, who.pair);
  const { notes: _, ...on } = await readMailbox(url, who);
  expect(Object.keys(on)).toEqual(Object.keys(before).filter((member) => member !== "notes"));
});

test("stays when the mailbox is emptied and when the key is replaced; the export of the name has it while it is off", async () => {
  const who = await somebody();
  expect(await exportOf(who)).toEqual([]);
  await set(false, who.pair);
  await call("DELETE", `${url}/api/mailbox`, undefined, who.pair);
  const { key } = (await post<{ key: string }>(`${url}/api/name/rotate`, {}, who.pair)).body;
  const now = { ...who, key, pair: { ...who.pair, "x-wf-key": key } };
  expect(await shownOf(now)).toBe(false);
  expect(await exportOf(now)).toEqual([{ kind: "mailbox", delivery_shown: false }]);
});

test("is erased when the operator releases the name: the next holder has not chosen it", async () => {
  const who = await somebody();
  await set(false, who.pair);
  await asOwner(service, "POST", `/api/admin/names/${who.name}/release`, { reason: "asked for it" });
  const next = await claim(url, who.name);
  expect(await shownOf(next)).toBeUndefined();
});

test("is refused without a key, with a wrong body, and to a program that acts with an access token", async () => {
  const who = await somebody();
  const bare = await set(false);
  expect([bare.status, bare.body.code]).toEqual([401, "credential_required"]);
  for (const shown of [undefined, null, "off", "perhaps", 2])
    expect([shown, (await set(shown, who.pair)).status]).toEqual([shown, 422]);
  expect(await shownOf(who)).toBeUndefined();

  const oauth = await startSource({ oauth: true });
  const ada = await claim(oauth.url, "ada");
  const { access_token } = await letIn(oauth.url, await signedIn(oauth.url, ada));
  const refused = await set(false, { authorization: `Bearer ${access_token}` }, oauth.url);
  expect([refused.status, refused.body.code]).toEqual([401, "credential_required"]);
  const { body } = await get(`${oauth.url}/api/mailbox`, ada.pair);
  expect(body).not.toHaveProperty("delivery_shown");
  await oauth.stop();
});

test("the page of the mailbox has a button for it, which works without a script", async () => {
  const who = await somebody();
  const browser = await signedIn(url, who);
  const buttonOn = (page: string) =>
    /action="[^"]*\/me\/mailbox\/delivery">\s*<input type="hidden" name="shown" value="(\w+)">\s*<button type="submit">([^<]*)</
      .exec(page.replaceAll("/>", ">"))!
      .slice(1);
  expect(buttonOn((await browser.get("/me/mailbox")).body)).toEqual(["false", "Hide it"]);
  const off = await browser.post("/me/mailbox/delivery", { shown: "false" });
  expect([off.status, off.headers.get("location")]).toEqual([303, `${url}/me/mailbox`]);
  expect(await shownOf(who)).toBe(false);
  expect(buttonOn((await browser.get("/me/mailbox")).body)).toEqual(["true", "Show it"]);
  await browser.post("/me/mailbox/delivery", { shown: "true" });
  expect(await shownOf(who)).toBeUndefined();

  expect((await browser.post("/me/mailbox/delivery", { shown: "perhaps" })).status).toBe(422);
  const foreign = await browser.post(
    "/me/mailbox/delivery",
    { shown: "false" },
    { origin: "https://evil.example" },
  );
  expect(foreign.status).toBe(403);
  expect(await shownOf(who)).toBeUndefined();
});
