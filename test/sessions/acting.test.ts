/** What people do on pages when they have signed in, or have opened a room: post, redact, close. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

interface Read {
  room: { closed: boolean };
  posts: { id: string; n: number; name: string; claimed: boolean; body: string | null; redacted?: string }[];
  total: number;
}

let service: SourceService;
let url: string;
let ada: Holder;
let browser: Browser;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Ada");
  browser = await signedIn(url, ada);
});
afterAll(() => service.stop());

let rooms = 0;
/** A new room, opened by the API: nobody's session has its rights. */
async function newRoom(): Promise<{ slug: string; host_key: string }> {
  const goal = `Acting ${++rooms}`;
  return (await post<{ slug: string; host_key: string }>(`${url}/api/meet/rooms`, { goal, name: "Host" }))
    .body;
}
const read = async (slug: string) => (await get<Read>(`${url}/api/meet/rooms/${slug}`)).body;
/** The hidden fields of the form with this action. */
function hidden(html: string, action: string): Record<string, string> {
  const form = html
    .slice(html.search(RegExp(`method="post" action="${url}${action}[#"]`)))
    .split("</form>")[0]!;
  return Object.fromEntries(
    Array.from(form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name!,
      value!,
    ]),
  );
}

describe("posting", () => {
  test("takes the name that is signed in, and asks for none", async () => {
    const { slug } = await newRoom();
    const page = await browser.get(`/meet/r/${slug}`);
    expect(page.body).toContain("Posting as");
    expect(page.body).not.toContain('name="name"');
    expect((await browser.post(`/meet/r/${slug}`, { body: "Signed in." })).status).toBe(303);
    expect((await read(slug)).posts).toMatchObject([{ name: "Ada", claimed: true, body: "Signed in." }]);
  });

  test("under another name than the one that is signed in is refused, and keeps the text", async () => {
    const { slug } = await newRoom();
    const answer = await browser.post(`/meet/r/${slug}`, { name: "Eve", body: "Not me." });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain("Not me.");
  });

  test("asks for a name again if the session has ended meanwhile, and keeps the text", async () => {
    const { slug } = await newRoom();
    const other = await signedIn(url, ada);
    const { cookie } = other;
    await other.post("/signout");
    other.cookie = cookie;
    const answer = await other.post(`/meet/r/${slug}`, { body: "Too late." });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain("Too late.");
    expect(answer.body).toContain('name="name"');
    expect((await read(slug)).total).toBe(0);
  });

  test("twice from the same page posts once, and once more from the next page", async () => {
    for (const [sender, name] of [
      [browser, {}],
      [newBrowser(url), { name: "Eve" }],
    ] as const) {
      const { slug } = await newRoom();
      const fields = async () => ({
        ...hidden((await sender.get(`/meet/r/${slug}`)).body, `/meet/r/${slug}`),
        ...name,
        body: "Once.",
      });
      const sent = await fields();
      expect(sent).toHaveProperty("once");
      const [one, two] = await Promise.all([
        sender.post(`/meet/r/${slug}`, sent),
        sender.post(`/meet/r/${slug}`, sent),
      ]);
      const three = await sender.post(`/meet/r/${slug}`, sent);
      const places = [one, two, three].map((answer) => [answer.status, answer.headers.get("location")]);
      expect(places).toEqual([places[0]!, places[0]!, places[0]!]);
      expect(places[0]![0]).toBe(303);
      expect((await read(slug)).total).toBe(1);
      expect((await sender.post(`/meet/r/${slug}`, { ...sent, body: "Other." })).status).toBe(303);
      expect((await sender.post(`/meet/r/${slug}`, await fields())).status).toBe(303);
      expect((await read(slug)).total).toBe(3);
    }
  });
});

describe("pages", () => {
  test("of a reader without a session say nothing of any session, whoever read them before", async () => {
    const { slug } = await newRoom();
    await browser.post(`/meet/r/${slug}`, { body: "Mine." });
    for (const path of [
      `/meet/r/${slug}`,
      `/meet/r/${slug}/after/0`,
      `/meet/r/${slug}/post/1`,
      "/meet",
      "/",
    ]) {
      const own = await browser.get(path);
      const plain = await newBrowser(url).get(path);
      const again = await browser.get(path);
      expect(own.body).toBe(again.body);
      expect(own.headers.get("cache-control")).toBe("private, no-store");
      expect(plain.headers.get("cache-control")).not.toContain("private");
      for (const mark of ["Posting as", "/me", "redact="])
        expect([path, plain.body.includes(`${mark}"`)]).toEqual([path, false]);
      expect(plain.body).not.toContain("redact=");
    }
    expect((await browser.get(`/meet/r/${slug}`)).body).toContain(
      `href="${url}/meet/r/${slug}?redact=1#redact"`,
    );
  });
});

describe("redacting", () => {
  test("is for the author: asked first, then done", async () => {
    const { slug } = await newRoom();
    await browser.post(`/meet/r/${slug}`, { body: "A slip." });
    const page = await browser.get(`/meet/r/${slug}?redact=1`);
    expect(page.body).toContain("Redact #1?");
    expect(hidden(page.body, `/meet/r/${slug}/redact`)).toEqual({ post: "1" });
    expect((await browser.post(`/meet/r/${slug}/redact`, { post: "1" })).status).toBe(303);
    expect((await read(slug)).posts).toMatchObject([{ body: null, redacted: "author" }]);
  });

  test("is refused for the posts of others, and without a session", async () => {
    const { slug } = await newRoom();
    await post(`${url}/api/meet/rooms/${slug}/posts`, { name: "Eve", body: "Hers." });
    expect((await browser.get(`/meet/r/${slug}`)).body).not.toContain("redact=1");
    expect((await browser.post(`/meet/r/${slug}/redact`, { post: "1" })).status).toBe(403);
    expect((await newBrowser(url).post(`/meet/r/${slug}/redact`, { post: "1" })).status).toBe(401);
    expect((await read(slug)).posts).toMatchObject([{ body: "Hers." }]);
  });
});

describe("the browser that has opened a room", () => {
  test.each(["without a name", "signed in"])("redacts and closes there, %s", async (how) => {
    const is_signed_in = how === "signed in";
    const host = is_signed_in ? await signedIn(url, ada) : newBrowser(url);
    const fields = { goal: `Hosted ${how}`, ...(!is_signed_in && { name: "Host" }) };
    const opened = await host.follow("/meet", fields);
    expect(opened.status).toBe(200);
    expect(opened.headers.get("cache-control")).toContain("no-store");
    const slug = /\/meet\/r\/([^"?#<]+)/.exec(opened.body)![1]!;
    expect(opened.body).toMatch(/<code[^>]*>wfh_/);
    const elsewhere = (await browser.get(`/meet/r/${slug}/key`)).body;
    expect(elsewhere).toContain("It was shown once");
    expect(elsewhere).not.toMatch(/wfh_|\/receipt\?r=/);
    const page = await host.get(`/meet/r/${slug}`);
    expect(page.body).toContain("Close this room");
    expect(page.body).not.toContain("You have the host key?");
    await post(`${url}/api/meet/rooms/${slug}/posts`, { name: "Eve", body: "Spam." });
    expect((await host.get(`/meet/r/${slug}`)).body).toContain("?redact=1#redact");
    expect((await host.post(`/meet/r/${slug}/redact`, { post: "1" })).status).toBe(303);
    expect((await read(slug)).posts).toMatchObject([{ redacted: "host" }]);
    const last = { last_word: "Done.", ...(!is_signed_in && { name: "Host" }) };
    const refused = await host.post(`/meet/r/${slug}/close`, { ...last, last_word: "x".repeat(4001) });
    expect([refused.status, refused.body.includes("xxxx")]).toEqual([422, true]);
    expect((await host.post(`/meet/r/${slug}/close`, last)).status).toBe(303);
    const { room, posts } = await read(slug);
    expect([room.closed, posts.at(-1)!.body]).toEqual([true, "Done."]);
  });

  test("is not another browser, nor that of a host whose session has ended", async () => {
    const host = newBrowser(url);
    const opened = await host.post("/meet", { goal: "Mine alone", name: "Host" });
    const slug = /\/meet\/r\/([^/]+)/.exec(opened.headers.get("location")!)![1]!;
    expect((await newBrowser(url).post(`/meet/r/${slug}/close`)).status).toBe(401);
    expect((await browser.post(`/meet/r/${slug}/close`)).status).toBe(401);
    await host.post("/signout");
    expect((await host.post(`/meet/r/${slug}/close`)).status).toBe(401);
    expect((await read(slug)).room.closed).toBe(false);
  });

  test("keeps its rooms when it signs in", async () => {
    const host = newBrowser(url);
    const opened = await host.post("/meet", { goal: "Then signed in", name: "Host" });
    const slug = /\/meet\/r\/([^/]+)/.exec(opened.headers.get("location")!)![1]!;
    await host.post("/signin", { name: "Ada", key: ada.key });
    expect((await host.post(`/meet/r/${slug}/close`)).status).toBe(303);
  });

  test("opens one room if the form is sent twice", async () => {
    const page = (await newBrowser(url).get("/meet")).body;
    const fields = { ...hidden(page, "/meet"), goal: "Only once", name: "Host" };
    const [one, two] = [
      await newBrowser(url).post("/meet", fields),
      await newBrowser(url).post("/meet", fields),
    ];
    expect([one.status, two.status]).toEqual([303, 303]);
    expect(two.headers.get("location")).toBe(one.headers.get("location"));
    expect(two.headers.has("set-cookie")).toBe(false);
    const mine = { ...hidden(page, "/meet"), goal: "Only once, signed in" };
    const [three, four] = [await browser.follow("/meet", mine), await browser.follow("/meet", mine)];
    expect(/wfh_\w+/.exec(three.body)![0]).toBe(/wfh_\w+/.exec(four.body)![0]);
    const { body } = await get<{ rooms: { goal: string }[] }>(`${url}/api/meet/rooms`);
    expect(body.rooms.filter(({ goal }) => goal.startsWith("Only once"))).toHaveLength(2);
  });
});

describe("a host key", () => {
  test("gives a browser the rights of the host, and a wrong one gives none", async () => {
    const { slug, host_key } = await newRoom();
    const other = await newRoom();
    const host = newBrowser(url);
    expect((await host.post(`/meet/r/${slug}/host`, { host_key: other.host_key })).status).toBe(403);
    expect(host.cookie).toBe("");
    expect((await host.post(`/meet/r/${slug}/host`, { host_key })).status).toBe(303);
    expect((await host.get(`/meet/r/${slug}`)).body).toContain("Close this room");
    expect((await host.post(`/meet/r/${other.slug}/close`)).status).toBe(401);
    expect((await host.post(`/meet/r/${slug}/close`)).status).toBe(303);
  });
});

test("the mailbox of the name shows what is unread, and marks it as read", async () => {
  const { slug } = await newRoom();
  const linus = await claim(url, "Linus");
  const reader = await signedIn(url, linus);
  expect((await reader.get("/me/mailbox")).body).toContain("No note has come yet");
  await post(`${url}/api/meet/rooms/${slug}/posts`, { name: "Eve", body: "Hello @Linus, <b>you</b>" });
  const page = (await reader.get("/me/mailbox")).body;
  expect(page).toContain("mentioned you");
  expect(page).toContain("&lt;b&gt;you");
  expect(page).toContain(`${url}/meet/r/${slug}/1`);
  expect(page).toContain("1 unread");
  expect((await reader.post("/me/mailbox", hidden(page, "/me/mailbox"))).status).toBe(303);
  const read = (await reader.get("/me/mailbox")).body;
  expect([read.includes("0 unread"), read.includes("Mark all as read")]).toEqual([true, false]);
  expect((await newBrowser(url).get("/me/mailbox")).status).toBe(401);
});

test("jobs are claimed, delivered and reviewed by forms, each once", async () => {
  const poster = await claim(url, "Poster");
  const asPoster = await signedIn(url, poster);
  const newJob = async () =>
    (await post<{ id: string }>(`${url}/api/jobs`, { title: "A job", detail: "In detail." }, poster.pair))
      .body.id;
  const id = await newJob();
  const at = `/me/jobs/${id}`;
  const job = async () => (await get(`${url}/api/jobs/${id}`)).body;
  const press = async (who: Browser, action: string, fields: Record<string, string> = {}) => {
    const { body } = await who.get(at);
    expect(body).toContain(`action="${url}${at}/${action}"`);
    const sent = { ...hidden(body, `${at}/${action}`), ...fields };
    expect([action, (await who.post(`${at}/${action}`, sent)).status]).toEqual([action, 303]);
    expect([action, (await who.post(`${at}/${action}`, sent)).status]).toEqual([action, 303]);
  };
  expect((await asPoster.get(at)).body).not.toContain(`${at}/claim`);
  await press(browser, "claim");
  expect((await browser.get("/me/jobs")).body).toContain(at);
  await press(browser, "release");
  expect(await job()).toMatchObject({ state: "open" });
  await press(browser, "claim");
  const refused = await browser.post(`${at}/deliver`, { result: "My result.", claim_no: "1" });
  expect([refused.status, refused.body.includes("My result.")]).toEqual([409, true]);
  await press(browser, "deliver", { result: "My result." });
  const listedIn = async (section: string) =>
    (await browser.get("/me/jobs")).body
      .split(`<section id="${section}"`)[1]!
      .split("</section>")[0]!
      .includes(at);
  const places = async () => [
    await listedIn("held"),
    await listedIn("delivered"),
    await listedIn("accepted"),
  ];
  expect(await places()).toEqual([false, true, false]);
  await press(asPoster, "review", { reason: "", verdict: "accepted" });
  expect(await places()).toEqual([false, false, true]);
  expect(await job()).toMatchObject({
    state: "delivered",
    result: "My result.",
    review: { verdict: "accepted" },
  });
  expect((await newBrowser(url).get(at)).status).toBe(401);
  expect((await browser.post(`/me/jobs/${await newJob()}/erase`)).status).toBe(404);
});
