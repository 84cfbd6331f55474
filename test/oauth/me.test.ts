/** The page of a name lists the programs that it has let in, and ends what they may do. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { grantOf } from "../support/grants.ts";
import { get, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Ada");
});
afterAll(() => service.stop());

const grantIds = async () =>
  (await get<{ grants: { id: string }[] }>(`${url}/api/name/grants`, ada.pair)).body.grants.map(
    ({ id }) => id,
  );

test("says nothing of programs if the name has let none in", async () => {
  const browser = await signedIn(url, ada);
  expect((await browser.get("/me")).body).not.toContain("Programs");
});

test("shows each program with the host that is answered, its name as a claim, and a button that ends it", async () => {
  const browser = await signedIn(url, ada);
  const { id } = await grantOf(service, ada, {
    client_name: "</bdi><script>alert(1)</script>\u202egpj.exe",
    client_host: "xn--80ak6aa92e.example",
  });
  const page = (await browser.get("/me")).body;
  expect(page).toContain("<h2>Programs</h2>");
  expect(page).toContain("<b>xn--80ak6aa92e.example</b>");
  expect(page).toContain(
    "calls itself “<bdi>&lt;/bdi&gt;&lt;script&gt;alert(1)&lt;/script&gt;[U+202E]gpj.exe</bdi>”",
  );
  expect(page).not.toContain("<script>");
  expect(page).not.toContain("\u202e");
  expect(page).toContain(`name="grant" value="${id}"`);
  const answer = await browser.post("/me/grants", { grant: id });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${url}/me`]);
  expect(await grantIds()).toEqual([]);
  // The button of a page that is shown in another tab.
  expect((await browser.post("/me/grants", { grant: id })).status).toBe(404);
});

test("no page of another origin, and nobody else, ends a grant", async () => {
  const { id } = await grantOf(service, ada);
  const browser = await signedIn(url, ada);
  const elsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  ];
  for (const headers of elsewhere)
    expect((await browser.post("/me/grants", { grant: id }, headers)).status).toBe(403);
  const bob = await signedIn(url, await claim(url, "Bob"));
  expect((await bob.post("/me/grants", { grant: id })).status).toBe(404);
  expect((await bob.get("/me")).body).not.toContain(id);
  const form = { "content-type": "application/x-www-form-urlencoded", origin: url };
  expect((await send("POST", `${url}/me/grants`, form, `grant=${id}`)).status).toBe(401);
  expect(await grantIds()).toEqual([id]);
});
