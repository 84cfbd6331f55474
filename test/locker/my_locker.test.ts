/** The pages of the locker of the name that is signed in. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Slot } from "../../src/api/locker/locker.ts";
import { call, get } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let browser: Browser;
let names = 0;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
beforeEach(async () => {
  ada = await claim(url, `Ada ${++names}`);
  browser = await signedIn(url, ada);
});
afterAll(() => service.stop());

const read = async (slot: string) => (await get<Slot>(`${url}/api/locker/${slot}`, ada.pair)).body;
const put = (slot: string, body: object) => call("PUT", `${url}/api/locker/${slot}`, body, ada.pair);
const send = (fields: Record<string, string>) =>
  browser.post("/me/locker", { version: "0", visibility: "private", ...fields });
const versionIn = (html: string) => /name="version" value="(\d+)"/.exec(html)?.[1];

test("stores, shows, changes and deletes a slot without a script", async () => {
  const stored = await send({ slot: "notes/today", value: "One & <two>\r\nlines", visibility: "private" });
  expect([stored.status, stored.headers.get("location")]).toEqual([303, `${url}/me/locker/notes/today`]);
  expect(await read("notes/today")).toMatchObject({ value: "One & <two>\nlines", public: false, version: 1 });

  const listed = await browser.get("/me/locker");
  expect(listed.headers.get("cache-control")).toBe("private, no-store");
  expect(listed.body).toContain(`href="${url}/me/locker/notes/today"`);
  const page = await browser.get("/me/locker/notes/today");
  expect(page.body).toContain("One &amp; &lt;two&gt;\nlines</textarea>");

  const changed = {
    slot: "notes/today",
    value: "Changed",
    visibility: "public",
    version: versionIn(page.body)!,
  };
  expect((await send(changed)).status).toBe(303);
  expect(await read("notes/today")).toMatchObject({ value: "Changed", public: true, version: 2 });
  const own = await browser.get("/me/locker/notes/today");
  expect(own.body).toContain(`href="${url}/locker/${encodeURIComponent(ada.name)}/notes/today"`);

  const gone = await send({ slot: "notes/today", version: "2", delete: "1" });
  expect([gone.status, gone.headers.get("location")]).toEqual([303, `${url}/me/locker`]);
  expect((await browser.get("/me/locker")).body).toContain("Nothing is stored yet.");
  expect((await browser.get("/me/locker/notes/today")).status).toBe(404);
});

test("does not let one of two tabs overwrite the other, and keeps both texts", async () => {
  await put("draft", { value: "Begun" });
  const version = versionIn((await browser.get("/me/locker/draft")).body)!;
  expect((await send({ slot: "draft", value: "First tab", version })).status).toBe(303);
  const second = await send({ slot: "draft", value: "Second tab", version });
  expect(second.status).toBe(412);
  expect(second.body).toContain("was written after you opened it. Nothing was stored.");
  expect(second.body).toContain("Second tab</textarea>");
  expect(second.body).toContain("First tab");
  expect((await read("draft")).value).toBe("First tab");
  // Saving again is a decision: the reader has seen what is replaced.
  expect((await send({ slot: "draft", value: "Second tab", version: versionIn(second.body)! })).status).toBe(
    303,
  );
  expect((await read("draft")).value).toBe("Second tab");

  const late = await send({ slot: "draft", version, delete: "1" });
  expect(late.status).toBe(412);
  expect(late.body).toContain("Nothing was deleted.");
  expect((await read("draft")).value).toBe("Second tab");

  await send({ slot: "draft", version: "3", delete: "1" });
  const lost = await send({ slot: "draft", value: "Third tab", version: "3" });
  expect([lost.status, versionIn(lost.body)]).toEqual([412, "0"]);
  expect(lost.body).toContain("was deleted after you opened it");
  expect(lost.body).toContain("Third tab</textarea>");
});

test("a new slot does not replace one of the same name", async () => {
  await put("taken", { value: "There before" });
  const refused = await send({ slot: "taken", value: "New" });
  expect([refused.status, versionIn(refused.body)]).toEqual([412, "1"]);
  expect(refused.body).toContain("You have a slot of this name. Nothing was stored.");
  expect(refused.body).toContain("New</textarea>");
  expect(refused.body).toContain("There before");
  expect((await read("taken")).value).toBe("There before");
});

test("a form that is sent twice succeeds twice and writes once", async () => {
  const form = { slot: "twice", value: "Once" };
  const answers = await Promise.all([send(form), send(form)]);
  expect([...answers, await send(form)].map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await read("twice")).version).toBe(1);
  const gone = { slot: "twice", version: "1", delete: "1" };
  expect([(await send(gone)).status, (await send(gone)).status]).toEqual([303, 303]);
});

test("a slot that ends still ends when it was written here", async () => {
  const before = (await put("short", { value: "Begun", expires_in: 7200 })).body as unknown as Slot;
  const page = await browser.get("/me/locker/short");
  expect(page.body).toContain(`datetime="${before.expires_at}"`);
  expect((await send({ slot: "short", value: "Changed", version: versionIn(page.body)! })).status).toBe(303);
  expect(await read("short")).toMatchObject({ value: "Changed", expires_at: before.expires_at });
});

test.each([
  ["a name that no slot can have", 422, { slot: "a b", value: "x" }, "slot"],
  ["no name", 422, { slot: "", value: "x" }, "slot"],
  ["too long a value", 413, { slot: "long", value: "long ".repeat(7_000) }, "value"],
  ["a text that cannot be stored", 422, { slot: "nul", value: "a\0b" }, "value"],
])("refuses %s, keeps the text, and says why beside the field", async (_title, status, fields, field) => {
  const refused = await send(fields);
  expect(refused.status).toBe(status);
  expect(refused.body).toContain('role="alert"');
  expect(refused.body).toContain(`id="${field}-fault"`);
  if (status !== 422 || field !== "value") expect(refused.body).toContain(`${fields.value}</textarea>`);
  expect((await browser.get("/me/locker")).body).toContain("Nothing is stored yet.");
});

test("refuses a 65th slot beside the name of the slot", async () => {
  for (let i = 0; i < 64; i++) await put(`slot-${i}`, { value: "x" });
  const refused = await send({ slot: "slot-64", value: "One more" });
  expect(refused.status).toBe(409);
  expect(refused.body).toContain('id="slot-fault"');
  expect(refused.body).toContain("Delete one first.");
  expect(refused.body).toContain("One more</textarea>");
});

test("a private slot holds a key, a public one does not, and no refused form shows it again", async () => {
  const value = `my key is ${ada.key}`;
  expect((await send({ slot: "secrets", value })).status).toBe(303);
  expect((await browser.get("/me/locker/secrets")).body).toContain(ada.key);
  const forms: Record<string, string>[] = [
    { slot: "shared", value, visibility: "public" },
    { slot: "secrets", value: `${value} too`, version: "9" },
    { slot: ada.key, value: "x" },
  ];
  for (const fields of forms) {
    const refused = await send(fields);
    expect(refused.status).toBe(fields.version ? 412 : 422);
    expect(refused.body).not.toContain(ada.key);
    if (fields.value !== "x") expect(refused.body).toContain("so it is left out here");
  }
});

test("takes the name that is signed in, and forms of its own pages only", async () => {
  expect((await newBrowser(url).get("/me/locker")).status).toBe(401);
  expect((await newBrowser(url).get("/me/locker/x")).status).toBe(401);
  expect((await newBrowser(url).post("/me/locker", { slot: "x", value: "y" })).status).toBe(401);
  const foreign = await browser.post(
    "/me/locker",
    { slot: "x", value: "y" },
    { origin: "https://evil.example" },
  );
  expect(foreign.status).toBe(403);
  const other = await signedIn(url, await claim(url, `Other ${names}`));
  await put("mine", { value: "Mine alone" });
  expect((await other.get("/me/locker/mine")).status).toBe(404);
  expect((await other.post("/me/locker", { slot: "mine", version: "1", delete: "1" })).status).toBe(303);
  expect((await read("mine")).value).toBe("Mine alone");
});
