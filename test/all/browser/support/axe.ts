/** axe-core in a page: what it finds in both schemes, on a phone and on a desk. */

import axe from "axe-core";
import type { Page } from "playwright-core";

/** All rules for WCAG 2.2, levels A and AA, and what axe calls best practices. None is switched off. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules that find something else in another scheme or at another width. */
const of_looks = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

const looks = [
  { scheme: "light", width: 1280, only: { type: "tag", values: tags } },
  { scheme: "dark", width: 1280, only: { type: "rule", values: of_looks } },
  { scheme: "light", width: 390, only: { type: "rule", values: of_looks } },
  { scheme: "dark", width: 390, only: { type: "tag", values: tags } },
] as const;

/**
 * Makes a page load without scripts from now on. After `restore`, axe can run in the page that was loaded: it reads nothing
 * in a `noscript`, so the children of these take their place.
 */
export async function withoutScripts(page: Page): Promise<{ restore(): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  const disable = (value: boolean) => session.send("Emulation.setScriptExecutionDisabled", { value });
  await disable(true);
  return {
    async restore() {
      await disable(false);
      await page.evaluate(() => {
        for (const element of document.querySelectorAll("noscript"))
          element.replaceWith(...element.childNodes);
      });
    },
  };
}

/**
 * What is wrong with the page as it is, one line a rule and look. Leaves it dark and 390 pixels wide. `is_brief`: on a desk in
 * the light and on a phone in the dark alone.
 */
export async function findings(page: Page, is_brief = false): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { scheme, width, only } of looks) {
    if (is_brief && only.type === "rule") continue;
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    const violations = await page.evaluate(async (run_only) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const options = { runOnly: run_only, resultTypes: ["violations"] };
      const { violations } = await run(document, options as unknown as axe.RunOptions);
      return violations.map(({ id, nodes }) => {
        const where = nodes.slice(0, 3).map(({ target }) => target.join(" "));
        return `${id}: ${where.join(", ")} (${nodes.length}): ${nodes[0]?.failureSummary ?? ""}`;
      });
    }, only);
    found.push(...violations.map((text) => `${scheme}, ${width}: ${text}`));
  }
  return found;
}
