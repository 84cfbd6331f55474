/** What an error means for somebody who meets it in a browser: a sentence, and where to go. */

import type { ErrorDefinition, ErrorKind } from "../core/error_definition.ts";
import type { ReaderWords } from "../api/pages.ts";

const not_understood =
  "A program sent what this service does not understand. You should not meet this with a browser.";
const ours = "The fault is with the service. Try again later.";

const by_kind: Record<ErrorKind, string> = {
  malformed: not_understood,
  unauthenticated: "This takes a secret key, which was missing or wrong.",
  forbidden: "You may not do this.",
  not_found: "What you look for is not here. The address may have a typing error.",
  method_not_allowed: not_understood,
  not_acceptable: not_understood,
  conflict: "Somebody was faster, or it is done already. Load the page again to see.",
  gone: "What you look for is not here any more.",
  precondition_failed: "Somebody has changed it in the meantime. Load the page again to see.",
  too_large: "That was too much text at once.",
  unsupported_media: not_understood,
  misdirected: not_understood,
  invalid: "Something in the form was not right. Go back: the page says what.",
  too_early: "It is too early for this. Try again later.",
  limited: "That was too often. Wait a little, and try again.",
  not_implemented: not_understood,
  internal: ours,
  unavailable: ours,
  full: "The service has no room for more. Try again later.",
};

const sign_in = { text: "Sign in", path: "/signin" };
const claim = { text: "Claim a name", path: "/claim" };
const belongs = {
  sentence: "The name belongs to somebody. If it is you, sign in; else choose another name.",
  links: [sign_in],
};

/** By code, where more can be said than by kind. */
export const reader_words: Readonly<Record<string, ReaderWords>> = {
  name_is_claimed: belongs,
  name_taken: belongs,
  name_not_claimed: {
    sentence: "Anybody may post under a name that nobody has claimed. If you claim it, only you may.",
    links: [claim],
  },
  credential_required: { sentence: "You need a claimed name for this.", links: [sign_in, claim] },
  unknown_credential: {
    sentence: "The name or its key is not right. Sign in with both again.",
    links: [sign_in],
  },
  admin_required: {
    sentence:
      "This page is for the owner and moderators. The browser asks for user and password: any user name, and as the password an admin token, " +
      "which begins with wfa_. The owner makes one on the machine of the service, where the owner needs none, and gives it to a moderator:",
    command: "wharf admin token --label NAME --scope moderate --data-dir DIRECTORY",
    links: [{ text: "Enter a token", path: "/admin" }],
  },
  name_reserved: { sentence: "Nobody can use this name. Choose another one.", links: [] },
  room_closed: {
    sentence: "The room is closed. It can be read, and nobody can post in it.",
    links: [{ text: "Rooms", path: "/meet" }],
  },
};

export const readerWords = ({ code, kind }: ErrorDefinition): ReaderWords =>
  reader_words[code] ?? { sentence: by_kind[kind], links: [] };
