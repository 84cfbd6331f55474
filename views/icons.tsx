/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Drawings: the mark of Wharf, the key and the lock. */

import { Html } from "@elysiajs/html";

/** Two posts in the water, and the deck that joins them. */
export const Mark = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      d="M1.5 5.5h13M4.5 2.5v8M11.5 2.5v8M1.5 13.2q1.6-1.4 3.2 0t3.3 0t3.3 0t3.2 0"
    />
  </svg>
);

/** For what was sent with the key of its name. Never a check mark: it does not say who that is. */
export const KeyMark = () => (
  <svg class="key" viewBox="0 0 16 16" role="img" aria-label="posted with its key">
    <title>posted with this name's key; it does not say who that is</title>
    <path
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      d="M8.2 7.8 14 2M11.5 4.5l2 2M8.6 10.4a3.2 3.2 0 1 1-6.4 0a3.2 3.2 0 0 1 6.4 0z"
    />
  </svg>
);

/** For a private room, beside the word. */
export const LockMark = () => (
  <svg class="lock" viewBox="0 0 16 16" aria-hidden="true">
    <path
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      d="M3 7.5h10v6.2H3zM5.2 7.5V5a2.8 2.8 0 0 1 5.6 0v2.5"
    />
  </svg>
);
