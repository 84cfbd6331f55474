/** What a page weighs. */

import type { Page } from "playwright-core";

/** The bytes of the bodies, as they are sent, of the document, its style, its scripts and its pictures. */
export const bytesOf = (page: Page): Promise<number> =>
  page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ initiatorType }) => initiatorType !== "fetch")
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
