/** Claiming a name with a browser: the page shows the secrets once, signs the browser in, and says why it refuses. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { name_limits } from "../../src/api/limits.ts";
import { isSecret } from "../../src/core/secrets.ts";
import { asOwner } from "../support/admin.ts";
import { get, post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

/** The hidden fields of the form. */
async function formOf(browser: Browser, query = ""): Promise<Record<string, string>> {
  const { body } = await browser.get(`/claim${query}`);
  return Object.fromEntries(
    Array.from(body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string>;
}

/** The secrets in a page. */
const secretsIn = (page: string): string[] =>
  Array.from(page.matchAll(/<code[^>]*>(wf[kr]_\w+)<\/code>/g), ([, secret]) => secret!);
const faultsIn = (page: string): string[] =>
  Array.from(page.matchAll(/<p class="fault"[^>]*>(.*?)<\/p>/g), ([, fault]) =>
    fault!.replace(/<[^>]+>/g, "").replaceAll("&#39;", "'"),
  );

describe("--claims open", () => {
  test("shows key and recovery code, signs the browser in, and leads on", async () => {
    const browser = newBrowser(url);
    const answer = await browser.follow("/claim", {
      ...(await formOf(browser, "?next=/jobs")),
      name: " Ada ",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const [key = "", code = "", ...others] = secretsIn(answer.body);
    expect([isSecret("wfk_", key), isSecret("wfr_", code), others]).toEqual([true, true, []]);
    expect(answer.body).toContain(`name="next" value="/jobs"`);
    const me = await browser.get("/me");
    expect([me.status, me.body.includes("<bdi>Ada</bdi>")]).toEqual([200, true]);
    expect(me.body).not.toContain(key);
    expect((await signedIn(url, { name: "ada", key })).cookie).not.toBe("");
    const recovered = await post<{ name: string }>(`${url}/api/name/recover`, {
      name: "ada",
      recovery_code: code,
    });
    expect([recovered.status, recovered.body.name]).toEqual([200, "Ada"]);
  });

  test("claims one name for a form that is sent twice, also at once, and shows the same key", async () => {
    const browser = newBrowser(url);
    const form = { ...(await formOf(browser)), name: "Twice" };
    const both = await Promise.all([
      newBrowser(url).follow("/claim", form),
      newBrowser(url).follow("/claim", form),
    ]);
    const later = await browser.follow("/claim", form);
    // The browser now has a session, and is the same.
    const signed_in = await browser.follow("/claim", form);
    expect(new Set([...both, later, signed_in].map(({ body }) => secretsIn(body)[0])).size).toBe(1);
  });

  test("leads to the page with the key, which shows it for ten minutes, to this browser and from its own site only", async () => {
    const browser = newBrowser(url);
    const form = { ...(await formOf(browser, "?next=/jobs")), name: "Led" };
    const answer = await browser.post("/claim", form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${url}/claim/key?next=%2Fjobs`]);
    const [, once = ""] = answer.headers.getSetCookie();
    expect(once).toMatch(/^wharf-once=[\w-]+; Path=\/claim\/key; Max-Age=600; HttpOnly; SameSite=Strict$/);
    expect(once).not.toMatch(/wf[kr]_/);
    const shows = async (who: Browser, cookie?: string) =>
      secretsIn((await who.get("/claim/key", cookie === undefined ? {} : { cookie })).body).length;
    const own = [browser.cookie, once.split(";")[0]].join("; ");
    // The address alone, the cookie alone, and the cookie with another session or changed show nothing.
    const other = await signedIn(url, await claim(url, "Other than Led"));
    expect(await shows(newBrowser(url))).toBe(0);
    expect(await shows(newBrowser(url), once.split(";")[0])).toBe(0);
    expect(await shows(newBrowser(url), [other.cookie, once.split(";")[0]].join("; "))).toBe(0);
    expect(await shows(newBrowser(url), own.slice(0, -1))).toBe(0);
    expect(await shows(newBrowser(url), `${browser.cookie}; wharf-once=AAAA`)).toBe(0);
    // Loading it again shows the same.
    expect([await shows(browser), await shows(browser)]).toEqual([2, 2]);
    service.clock.advance(600);
    expect(await shows(newBrowser(url), own)).toBe(0);
    expect((await browser.get("/claim/key")).body).toContain("The key was shown");
  });

  test("shows nothing after the button says that both are saved, nor after signing out", async () => {
    for (const end of ["/claim/key", "/signout"]) {
      const browser = newBrowser(url);
      await browser.post("/claim", {
        ...(await formOf(browser)),
        name: `Ends with ${end.slice(1).replace("/", "-")}`,
      });
      const ended = await browser.post(end, { next: "/jobs" });
      expect([ended.status, ended.headers.get("location")]).toEqual([
        303,
        url + (end === "/signout" ? "/" : "/jobs"),
      ]);
      const { status, body } = await browser.get("/claim/key");
      expect([status, secretsIn(body)]).toEqual([200, []]);
    }
  });

  test.each([
    ["a long one", `/oauth/authorize?client_id=https%3A%2F%2Fx.example&state=${"s".repeat(7000)}`],
    ["one in other letters", `/meet?q=${encodeURIComponent("ж".repeat(400))}`],
  ])("shows the key and leads back to the page of before: %s", async (what, next) => {
    const browser = newBrowser(url);
    const form = { ...(await formOf(browser)), next, name: `Leads to ${what}` };
    const { body } = await browser.follow("/claim", form);
    expect(secretsIn(body)).toHaveLength(2);
    const shown = /name="next" value="([^"]*)"/.exec(body)![1]!.replaceAll("&amp;", "&");
    expect(shown).toBe(next);
    const { headers } = await browser.post("/claim/key", { next: shown });
    expect(headers.get("location")).toBe(url + next);
  });

  test("shows the key, and leads to the own page, if the page of before has too long an address, or is elsewhere", async () => {
    const browser = newBrowser(url);
    const next = `/meet?q=${"s".repeat(20_000)}`;
    const { body } = await browser.follow("/claim", { ...(await formOf(browser)), next, name: "Too long" });
    expect([secretsIn(body).length, body.includes('name="next" value="/me"')]).toEqual([2, true]);
    const changed = await browser.get("/claim/key?next=https%3A%2F%2Fevil.example%2F");
    expect([secretsIn(changed.body).length, changed.body.includes('name="next" value="/me"')]).toEqual([
      2,
      true,
    ]);
  });

  test("shows the key of the longest name", async () => {
    // Of three bytes each. The cookie has the name and its canonical form.
    const name = "学".repeat(name_limits.name_chars_max);
    const browser = newBrowser(url);
    const { body } = await browser.follow("/claim", { ...(await formOf(browser)), name });
    expect([secretsIn(body).length, body.includes(name)]).toEqual([2, true]);
  });

  test("gives the key to no other form with the same name", async () => {
    const browser = newBrowser(url);
    await browser.post("/claim", { ...(await formOf(browser)), name: "Once" });
    for (const form of [await formOf(newBrowser(url)), {}, { once: "1" }]) {
      const answer = await newBrowser(url).post("/claim", { ...form, name: "Once" });
      expect([answer.status, secretsIn(answer.body)]).toEqual([409, []]);
    }
  });

  test("refuses beside the field of the name, and what was entered stays", async () => {
    await claim(url, "lola");
    const belongs =
      "1ola, or a name that looks like it, belongs to somebody. If it is you, sign in; else choose another name.";
    const cases: [string, number, string][] = [
      ["1ola", 409, belongs],
      ["admin", 422, "Nobody can claim admin: it is reserved. Choose another name."],
      ["", 422, "Name must not be empty."],
      ["x".repeat(65), 422, "Name is 65 characters long; at most 64 fit."],
    ];
    for (const [name, status, fault] of cases) {
      const browser = newBrowser(url);
      const form = await formOf(browser);
      const answer = await browser.post("/claim", { ...form, name });
      expect([name, answer.status, faultsIn(answer.body)]).toEqual([name, status, [fault]]);
      expect(answer.body).toContain(`id="name-fault"`);
      expect(answer.body).toContain(`value="${name}"`);
      expect(answer.body).toContain(`value="${form.once}"`);
      expect(browser.cookie).toBe("");
    }
  });

  test("refuses beside the field when an address has claimed as many names as it may", async () => {
    const limited = await startSource({ rate_limit: true, claims_per_hour_by_address: 1 });
    const browser = newBrowser(limited.url);
    await browser.post("/claim", { ...(await formOf(browser)), name: "First" });
    const other = newBrowser(limited.url);
    const answer = await other.post("/claim", { ...(await formOf(other)), name: "Second" });
    expect([answer.status, faultsIn(answer.body)]).toEqual([
      429,
      ["That was too often. Send it again in 60 minutes."],
    ]);
    expect(answer.body).toContain('value="Second"');
    await limited.stop();
  });

  test("takes no key as a name, shows none again, and is accepted from the service's own pages only", async () => {
    const { key } = await claim(url, "Grace");
    const browser = newBrowser(url);
    const form = await formOf(browser);
    const answer = await browser.post("/claim", { ...form, name: key });
    expect([answer.status, answer.body.includes(key)]).toEqual([422, false]);
    expect((await get(`${url}/claim?name=${key}`)).status).toBe(422);
    const elsewhere = await browser.post(
      "/claim",
      { ...form, name: "X1" },
      { origin: "https://evil.example" },
    );
    expect([elsewhere.status, browser.cookie]).toEqual([403, ""]);
  });
});

describe("--claims invite", () => {
  let invited: SourceService;
  beforeAll(async () => void (invited = await startSource({ claims: "invite", read: "members" })));
  afterAll(() => invited.stop());

  test("has a field for the invitation, and claims with it, also where only members read", async () => {
    const { body: invite } = await asOwner<{ code: string }>(invited, "POST", "/api/admin/invites", {});
    const browser = newBrowser(invited.url);
    const form = { ...(await formOf(browser)), name: "Ada" };
    const without = await browser.post("/claim", form);
    expect([without.status, faultsIn(without.body)]).toEqual([
      403,
      ["Enter the invitation that the operator gave you."],
    ]);
    const wrong = await browser.post("/claim", { ...form, invite: "wfi_wrong" });
    expect([wrong.status, faultsIn(wrong.body).length, wrong.body.includes('id="invite-fault"')]).toEqual([
      403,
      1,
      true,
    ]);
    const answer = await browser.follow("/claim", { ...form, invite: ` ${invite.code} ` });
    expect([answer.status, secretsIn(answer.body).length]).toEqual([200, 2]);
    expect((await browser.get("/meet")).status).toBe(200);
  });
});

test("under --claims closed, the pages say so and have no form", async () => {
  const closed = await startSource({ claims: "closed" });
  const browser = newBrowser(closed.url);
  for (const path of ["/claim", "/signin"]) {
    const { body } = await browser.get(path);
    expect(body).toContain("No new names are claimed here.");
    expect(body).not.toContain('action="/claim"');
    expect(body).not.toContain("/claim?");
  }
  const answer = await browser.post("/claim", { name: "Ada" });
  expect([answer.status, browser.cookie]).toEqual([403, ""]);
  await closed.stop();
});
