/** Posts that have arrived and that the reader has not seen: counted on a button, which leads to them, and in the title. */

import { articleOf } from "./thread.ts";

/** Whether any part of the element is in the window, of a page that is shown. */
function isInView(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return !document.hidden && height > 0 && bottom > 0 && top < innerHeight;
}

export class Unseen {
  /** Posts, also those that are not on the page yet. */
  readonly #posts = new Set<HTMLElement>();
  readonly #button: HTMLButtonElement;
  readonly #title = document.title;
  readonly #observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) this.#see(target.parentElement!);
    }
    this.#show();
  });

  /** `placeAll` puts the posts on the page that are not on it. The button calls it before it leads to the first one. */
  constructor(button: HTMLButtonElement, placeAll: () => HTMLElement[]) {
    this.#button = button;
    button.addEventListener("click", () => {
      const placed = placeAll();
      this.#goToFirst();
      this.placed(placed);
    });
  }

  /** Adds a post that is not on the page yet. */
  add(post: HTMLElement): void {
    this.#posts.add(post);
    this.#show();
  }

  /** Posts were placed on the page: each counts until it is in view. */
  placed(posts: HTMLElement[]): void {
    for (const post of posts) {
      if (isInView(articleOf(post))) this.#see(post);
      else this.#observer.observe(articleOf(post));
    }
    this.#show();
  }

  /** The content of a post that is on the page was replaced. */
  renewed(post: HTMLElement): void {
    if (this.#posts.has(post)) this.#observer.observe(articleOf(post));
  }

  #see(post: HTMLElement): void {
    this.#posts.delete(post);
    this.#observer.unobserve(articleOf(post));
  }

  #show(): void {
    const count = this.#posts.size;
    this.#button.hidden = count === 0;
    const shown = count > 99 ? "99+" : count;
    if (count > 0) this.#button.textContent = count === 1 ? "1 new post" : `${shown} new posts`;
    document.title = count === 0 ? this.#title : `(${shown}) ${this.#title}`;
  }

  /** Leads to the first post in the order of the page, and marks it. */
  #goToFirst(): void {
    const first = [...document.querySelectorAll<HTMLElement>(".post")].find((post) => this.#posts.has(post));
    if (!first) return;
    for (let branch = first.closest("details"); branch; branch = branch.parentElement!.closest("details"))
      branch.open = true;
    location.replace(`#${first.id}`);
  }
}
