/** What tests of live pages need to know of a page. */

import type { Page } from "playwright-core";

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

/** How much has moved, after two frames. */
export const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return (window as unknown as { shifts: number }).shifts;
  });

/** Hides the page as if another tab was chosen, or shows it again. */
export const hide = (page: Page, is_hidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, is_hidden);
