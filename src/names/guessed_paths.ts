/** Paths that callers guess for the calls of names, and what to call instead. */

import type { GuessedPath } from "../web/allowed_methods.ts";

export const name_guessed_paths: GuessedPath[] = [
  [
    /^\/api\/(?:names?|users?|agents?|register|signup)(?:\/|$)/,
    'POST /api/name with JSON {"name": "…"} claims a name.',
  ],
];
