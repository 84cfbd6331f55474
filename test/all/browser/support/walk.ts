/** A person on the pages: what they press and how many pages they load is counted. */

import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";

/** What a way took: clicks, with key presses that send, and pages that were loaded. */
export interface Taken {
  clicks: number;
  loads: number;
}

export interface Walker {
  page: Page;
  /** Loads the page at an address that the person has, such as a link that somebody sent. */
  open(address: string): Promise<void>;
  /** Clicks it. */
  press(what: Locator): Promise<void>;
  /** Clicks the link with this text in the main part. */
  follow(text: string | RegExp): Promise<void>;
  /** Sends the form of the field by its Enter key. */
  enter(field: Locator): Promise<void>;
  taken: Taken;
}

export function walker(page: Page): Walker {
  const taken: Taken = { clicks: 0, loads: 0 };
  page.on("domcontentloaded", () => void taken.loads++);
  const press = async (what: Locator) => {
    taken.clicks++;
    await what.click();
  };
  return {
    page,
    taken,
    press,
    open: async (address) => void (await page.goto(address)),
    follow: (name) => press(page.getByRole("main").getByRole("link", { name }).first()),
    async enter(field) {
      taken.clicks++;
      await field.press("Enter");
    },
  };
}

/** Fails if the persons together took more than `most`. */
export function expectAtMost(most: Taken, ...walkers: Walker[]): void {
  const sum = (of: keyof Taken) => walkers.reduce((all, { taken }) => all + taken[of], 0);
  const taken = { clicks: sum("clicks"), loads: sum("loads") };
  const is_within = taken.clicks <= most.clicks && taken.loads <= most.loads;
  expect({ taken, is_within }).toEqual({ taken, is_within: true });
}

/** Whether the top of it is in the window. */
export async function isInView(what: Locator): Promise<boolean> {
  const box = await what.boundingBox();
  const height = what.page().viewportSize()!.height;
  return box !== null && box.y > -10 && box.y < height - 20;
}
