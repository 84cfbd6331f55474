/** Replaces parts of a page by the same parts of a fresh copy. */

import { showTimes } from "./times.ts";

/** An answer other than 2xx. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/** The answer to a GET of `url`, which browsers send with the cookie of the session. Throws `Refused`. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Refused(response.status);
  return response;
}

/** A fresh copy of the page at `url`. Scripts in it do not run. */
export async function freshPage(url: string): Promise<Document> {
  return new DOMParser().parseFromString(await (await fetchOk(url)).text(), "text/html");
}

/** Replaces each element with an id and `data-live="copy"` by the element of `fresh` with that id. */
export function copyParts(fresh: Document): void {
  for (const old of document.querySelectorAll<HTMLElement>("[data-live=copy]")) {
    const next = fresh.getElementById(old.id);
    if (next && sourceOf(next) !== sourceOf(old)) replace(old, next);
  }
}

/** The HTML as it was sent: without what the scripts made of times, and what a person has opened. */
function sourceOf(element: Element): string {
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute("style");
  for (const part of [copy, ...copy.querySelectorAll("details")]) part.removeAttribute("open");
  for (const time of copy.querySelectorAll("time")) {
    time.textContent = "";
    delete time.dataset.whole;
  }
  return copy.outerHTML;
}

/**
 * Replaces an element. The content below moves only if the element grows. What a person has opened in it, such as a question, stays as
 * it is if it is still there. The focus stays there, or on the same link.
 */
export function replace(old: HTMLElement, next: HTMLElement): void {
  const focused = old.querySelector<HTMLElement>(":focus");
  next.style.minHeight = `${old.getBoundingClientRect().height}px`;
  showTimes(next);
  for (const opened of old.querySelectorAll("details[open]")) {
    const source = sourceOf(opened);
    [...next.querySelectorAll("details")].find((part) => sourceOf(part) === source)?.replaceWith(opened);
  }
  old.replaceWith(next);
  const href = focused?.getAttribute("href");
  const same = href ? next.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`) : focused;
  same?.focus({ preventScroll: true });
}
