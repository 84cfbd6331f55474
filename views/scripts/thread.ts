/** The posts of a room on its page: where new posts belong. views/post.tsx makes the markup. */

/** Replies to a reply of this level are beside it. Keep it equal to `reply_depth_max` of the room. */
export const depth_max = 6;

/** The posts in HTML that the service sent for this page. */
export function postsIn(html: string): HTMLElement[] {
  const template = document.createElement("template");
  template.innerHTML = html;
  return [...template.content.querySelectorAll<HTMLElement>("li.post")];
}

export const articleOf = (post: Element): HTMLElement => post.querySelector<HTMLElement>(":scope > article")!;

/** Puts a post into `thread`, which has all earlier ones: below the post that it answers, otherwise at the end. */
export function place(post: HTMLElement, thread: HTMLElement): void {
  const parent = thread.querySelector<HTMLElement>(`#p-${CSS.escape(post.dataset.parent ?? "")}`);
  if (!parent) thread.append(post);
  else if (depthOf(parent) >= depth_max) parent.parentElement!.append(post);
  else {
    unquote(post);
    repliesOf(parent).append(post);
  }
  recount(post);
}

/** Counts the replies below each post that this one is below. */
function recount(post: Element): void {
  for (let branch = post.closest(".branch"); branch; branch = branch.parentElement!.closest(".branch")) {
    const count = branch.querySelectorAll(".post").length;
    branch.querySelector("summary")!.textContent = count === 1 ? "1 reply" : `${count} replies`;
  }
}

/** How many posts are above it in its branch. */
function depthOf(post: Element): number {
  let depth = 0;
  for (let list = post.closest(".replies"); list; list = list.parentElement!.closest(".replies")) depth++;
  return depth;
}

/** The list of replies to a post, added if it had none. */
function repliesOf(post: HTMLElement): Element {
  const list = post.querySelector(":scope > .branch > .replies");
  if (list) return list;
  const branch = document.createElement("details");
  branch.className = "branch";
  branch.open = true;
  const replies = document.createElement("ol");
  replies.className = "replies";
  branch.append(document.createElement("summary"), replies);
  post.append(branch);
  return replies;
}

/** Removes the line that quotes the post above. */
const unquote = (post: Element): void => articleOf(post).querySelector(":scope > .quoted")?.remove();

/** Replaces the content of a post without moving the posts below it. */
export function renew(post: HTMLElement, fresh: HTMLElement): void {
  if (!articleOf(post).querySelector(":scope > .quoted")) unquote(fresh);
  const height = articleOf(post).getBoundingClientRect().height;
  articleOf(fresh).style.minHeight = `${height}px`;
  articleOf(post).replaceWith(articleOf(fresh));
}

/** The post with this id or number, which is `root` or below it, and those that quote it. */
export function showing(root: HTMLElement, id: string, n: number): HTMLElement[] {
  const own = root.id === `p-${id}` ? root : root.querySelector<HTMLElement>(`#p-${CSS.escape(id)}`);
  const quotes = root.querySelectorAll(`.quoted a:is([href="#p-${CSS.escape(id)}"], [href$="/${n}"])`);
  return [...(own ? [own] : []), ...[...quotes].map((quote) => quote.closest<HTMLElement>(".post")!)];
}

/** Whether the text of the post with number `n` is missing in `post`, which is that post or quotes it. */
export const isMissing = (n: number, post: HTMLElement): boolean =>
  Number(post.dataset.n) === n
    ? articleOf(post).querySelector(":scope > .redacted") !== null
    : articleOf(post).querySelector(":scope > .quoted > q") === null;
