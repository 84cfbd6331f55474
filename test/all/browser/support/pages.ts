/** Every page of the service, each in the states that look different. A new page needs a line here. */

import type { Page } from "playwright-core";
import type { Admins } from "./admins.ts";
import type { Webhooks, WebhookState } from "./webhooks.ts";
import type { World } from "./world.ts";

/** What there is to visit. */
export type Places = World & { admins: Admins };

export interface Visited<In = World> {
  /** The name of its screenshots. */
  title: string;
  /** Its path in the OpenAPI document, if it is there. */
  route?: string;
  path(world: In): string;
  /** The header that the browser sends with each request. */
  authorization?(world: In): string;
  /** Who is signed in. */
  as?: string;
  /** What a reader does there before looking at it. */
  prepare?(page: Page, world: In): Promise<unknown>;
}

const room = (title: string, name: keyof World["rooms"]): Visited => ({
  title,
  route: "/meet/r/{room}",
  path: ({ rooms }) => `/meet/r/${rooms[name].slug}`,
});
const job = (name: keyof World["jobs"]): Visited => ({
  title: `job-${name.replaceAll("_", "-")}`,
  route: "/jobs/{id}",
  path: ({ jobs }) => `/jobs/${jobs[name]}`,
});
const at = (title: string, route: string, path = route): Visited => ({ title, route, path: () => path });

/** Signs in by the form, or is refused; `at`: the URL of another service than that of the browser. */
export async function signIn(page: Page, name: string, key: string, at = ""): Promise<void> {
  await page.goto(`${at}/signin`);
  await page.locator("main [name=name]").fill(name);
  await page.locator("main [name=key]").fill(key);
  await page.locator("main form:has([name=key]) button[type=submit]").click();
  await page.locator(".fault, header .me bdi").first().waitFor();
}

let claims = 0;
/** Sends the form to claim a name. */
async function claimName(page: Page, name: string): Promise<void> {
  await page.locator("main [name=name]").fill(name);
  await page.locator("main form:has([name=once]) button[type=submit]").click();
  await page.locator(".fault, .copy").first().waitFor();
}

/** Goes to a page in the way that its line says. */
export async function visit<In extends World>(page: Page, shown: Visited<In>, world: In): Promise<void> {
  const { path, as, prepare, authorization } = shown;
  if (authorization) await page.setExtraHTTPHeaders({ authorization: authorization(world) });
  if (as !== undefined) await signIn(page, as, world.keys[as]!);
  await page.goto(path(world));
  await prepare?.(page, world);
}

/** The page for admins of a service, with the token of its admin. */
const admin = (
  title: string,
  of: "quiet" | "busy",
  prepare?: Visited<Places>["prepare"],
): Visited<Places> => ({
  title,
  route: "/admin",
  path: ({ admins }) => `${admins[of].url}/admin`,
  authorization: ({ admins }) => admins[of].authorization,
  ...(prepare && { prepare }),
});

/** The page of the webhook of a name, who is signed in; or another page of it. */
const webhook = (
  title: string,
  of: WebhookState,
  prepare: (page: Page, webhooks: Webhooks) => Promise<unknown> = async () => {},
  path = "/me/webhook",
): Visited<Places> => ({
  title,
  route: path,
  path: ({ admins }) => admins.webhooks.url + path,
  async prepare(page, { admins: { webhooks } }) {
    await signIn(page, of, webhooks.keys[of], webhooks.url);
    await page.goto(webhooks.url + path);
    await prepare(page, webhooks);
  },
});

/** Sends the form of a webhook, and waits for this. */
const setWebhook = async (page: Page, address: string, wait_for: string) => {
  await openDetails(page);
  await page.locator("[name=url]").fill(address);
  await page.locator("[name=authorization]").fill("Bearer 0123456789");
  await page.locator("form:has([name=url]) button[type=submit]").click();
  await page.locator(wait_for).first().waitFor();
};

const testWebhook = async (page: Page) => {
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.locator(".fault, [role=status]").first().waitFor();
};

/** A form that is refused: the text is too long. */
const refused = async (page: Page) => {
  await page.locator("[name=name]").fill("mira");
  await page.locator("textarea[name=body]").fill("This is too long. ".repeat(230));
  await page.locator("form:has(textarea[name=body]) button[type=submit]").first().click();
  await page.locator(".fault").first().waitFor();
};

const openRoom = async (page: Page) => {
  await page.locator("#open [name=goal]").fill("Which of the three parsers do we keep?");
  await page.locator("#open [name=name]").fill("nora");
  await page.locator("#open button[type=submit]").click();
  await page.getByRole("heading", { name: "The room is open" }).waitFor();
};

const openPrivate = async (page: Page) => {
  await page.locator("#open [name=goal]").fill("Which of the two offers do we take?");
  await page.locator("#open [name=visibility]").selectOption("private");
  await page.locator("#open button[type=submit]").click();
  await page.getByRole("heading", { name: "The room is open" }).waitFor();
};

/** A form that is refused: nobody has claimed the name. */
const refusedMember = async (page: Page) => {
  await page.locator("#invite [name=name]").fill("nobody-here");
  await page.locator("#invite [name=role]").selectOption("reader");
  await page.locator("#invite button[type=submit]").click();
  await page.locator("#invite .fault").waitFor();
};

/** Opens a room with its own name, and mentions two names in it. */
const mention = async (page: Page) => {
  await page.locator("#open [name=goal]").fill("Who reads the tide gauge on Sunday?");
  await page.locator("#open button[type=submit]").click();
  await page.getByRole("heading", { name: "The room is open" }).waitFor();
  await page.locator("main a[href*='/meet/r/']").first().click();
  await page.locator("textarea[name=body]").fill("@linnea or @tide-reader, can you?");
  await page.locator("form:has(textarea[name=body]) button[type=submit]").click();
  // The script of the room may show the post before the browser is led to it.
  await page.waitForURL(/#p-/);
  await page.locator(".delivery").waitFor();
};

/** Opens a room, whose host this browser is then, with a pace that two posts exceed. */
const slowDown = async (page: Page) => {
  await openRoom(page);
  await page.getByRole("link", { name: "Go to the room" }).click();
  await page.locator("#pace > summary").click();
  await page.getByLabel("These numbers").check();
  await page.locator("#pace-posts").fill("2");
  await page.getByRole("button", { name: "Set the pace" }).click();
  for (const body of ["The old one is wrong.", "And the new one is slow."]) {
    await page.locator("form:has(textarea[name=body]) [name=name]").fill("nora");
    await page.locator("textarea[name=body]").fill(body);
    await page.locator("form:has(textarea[name=body]) button[type=submit]").click();
    await page.locator("#posts").getByText(body).waitFor();
  }
  await page.locator("[data-slowed]").waitFor();
};

const report = async (page: Page) => {
  await page.locator("#report [name=reason]").fill("It is an advertisement.");
  await page.locator("#report button.main").click();
  await page.getByRole("heading", { name: "The post is reported" }).waitFor();
};

/** A form that is refused: the slot was written in another tab. */
const overwritten = async (page: Page) => {
  const version = page.locator("form:has(textarea) [name=version]");
  await version.evaluate((input: HTMLInputElement) => (input.value = "0"));
  await page.locator("textarea[name=value]").fill("夏草や\n兵どもが\n夢の跡");
  await page.locator("form:has(textarea) button[type=submit]").click();
  await page.locator(".fault").first().waitFor();
};

const refusedOffer = async (page: Page) => {
  await page.locator("#offer [name=title]").fill("Too long ".repeat(20));
  await page.locator("#offer [name=detail]").fill("Count the boats.");
  await page.locator("#offer [name=tags]").fill("Not_A_Tag");
  await page.locator("#offer button[type=submit]").click();
  await page.locator(".fault").first().waitFor();
};

/** Opens everything that is folded away. */
const openDetails = (page: Page) =>
  page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });

/** Opens what is in a receipt. A script checks it with the keys that it loads, and replaces what the service has shown. */
const openReceipt = async (page: Page) => {
  await page.waitForLoadState("networkidle");
  await openDetails(page);
};

/** A round of the beacon by its beginning, and a draw of it. */
const round = (title: string, starts: string, query = ""): Visited => ({
  title,
  route: "/beacon/{round}",
  path: () => `/beacon/${Date.parse(starts) / 60_000}${query}`,
});
const sides = "?label=Who%20pays%20for%20lunch%3B%20heads%3A%20Ann%3B%20tails%3A%20أحمد%20and%20Bob";
const wide_label = "Donaudampfschifffahrtsgesellschaftskapitaen".repeat(3);
const valid_receipt = { route: "/receipt", path: ({ receipt }: World) => `/receipt?r=${receipt}` };

export const visited: Visited[] = [
  at("home", "/"),
  at("rooms", "/meet"),
  at("rooms-search", "/meet", "/meet?q=index"),
  at("rooms-search-nothing", "/meet", "/meet?q=nothing+has+these+words"),
  room("room", "slow_export"),
  room("room-deep", "deep"),
  room("room-long", "long"),
  { title: "room-whole", path: ({ rooms }) => `/meet/r/${rooms.deep.slug}?all=1` },
  room("room-right-to-left", "right_to_left"),
  room("room-east-asian", "east_asian"),
  room("room-wide", "wide"),
  room("room-empty", "empty"),
  room("room-held", "held"),
  room("room-closed", "closed"),
  { ...room("room-refused", "empty"), prepare: refused },
  {
    title: "room-permalink",
    route: "/meet/r/{room}/{post}",
    path: ({ rooms }) => `/meet/r/${rooms.slow_export.slug}/7`,
  },
  ...(["reply", "report", "redact"] as const).map((form) => ({
    title: `room-${form}`,
    path: ({ rooms }: World) =>
      `/meet/r/${rooms.slow_export.slug}?${form}=7#${form === "reply" ? "speak" : form}`,
    ...(form === "redact" && { as: "ada" }),
  })),
  at("sign-in", "/signin"),
  at("claim", "/claim", "/claim?name=Ada"),
  { ...at("claim-refused", "/claim"), prepare: (page) => claimName(page, "linnea") },
  { ...at("claimed", "/claim"), prepare: (page) => claimName(page, `newcomer ${++claims}`) },
  { ...at("me", "/me"), as: "linnea" },
  { ...at("my-jobs", "/me/jobs"), as: "linnea" },
  { ...at("my-rooms", "/me/rooms"), as: "linnea" },
  { ...at("my-rooms-search", "/me/rooms", "/me/rooms?q=march"), as: "linnea" },
  { ...at("my-rooms-none", "/me/rooms"), as: "juno-indexer" },
  { ...at("rooms-search-signed-in", "/meet", "/meet?q=march"), as: "linnea" },
  { ...at("mailbox", "/me/mailbox"), as: "linnea" },
  { ...at("my-receipts", "/me/receipts"), as: "linnea" },
  { ...at("my-receipts-none", "/me/receipts", "/me/receipts?of=rooms"), as: "juno-indexer" },
  { ...at("my-locker", "/me/locker"), as: "linnea" },
  { ...at("my-locker-empty", "/me/locker"), as: "mira" },
  { ...at("my-slot", "/me/locker/{slot}", "/me/locker/style-guide.md"), as: "linnea", prepare: openDetails },
  { ...at("my-slot-refused", "/me/locker/{slot}", "/me/locker/haiku"), as: "linnea", prepare: overwritten },
  { ...room("room-signed-in", "deep"), as: "linnea" },
  { ...at("rooms-signed-in", "/meet"), as: "linnea" },
  { ...room("room-private", "team"), as: "babbage" },
  { ...room("room-private-host", "team"), as: "ada" },
  { ...room("room-private-reader", "team"), as: "mira" },
  { ...room("room-private-refused", "team"), as: "ada", prepare: refusedMember },
  {
    title: "room-private-change",
    path: ({ rooms }) => `/meet/r/${rooms.team.slug}?member=babbage#member`,
    as: "ada",
  },
  { ...at("room-private-opened", "/meet"), as: "linnea", prepare: openPrivate },
  at("jobs", "/jobs"),
  at("jobs-delivered", "/jobs", "/jobs?state=delivered"),
  { ...at("jobs-signed-in", "/jobs"), as: "linnea" },
  { ...at("jobs-offer-refused", "/jobs"), as: "linnea", prepare: refusedOffer },
  { title: "sign-in-for-job", route: "/signin", path: ({ jobs }) => `/signin?next=/me/jobs/${jobs.wide}` },
  ...(["open", "held", "delivered", "accepted", "disputed", "withdrawn", "wide", "east_asian"] as const).map(
    (name) => job(name),
  ),
  at("name", "/name/{name}", "/name/linnea"),
  // The position of 4 January 2030, before which there are posts.
  at("name-earlier", "/name/{name}", "/name/linnea?cursor=WyIyMDMwLTAxLTA0VDAwOjAwOjAwLjAwMFoiLDBd"),
  at("name-unclaimed", "/name/{name}", "/name/nobody-here"),
  at("lockers", "/locker"),
  at("slot", "/locker/{name}/{slot}", "/locker/linnea/style-guide.md"),
  at("beacon", "/beacon"),
  { ...at("beacon-open", "/beacon"), prepare: openDetails },
  {
    ...at("beacon-refused", "/beacon", "/beacon?round=1&draw=pick&label=lunch&items="),
    prepare: openDetails,
  },
  at("beacon-late", "/beacon", "/beacon?round=1&draw=coin&label=lunch&heads=Ann"),
  round("beacon-round", "2030-01-01T07:58:00Z"),
  { ...round("beacon-round-open", "2030-01-01T07:58:00Z"), prepare: openDetails },
  round("toss-agreed", "2030-01-08T12:00:00Z", `?label=${wide_label}&shuffle=Ann,Bob,梅,أحمد`),
  round("toss-coin", "2030-01-01T07:58:00Z", "?label=Who%20pays%20for%20lunch"),
  round("toss-sides", "2030-01-01T07:58:00Z", sides),
  round("toss-sides-agreed", "2030-01-08T12:00:00Z", sides),
  {
    ...at("toss-begun", "/beacon/{round}", "/beacon"),
    prepare: async (page) => {
      const last = (await page.locator("#now a").getAttribute("href"))!.split("/").at(-1);
      await page.goto(`/beacon/${Number(last) + 1}${sides}`);
    },
  },
  round("toss-die", "2030-01-01T07:58:00Z", "?label=x&int=1..6"),
  round("toss-number", "2030-01-01T07:58:00Z", "?int=-999999999999999..999999999999999"),
  round("toss-order", "2030-01-01T07:58:00Z", `?label=${wide_label}&shuffle=${wide_label},Bob,梅,أحمد,👩‍🚀`),
  at("receipt", "/receipt"),
  { ...valid_receipt, title: "receipt-valid" },
  { ...valid_receipt, title: "receipt-open", prepare: openReceipt },
  at("receipt-invalid", "/receipt", "/receipt?r=this.is.none"),
  { ...at("sign-in-refused", "/signin"), prepare: (page) => signIn(page, "ada", "wfk_wrong") },
  { ...room("room-of-host", "slow_export"), as: "ada" },
  { ...at("room-of-author", "/meet"), as: "babbage", prepare: mention },
  { title: "me-job", route: "/me/jobs/{id}", path: ({ jobs }) => `/me/jobs/${jobs.held}`, as: "ada" },
  ...(["open", "delivered", "accepted"] as const).map((state) => ({
    title: `me-job-${state}`,
    path: ({ jobs }: World) => `/me/jobs/${jobs[state]}`,
    as: state === "delivered" ? "tidekeeper" : "linnea",
  })),
  { ...at("room-opened", "/meet"), prepare: openRoom },
  { title: "room-slowed", path: () => "/meet", prepare: slowDown },
  {
    title: "reported",
    path: ({ rooms }) => `/meet/r/${rooms.closed.slug}?report=2#report`,
    prepare: report,
  },
  { ...job("accepted"), title: "job-of-poster", as: "linnea" },
  at("api", "/api"),
  at("api-section", "/api/docs/{section}", "/api/docs/rooms"),
  at("problems", "/problems"),
  at("problem", "/problems/{code}", "/problems/rate_limited"),
  { title: "not-found", path: () => "/nothing-is-here" },
  { title: "components", path: () => "/_dev/components" },
];

/** Those that take a service with an admin, too. */
export const visited_by_all: Visited<Places>[] = [
  ...visited,
  {
    title: "consent",
    path: ({ admins }) => admins.consent.url,
    authorization: ({ admins }) => admins.consent.authorization,
  },
  webhook("webhook-none", "none"),
  webhook("webhook-set", "set", (page, { receiver }) => setWebhook(page, receiver, "code.whole")),
  webhook("webhook-called", "called"),
  webhook("webhook-tested", "called", testWebhook),
  webhook("webhook-change", "called", openDetails),
  webhook("webhook-asleep", "asleep"),
  webhook("webhook-test-failed", "asleep", testWebhook),
  webhook("webhook-refused", "none", (page, { dead }) => setWebhook(page, dead, ".fault")),
  webhook("me-webhook-asleep", "asleep", undefined, "/me"),
  webhook("mailbox-webhook-asleep", "asleep", undefined, "/me/mailbox"),
  admin("admin", "busy"),
  admin("admin-quiet", "quiet"),
  admin("admin-asks", "busy", async (page) => {
    await page.getByRole("button", { name: "Erase" }).first().click();
    await page.locator("#sure").waitFor();
  }),
  admin("admin-refused", "busy", async (page) => {
    await page.locator("#target").fill("no such post");
    await page.locator("#reason").fill("It is spam.");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator(".fault").first().waitFor();
  }),
];
