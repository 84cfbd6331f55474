/** Rooms and their live pages for tests. */

import type { Page } from "playwright-core";
import { orThrow } from "../../../../src/client/client.ts";
import type { Wharf } from "../../../../testing/wharf.ts";

interface Shift {
  value: number;
  hadRecentInput: boolean;
}

/** Counts, from the next navigation on, how much moves in the window (Layout Instability API). */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    const add = (list: PerformanceObserverEntryList) => {
      for (const { value, hadRecentInput } of list.getEntries() as unknown as Shift[]) {
        if (!hadRecentInput) (window as unknown as { shifts: number }).shifts += value;
      }
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  });
}

/** Resolves when the page is shown as it is now. */
const shown = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });

/** How much has moved. */
export async function shiftsOf(page: Page): Promise<number> {
  await shown(page);
  return page.evaluate(() => (window as unknown as { shifts: number }).shifts);
}

/** Hides the page as if another tab was chosen, or shows it again. */
export const hide = (page: Page, is_hidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, is_hidden);

interface Said {
  id: string;
  n: number;
}
/** A text of some lines. */
export const long = "It takes some lines to say what one has to say, so that a page of it is long. ".repeat(
  4,
);

/** A room with these posts. */
export async function roomWith(wharf: Wharf, bodies: string[], goal = "Who brings what?") {
  const client = wharf.client();
  const { slug, host_key } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name: "ada" } }));
  const path = { room: slug };
  const headers = { "x-meet-key": host_key! };
  const room = {
    slug,
    say: async (body: string, in_reply_to: string | null = null): Promise<Said> =>
      orThrow(
        client.post("/api/meet/rooms/{room}/posts", { path, body: { name: "grace", body, in_reply_to } }),
      ),
    redact: ({ id }: Said) =>
      orThrow(client.delete("/api/meet/rooms/{room}/posts/{id}", { path: { room: slug, id }, headers })),
    close: (last_word?: string) =>
      orThrow(
        client.post("/api/meet/rooms/{room}/close", {
          path,
          headers,
          body: last_word ? { last_word, name: "ada" } : {},
        }),
      ),
    posts: [] as Said[],
  };
  for (const body of bodies) room.posts.push(await room.say(body));
  return room;
}

/** The page of a room that is live. It counts what moves. */
export async function follow(page: Page, slug: string): Promise<void> {
  await countShifts(page);
  await page.goto(`/meet/r/${slug}`);
  await page.locator("#live[data-state=live]").waitFor();
  await page.evaluate(() => void Object.assign(window, { not_reloaded: true }));
}

/** Whether the page was not loaded again since `follow`. */
export const isSamePage = (page: Page): Promise<boolean> => page.evaluate(() => "not_reloaded" in window);

/** Scrolls to the end. A post that is placed in the same frame would count as a shift. */
export async function toEnd(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await shown(page);
}

/** The button that leads to new posts. */
export const button = (page: Page) => page.locator("#live button");
/** The numbers of the posts in the order of the page. */
export const numbers = (page: Page) =>
  page
    .locator("#posts .post")
    .evaluateAll((posts) => posts.map((post) => Number((post as HTMLElement).dataset.n)));
