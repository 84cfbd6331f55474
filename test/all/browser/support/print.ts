/** What is wrong with a page on paper. */

import type { Page } from "playwright-core";

/** The width of a sheet of A4 with small margins, in CSS pixels. */
const paper_width = 720;

/**
 * Controls, what is cut or scrolls, what is folded away, and times that are not whole, as the beginnings of elements. Leaves the page
 * as it is printed.
 */
export async function printFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: paper_width, height: 1_000 });
  return page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility({ contentVisibilityAuto: true });
    const shown = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown);
    const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
      clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
    const isPartOfTime = (time: Element) => {
      const [before, after] = ["::before", "::after"].map((part) => getComputedStyle(time, part).content);
      const words = `${before} ${(time as HTMLElement).innerText} ${after}`;
      return !/\d{4}/.test(words) || !/UTC/.test(words) || /ago|just now|moment/.test(words);
    };
    const folded = [...document.querySelectorAll("details:not([open]) > :not(summary)")];
    const lost = shown("main svg").flatMap((svg) =>
      [...svg.querySelectorAll("*")].filter((part) => getComputedStyle(part).display === "none"),
    );
    const { right } = document.querySelector("main")!.getBoundingClientRect();
    const faults: [what: string, elements: Element[]][] = [
      ["a control", shown("form, button, input, textarea, select, nav, .button, .actions, .ways, .links")],
      ["cut", shown("pre, table, .scroll, li > a").filter(isCut)],
      ["folded away", folded.filter((part) => isShown(part.parentElement!) && !isShown(part))],
      ["a lost part of a picture", lost],
      ["no whole time", shown("time").filter(isPartOfTime)],
      ["wider than the column", shown("main *").filter((part) => part.getBoundingClientRect().right > right)],
      ["wider than the paper", document.documentElement.scrollWidth > innerWidth ? [document.body] : []],
    ];
    return faults.flatMap(([what, elements]) =>
      elements.slice(0, 3).map((element) => `${what}: ${element.outerHTML.slice(0, 100)}`),
    );
  });
}
