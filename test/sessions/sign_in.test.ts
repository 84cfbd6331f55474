/** Signing in: the form, the cookie, and what ends a session. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sha256Hex } from "../../src/core/secrets.ts";
import { nextPath } from "../../src/web/next_path.ts";
import { setSessionCookie } from "../../src/web/session_cookie.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn } from "../support/sign_in.ts";
import { stored } from "../support/stored.ts";

let service: SourceService;
let url: string;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Ada");
});
afterAll(() => service.stop());

const day = 24 * 3600;
/** Whether the browser is signed in. */
const isIn = async (browser: { get(path: string): Promise<{ status: number }> }): Promise<boolean> =>
  (await browser.get("/me")).status === 200;

describe("the form", () => {
  test("signs in with a name and its key, and leads to the page that was wanted", async () => {
    const browser = newBrowser(url);
    const answer = await browser.post("/signin", { name: "ada", key: ada.key, next: "/jobs?tag=a" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${url}/jobs?tag=a`]);
    const page = await browser.get("/me");
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(page.headers.get("vary")).toContain("Cookie");
    expect(page.body).toContain("This browser");
    expect(page.body).toContain(`<bdi>Ada</bdi>`);
  });

  test("refuses a wrong key as every call does, and repeats no key", async () => {
    const other = await claim(url, "Bob");
    const browser = newBrowser(url);
    for (const key of [other.key, "wfk_wrong", "nonsense", ""]) {
      const answer = await browser.post("/signin", { name: "Ada", key });
      expect([key, answer.status, browser.cookie]).toEqual([key, 401, ""]);
      expect(answer.body).toContain('role="alert"');
      expect(answer.body).toContain('value="Ada"');
      expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
      if (key) expect(answer.body).not.toContain(key);
    }
    expect((await browser.post("/signin", { name: ada.key, key: ada.key })).status).toBe(422);
  });

  test("says in place of a page that takes a name what it needs, and comes back to it", async () => {
    const answer = await newBrowser(url).get("/me?x=1");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
    expect(answer.body).not.toContain("x=1");
    const fields = { name: "Ada", key: ada.key };
    const back = await newBrowser(url).post("/signin", fields, { referer: `${url}/me?x=1` });
    expect([back.status, back.headers.get("location")]).toEqual([303, `${url}/me?x=1`]);
    const elsewhere = await newBrowser(url).post("/signin", fields, { referer: "https://evil.example/" });
    expect(elsewhere.headers.get("location")).toBe(`${url}/me`);
    const api = await get(`${url}/api/locker/x`);
    expect([api.status, api.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="wharf"']);
  });

  test("is accepted from the service's own pages only", async () => {
    const browser = newBrowser(url);
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }]) {
      const answer = await browser.post("/signin", { name: "Ada", key: ada.key }, headers);
      expect([answer.status, browser.cookie]).toEqual([403, ""]);
    }
  });

  test("leads nowhere but to pages of the service", () => {
    const cases: [string, string | null, string][] = [
      ["https://wharf.example", "/meet", "/meet"],
      ["https://wharf.example", "/meet?q=a#b", "/meet?q=a#b"],
      ["https://wharf.example/below", "/meet", "/meet"],
      ["https://wharf.example/below", "https://wharf.example/below/meet", "/meet"],
      ["https://wharf.example/below", "https://wharf.example/elsewhere", "/me"],
      ["https://wharf.example/below", "/../elsewhere", "/me"],
      ["https://wharf.example/below", "/%2e%2e/elsewhere", "/me"],
      ["https://wharf.example", "https://wharf.example.evil.example/", "/me"],
      ["https://wharf.example", "https://evil.example/", "/me"],
      ["https://wharf.example", "//evil.example/", "/me"],
      ["https://wharf.example", "/\\evil.example/", "/me"],
      ["https://wharf.example", "/\t/evil.example/", "/me"],
      ["https://wharf.example", "/a/..//evil.example/", "/me"],
      ["https://wharf.example", "https://wharf.example//evil.example/", "/me"],
      ["https://wharf.example", "javascript:alert(1)", "/me"],
      ["https://wharf.example", "/signout", "/me"],
      ["https://wharf.example", "", "/me"],
      ["https://wharf.example", null, "/me"],
    ];
    for (const [base, wanted, path] of cases)
      expect([wanted, nextPath(base, wanted)]).toEqual([wanted, path]);
  });
});

describe("the cookie", () => {
  test("is for this service alone, and for no script", async () => {
    const answer = await newBrowser(url).post("/signin", { name: "Ada", key: ada.key });
    const [pair, ...attributes] = answer.headers.get("set-cookie")!.split("; ");
    expect(pair).toMatch(/^wharf=wfs_[0-9A-Za-z]{49}$/);
    expect(attributes).toEqual(["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Lax"]);
  });

  test("is Secure under https, and has the prefix that its path allows", () => {
    const of = (base: string) => setSessionCookie(base, "x")["set-cookie"];
    expect(of("https://wharf.example")).toBe(
      "__Host-wharf=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure",
    );
    expect(of("https://wharf.example/below")).toBe(
      "__Secure-wharf=x; Path=/below/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure",
    );
    expect(of("http://127.0.0.1:4273")).toBe("wharf=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax");
  });

  test("works at a service with an https base URL, under that name only", async () => {
    const secure = await startSource({ base_url: "https://wharf.example/below" });
    const holder = await claim(secure.url, "Ada");
    const browser = newBrowser(secure.url);
    await browser.post("/signin", { name: "Ada", key: holder.key }, { origin: "https://wharf.example" });
    expect(browser.cookie).toStartWith("__Secure-wharf=wfs_");
    expect(await isIn(browser)).toBe(true);
    browser.cookie = browser.cookie.replace("__Secure-", "");
    expect(await isIn(browser)).toBe(false);
    await secure.stop();
  });

  test("is stored as a hash, and in no log", async () => {
    const browser = await signedIn(url, ada);
    const cookie = browser.cookie.split("=")[1]!;
    const rows = await stored(service.directory, "SELECT * FROM sessions");
    expect(JSON.stringify(rows)).toContain(sha256Hex(cookie));
    expect(JSON.stringify(rows)).not.toContain(cookie);
    expect(service.output()).not.toContain(cookie);
    expect((await browser.get(`/meet?q=${cookie}`)).status).toBe(422);
  });

  test("of no session, or of one that has ended, counts as none", async () => {
    const browser = newBrowser(url);
    for (const cookie of ["wharf=", "wharf=nonsense", `wharf=wfs_${"0".repeat(49)}`, `wharf=${ada.key}`]) {
      browser.cookie = cookie;
      expect([cookie, (await browser.get("/meet")).status, await isIn(browser)]).toEqual([
        cookie,
        200,
        false,
      ]);
    }
  });

  test("counts at the API of its own pages, and a key that is sent beside it counts in its place", async () => {
    const browser = await signedIn(url, ada);
    const bob = await claim(url, "Bobby");
    const whoami = (headers: Record<string, string>) =>
      post(`${url}/api/name/whoami`, undefined, { ...headers, origin: url });
    const { cookie } = browser;
    expect((await whoami({ cookie })).body).toMatchObject({ name: "Ada" });
    expect((await whoami({ cookie, ...bob.pair })).body).toMatchObject({ name: "Bobby" });
    expect((await whoami({ cookie, authorization: `Bearer ${bob.key}` })).body).toMatchObject({
      name: "Bobby",
    });
    expect((await whoami({ cookie, "x-wf-key": "wrong" })).status).toBe(401);
    expect((await whoami({ cookie, "x-wf-name": "Ada" })).status).toBe(401);
  });

  test("is no key: it cannot replace the key of its name", async () => {
    const browser = await signedIn(url, ada);
    const headers = { cookie: browser.cookie, origin: url };
    const answer = await post(`${url}/api/name/rotate`, undefined, headers);
    expect([answer.status, answer.body.code]).toEqual([401, "credential_required"]);
  });

  test("is no credential of an MCP client, at any address of MCP", async () => {
    const browser = await signedIn(url, ada);
    const opened = await browser.post("/meet", { goal: "Also an address of MCP" });
    const room = /\/meet\/r\/([^/]+)/.exec(opened.headers.get("location")!)![1]!;
    const speaking = { name: "meet_speak", arguments: { room, name: "Ada", body: "With a cookie." } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: speaking };
    for (const place of ["/mcp", "/mcp/", "/mcp/meet", "/mcp/meet/", `/mcp/meet/${room}`]) {
      const answer = await post(`${url}${place}`, message, { cookie: browser.cookie, origin: url });
      const refused = expect.stringContaining("name_is_claimed") as string;
      expect([place, JSON.stringify(answer.body)]).toEqual([place, refused]);
    }
  });
});

describe("a session ends", () => {
  test("when it is signed out of", async () => {
    const browser = await signedIn(url, ada);
    const before = browser.cookie;
    expect((await browser.post("/signout")).status).toBe(303);
    expect(browser.cookie).toBe("");
    browser.cookie = before;
    expect(await isIn(browser)).toBe(false);
  });

  test("after 30 days without use, but not while it is used", async () => {
    const used = await signedIn(url, ada);
    const unused = await signedIn(url, ada);
    for (let days = 0; days < 32; days += 8) {
      service.clock.advance(8 * day);
      expect(await isIn(used)).toBe(true);
    }
    expect(await isIn(unused)).toBe(false);
  });

  test("when its name ends it, alone or with all others", async () => {
    const grace = await claim(url, "Grace");
    const [own, second, third, fourth] = [
      await signedIn(url, grace),
      await signedIn(url, grace),
      await signedIn(url, grace),
      await signedIn(url, grace),
    ];
    const stranger = await signedIn(url, ada);
    const page = await own.get("/me");
    const ids = Array.from(page.body.matchAll(/name="session" value="([0-9a-f-]{36})"/g), ([, id]) => id!);
    expect(ids).toHaveLength(3);
    for (const id of ids) await stranger.post("/me/sessions", { session: id });
    const inNow = () => Promise.all([own, second, third, fourth].map(isIn));
    expect(await inNow()).toEqual([true, true, true, true]);
    await own.post("/me/sessions", { session: ids[0]! });
    expect((await inNow()).filter(Boolean)).toHaveLength(3);
    await own.post("/me/sessions", { session: "others" });
    expect(await inNow()).toEqual([true, false, false, false]);
    expect(await isIn(stranger)).toBe(true);
  });

  test("when its name has too many: the one that was used longest ago", async () => {
    const many = await claim(url, "Many");
    const browsers = [];
    for (let i = 0; i < 11; i++) {
      browsers.push(await signedIn(url, many));
      service.clock.advance(1);
    }
    const inNow = await Promise.all(browsers.map(isIn));
    expect(inNow).toEqual(browsers.map((_, i) => i > 0));
  });

  test("when the key of its name is replaced, recovered or revoked", async () => {
    const name = "Turing";
    const first = await post<Holder & { recovery_code: string }>(`${url}/api/name`, { name });
    const pair = (key: string) => ({ "x-wf-name": name, "x-wf-key": key });
    let key = first.body.key;
    const endings: (() => Promise<{ body: { key?: string } }>)[] = [
      () => post<Holder>(`${url}/api/name/rotate`, undefined, pair(key)),
      () => post<Holder>(`${url}/api/name/recover`, { name, recovery_code: first.body.recovery_code }),
      () => post<Holder>(`${url}/api/name/revoke`, { key }),
    ];
    for (const end of endings) {
      const browser = await signedIn(url, { name, key });
      expect(await isIn(browser)).toBe(true);
      key = (await end()).body.key ?? "";
      expect(await isIn(browser)).toBe(false);
    }
  });

  test("when the operator suspends or releases its name, and does not begin again", async () => {
    const mallory = await claim(url, "Mallory");
    const operate = (what: string) =>
      asOwner(service, "POST", `/api/admin/names/Mallory/${what}`, { reason: "spam" });
    const browser = await signedIn(url, mallory);
    await operate("suspend");
    expect(await isIn(browser)).toBe(false);
    expect((await newBrowser(url).post("/signin", { name: "Mallory", key: mallory.key })).status).toBe(403);
    await operate("unsuspend");
    expect(await isIn(browser)).toBe(false);
    const again = await signedIn(url, mallory);
    await operate("release");
    expect(await isIn(again)).toBe(false);
    await claim(url, "Mallory");
    expect(await isIn(again)).toBe(false);
  });
});

test("a new sign-in replaces the session that the browser had", async () => {
  const browser = await signedIn(url, ada);
  const before = browser.cookie;
  await browser.post("/signin", { name: "Ada", key: ada.key });
  expect(browser.cookie).not.toBe(before);
  browser.cookie = before;
  expect(await isIn(browser)).toBe(false);
});

test("an answer to a session is stored by no cache, but for files that never change", async () => {
  const browser = await signedIn(url, ada);
  const plain = await send("GET", `${url}/meet`);
  const style = /assets\/[^"]+style\.css/.exec(plain.body)![0];
  expect(plain.headers.get("cache-control")).toBe("no-cache");
  expect((await browser.get("/meet")).headers.get("cache-control")).toBe("private, no-store");
  const head = await send("HEAD", `${url}/meet`, browser.headers());
  expect(head.headers.get("cache-control")).toBe("private, no-store");
  const listed = await call("GET", `${url}/api/meet/rooms`, undefined, { cookie: browser.cookie });
  expect(listed.headers.get("cache-control")).toBe("private, no-store");
  expect((await browser.get(`/${style}`)).headers.get("cache-control")).toContain("immutable");
});
