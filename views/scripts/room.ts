/**
 * The newest page of an open room: posts, redactions, restored posts and the closing appear as they happen. Posts are placed
 * while the reader is at the end of the page. Otherwise they wait for a button, so that nothing moves while one reads.
 */

import { copyParts, fetchOk, freshPage, Refused, replace } from "./fresh.ts";
import { Stream, type StreamState } from "./stream.ts";
import { isMissing, place, postsIn, renew, showing } from "./thread.ts";
import { showTimes } from "./times.ts";
import { Unseen } from "./unseen.ts";

/** How often the page asks how many wait, and whether the stream has missed a post. */
const look_ms = 30_000;
/** A connection that returns within this time is not announced as lost. */
const lost_ms = 1_500;
/** Further posts are not fetched while so many wait for the button. */
const held_max = 200;

const bar = document.getElementById("live");
const thread = document.getElementById("posts");
if (bar && thread) followRoom(bar, thread);

function followRoom(bar: HTMLElement, thread: HTMLElement): void {
  const page = bar.dataset.page!;
  const [state, waiting, heard] = [".state", ".waiting", ".heard"].map((part) =>
    bar.querySelector<HTMLElement>(part)!,
  );
  const end = document.getElementById("room-end")!;
  /** Posts that are not on the page yet. */
  const held: HTMLElement[] = [];
  let last = Number(thread.dataset.last);
  let is_closed = false;
  let shows_end = false;
  let is_refused = false;
  /** Whether posts are stored that were not fetched, because as many wait for the button as may. */
  let has_more = false;
  let announcing: ReturnType<typeof setTimeout> | undefined;

  const unseen = new Unseen(bar.querySelector("button")!, () => {
    const placed = placeAll();
    if (has_more) void catchUp().catch(onFailure);
    return placed;
  });
  const stream = new Stream({
    url: bar.dataset.stream!,
    since: String(last),
    events: ["post", "redacted", "leases", "closed"],
    onOpen: catchUp,
    onEvent,
    onFailure,
    onRefused: () => void fetchOk(`${page}/after/${last}`, { cache: "no-store" }).catch(endIfRefused),
    onState: showState,
  });

  showState("lost");
  if (!document.hidden) stream.open();
  document.addEventListener("visibilitychange", () => {
    // Browsers allow six connections to a server for all pages of it together.
    if (document.hidden) stream.pause();
    else stream.open();
  });
  addEventListener("online", () => stream.open());
  const looking = setInterval(() => void look().catch(onFailure), look_ms);

  async function onEvent({ type, data }: MessageEvent<string>): Promise<void> {
    if (type === "leases") return renewHeld();
    if (type === "closed") return close();
    const { id, n } = JSON.parse(data) as { id: string; n: number };
    const is_restored = type === "post";
    if (is_restored && n > last) return catchUp();
    return inOrder(() => renewAll(id, n, is_restored));
  }

  /**
   * Renews the post with this id and number, and those that quote it. With `is_restored` only where its text is missing: the event of
   * a new post, which the page may have fetched already, is the same as that of one that has its text again.
   */
  async function renewAll(id: string, n: number, is_restored: boolean): Promise<void> {
    // The first post of a long room is above the thread.
    for (const post of [thread.parentElement!, ...held].flatMap((root) => showing(root, id, n))) {
      if (is_restored && !isMissing(n, post)) continue;
      const [fresh] = postsIn(await (await fetchOk(`${page}/post/${post.dataset.n}`)).text());
      showTimes(fresh);
      renew(post, fresh!);
      unseen.renewed(post);
    }
  }

  const renewHeld = inTurns(async () => {
    copyParts(await freshPage(`${page}/held`));
  });

  /** Fetches posts, one request after the other: an earlier answer is on the page before a later one, which may change it. */
  let fetching = Promise.resolve();
  function inOrder(fetchSome: () => Promise<void>): Promise<void> {
    fetching = fetching.catch(() => {}).then(fetchSome);
    return fetching;
  }

  function catchUp(): Promise<void> {
    return inOrder(fetchNew);
  }

  /** Fetches the posts after the last one. */
  async function fetchNew(): Promise<void> {
    for (has_more = true; has_more && held.length < held_max;) {
      const answer = await fetchOk(`${page}/after/${last}`, { cache: "no-store" });
      await showPace(answer.headers.get("x-wharf-slowed"));
      showWaiting(Number(answer.headers.get("x-wharf-waiting")), answer.headers.get("x-wharf-present"));
      const posts = postsIn(await answer.text());
      has_more = posts.at(-1)?.dataset.more === "true";
      for (const post of posts) {
        last = Number(post.dataset.n);
        showTimes(post);
        held.push(post);
        unseen.add(post);
      }
    }
    if (held.length > 0 && isAtEnd()) follow();
  }

  /** Shows until when few names are slowed down, if that has changed. `until`: null if none is. */
  async function showPace(until: string | null): Promise<void> {
    if ((document.getElementById("room-about")?.dataset.slowed ?? null) !== until)
      copyParts(await freshPage(page));
  }

  /** Whether the end of the posts is in view, or above. */
  const isAtEnd = (): boolean =>
    !document.hidden && thread.getBoundingClientRect().bottom <= innerHeight + bar.offsetHeight;

  /**
   * Places all posts. The content below them keeps its position in the window, and the content above scrolls. If the posts would
   * fill most of the window, the content above keeps its position.
   */
  function follow(): void {
    const before = end.getBoundingClientRect().top;
    const placed = placeAll();
    const grown = end.getBoundingClientRect().top - before;
    if (grown < innerHeight * 0.6) {
      // A page that fits into the window becomes long enough to scroll.
      document.body.style.minHeight = `${scrollY + innerHeight + grown}px`;
      scrollBy({ top: grown, behavior: "instant" });
    }
    unseen.placed(placed);
    // For screen readers. The button announces the posts that wait.
    heard!.textContent = `New posts up to number ${last}.`;
  }

  function placeAll(): HTMLElement[] {
    const placed = held.splice(0);
    for (const post of placed) place(post, thread);
    if (placed.length > 0) thread.parentElement!.querySelector(".empty")?.remove();
    return placed;
  }

  async function look(): Promise<void> {
    if (is_closed) return finish();
    const before = last;
    await catchUp();
    // The stream did not announce it: it may be dead.
    if (last > before && stream.is_open) stream.open();
  }

  function close(): Promise<void> {
    is_closed = true;
    stream.end();
    return finish();
  }

  /** Shows the last posts of a closed room and that it is closed. The next look tries again what has failed, and the last one is here. */
  async function finish(): Promise<void> {
    await catchUp();
    if (!shows_end) {
      const fresh = await freshPage(page);
      // A look may have come meanwhile.
      if (!shows_end) showEnd(fresh);
    }
    if (!has_more) clearInterval(looking);
  }

  function showEnd(fresh: Document): void {
    shows_end = true;
    copyParts(fresh);
    const banner = fresh.getElementById("room-end");
    const is_writing = [...end.querySelectorAll("textarea")].some(({ value }) => value !== "");
    if (!banner) return;
    if (!is_writing) return replace(end, banner);
    // Keep what somebody was writing.
    end.prepend(...banner.childNodes);
    disableForms();
  }

  function disableForms(): void {
    for (const button of end.querySelectorAll<HTMLButtonElement>("form button")) button.disabled = true;
  }

  /** Ends if there is nothing to follow any more. Otherwise the connection is tried again. */
  function onFailure(error: unknown): void {
    if (!endIfRefused(error)) stream.fail();
  }

  /** Ends if this reader may not read the room any more, or it was deleted. Returns whether it is so. */
  function endIfRefused(error: unknown): boolean {
    is_refused = error instanceof Refused && [401, 403, 404, 410].includes(error.status);
    if (!is_refused) return false;
    clearInterval(looking);
    stream.end();
    disableForms();
    return true;
  }

  /** `names`: the claimed names among them, as the service lists them; null for none. */
  function showWaiting(count: number, names: string | null): void {
    const others = count - (stream.is_open ? 1 : 0);
    waiting!.textContent =
      (others <= 0 ? "" : others === 1 ? "1 other follows the room" : `${others} others follow the room`) +
      (others > 0 && names ? `, by their keys: ${names.split(", ").map(isolated).join(", ")}` : "");
  }

  function showState(now: StreamState): void {
    clearTimeout(announcing);
    const show = () => {
      bar.dataset.state = now;
      state!.textContent = is_closed
        ? "This room was closed."
        : is_refused
          ? "You can no longer read this room."
          : texts[now];
      if (now !== "live") waiting!.textContent = "";
    };
    if (now === "lost") announcing = setTimeout(show, lost_ms);
    else show();
  }
}

/** A name of a header, whose direction does not reorder what is around it (UAX #9: FSI and PDI). */
const isolated = (name: string): string =>
  name.includes("%") ? `\u2068${decodeURIComponent(name)}\u2069` : name;

/** Runs `renew` one time after the other: once more at the end, however often it was called meanwhile. */
function inTurns(renew: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        return (running = renew());
      });
    return waiting;
  };
}

const texts = {
  live: "Live",
  lost: "Not live. Reconnecting …",
  ended: "Not live any more. Reload this page.",
} satisfies Record<StreamState, string>;
