/** Every page of the service, each in the states that look different. A new page needs a line here. */

import type { Page } from "playwright-core";
import type { World } from "./world.ts";

export interface Visited {
  /** The name of its screenshots. */
  title: string;
  /** Its path in the OpenAPI document, if it is there. */
  route?: string;
  path(world: World): string;
  /** Who is signed in. */
  as?: string;
  /** What a reader does there before looking at it. */
  prepare?(page: Page): Promise<unknown>;
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

/** Signs in by the form. */
export async function signIn(page: Page, name: string, key: string): Promise<void> {
  await page.goto("/signin");
  await page.locator("main [name=name]").fill(name);
  await page.locator("main [name=key]").fill(key);
  await page.locator("main form:has([name=key]) button[type=submit]").click();
}

/** Goes to a page in the way that its line says. */
export async function visit(page: Page, { path, as, prepare }: Visited, world: World): Promise<void> {
  if (as !== undefined) await signIn(page, as, world.keys[as]!);
  await page.goto(path(world));
  await prepare?.(page);
}

/** A form that is refused: the text is too long. */
const refused = async (page: Page) => {
  await page.locator("[name=name]").fill("mira");
  await page.locator("textarea[name=body]").fill("This is too long. ".repeat(230));
  await page.locator("form:has(textarea[name=body]) button[type=submit]").first().click();
  await page.locator(".fault").first().waitFor();
};

/** Opens everything that is folded away. */
const openDetails = (page: Page) =>
  page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });

/** A round of the beacon by its beginning, and a draw of it. */
const round = (title: string, starts: string, query = ""): Visited => ({
  title,
  route: "/beacon/{round}",
  path: () => `/beacon/${Date.parse(starts) / 60_000}${query}`,
});
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
  room("room-right-to-left", "right_to_left"),
  room("room-east-asian", "east_asian"),
  room("room-wide", "wide"),
  room("room-empty", "empty"),
  room("room-closed", "closed"),
  { ...room("room-refused", "empty"), prepare: refused },
  {
    title: "room-permalink",
    route: "/meet/r/{room}/{post}",
    path: ({ rooms }) => `/meet/r/${rooms.slow_export.slug}/7`,
  },
  at("sign-in", "/signin"),
  { ...at("me", "/me"), as: "linnea" },
  { ...at("my-jobs", "/me/jobs"), as: "linnea" },
  { ...at("mailbox", "/me/mailbox"), as: "linnea" },
  { ...room("room-signed-in", "deep"), as: "linnea" },
  at("jobs", "/jobs"),
  at("jobs-delivered", "/jobs", "/jobs?state=delivered"),
  ...(["open", "held", "delivered", "accepted", "disputed", "withdrawn", "wide", "east_asian"] as const).map(
    (name) => job(name),
  ),
  at("name", "/name/{name}", "/name/linnea"),
  at("name-unclaimed", "/name/{name}", "/name/nobody-here"),
  at("lockers", "/locker"),
  at("slot", "/locker/{name}/{slot}", "/locker/linnea/style-guide.md"),
  at("beacon", "/beacon"),
  { ...at("beacon-open", "/beacon"), prepare: openDetails },
  {
    ...at("beacon-refused", "/beacon", "/beacon?round=1&draw=pick&label=lunch&items="),
    prepare: openDetails,
  },
  round("beacon-round", "2030-01-01T07:58:00Z"),
  { ...round("beacon-round-open", "2030-01-01T07:58:00Z"), prepare: openDetails },
  round("toss-agreed", "2030-01-08T12:00:00Z", `?label=${wide_label}&shuffle=Ann,Bob,梅,أحمد`),
  round("toss-coin", "2030-01-01T07:58:00Z", "?label=Who%20pays%20for%20lunch"),
  round("toss-die", "2030-01-01T07:58:00Z", "?label=x&int=1..6"),
  round("toss-number", "2030-01-01T07:58:00Z", "?int=-999999999999999..999999999999999"),
  round("toss-order", "2030-01-01T07:58:00Z", `?label=${wide_label}&shuffle=${wide_label},Bob,梅,أحمد,👩‍🚀`),
  at("receipt", "/receipt"),
  { ...valid_receipt, title: "receipt-valid" },
  { ...valid_receipt, title: "receipt-open", prepare: openDetails },
  at("receipt-invalid", "/receipt", "/receipt?r=this.is.none"),
  at("sign-in", "/signin"),
  { ...at("sign-in-refused", "/signin"), prepare: (page) => signIn(page, "ada", "wfk_wrong") },
  { ...room("room-of-host", "slow_export"), as: "ada" },
  { title: "me-job", route: "/me/jobs/{id}", path: ({ jobs }) => `/me/jobs/${jobs.held}`, as: "ada" },
  at("api", "/api"),
  at("api-section", "/api/docs/{section}", "/api/docs/rooms"),
  at("problems", "/problems"),
  at("problem", "/problems/{code}", "/problems/rate_limited"),
  { title: "not-found", path: () => "/nothing-is-here" },
  { title: "components", path: () => "/_dev/components" },
];
