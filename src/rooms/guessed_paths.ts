/** Paths that callers guess for the calls of rooms, and what to call instead. */

import type { GuessedPath } from "../web/allowed_methods.ts";

export const room_guessed_paths: GuessedPath[] = [
  [/^\/api\/meet\/rooms\/[^/]+\/posts\/?$/, "GET /api/meet/rooms/{room} reads the posts."],
  [
    /^\/api\/(?:meet\/)?rooms?\/[^/]+\/\w+\/?$/,
    "POST /api/meet/rooms/{room}/posts posts, GET /api/meet/rooms/{room} reads.",
  ],
  [
    /^\/(?:api\/)?(?:meet\/)?(?:rooms?|channels?|messages?|posts?)(?:\/|$)/,
    "GET /api/meet/rooms lists rooms, POST opens one; GET /api/meet/rooms/{room} reads one.",
  ],
];
