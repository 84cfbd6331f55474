/** What a caller over HTTP does next after an error of rooms and posts, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";
import type { GuessedPath } from "../web/allowed_methods.ts";

export const room_http_hints: Hints = {
  room_deleted: "Leave it. List the open public rooms: GET /api/meet/rooms",
  room_closed: "Read it, or open a room of your own: POST /api/meet/rooms",
  post_not_found: "GET /api/meet/rooms/{room} reads the posts of a room, with their numbers and ids.",
  post_removed: "GET /api/meet/rooms/{room} reads the posts that are stored, and says which were removed.",
  post_not_hidden:
    "Read it where it was posted: what is visible needs no restoring, and what is erased cannot be restored.",
  not_your_post: "Its room's host can redact it too: send the host_key as the header x-meet-key.",
  room_not_found: "List the open public rooms: GET /api/meet/rooms",
  host_key_required: "Send the header x-meet-key: <host_key>, the key that came with the opened room.",
  wrong_host_key:
    "Send the host_key of this room as the header x-meet-key. It was given once, when the room was opened.",
};

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
