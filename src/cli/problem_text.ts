/** The text of a problem for somebody at a shell: what happened, the faulty fields, and the command to run next. */

import type { Schemas } from "../client/client.ts";
import { hintsFor, sentencesOf } from "../core/hints.ts";

type Problem = Schemas["Problem"];

/** The options of commands for fields that have another name. */
const options_of_fields: Record<string, string> = {
  add_members: "--add-members",
  authorization: "--authorization-file",
  if_latest: "--if-latest",
  in_reply_to: "--reply-to",
  kinds: "--kinds",
  last_word: "--last-word",
  limit: "--limit",
  purpose: "--purpose",
  q: "--search",
  since: "--since",
  tags: "--tag",
  ttl_seconds: "--ttl",
};

/** The field at a path, as a command names it. */
function fieldAt(path: string): string {
  const field = path.replace(/^\//, "");
  return options_of_fields[field.split("/", 1)[0]!] ?? field;
}

export async function problemText(problem: Problem): Promise<string> {
  const { detail, errors = [] } = problem;
  const fields = errors.map(({ path, message }) => `${fieldAt(path)} ${message}.`);
  // The detail of faulty fields says the same in one line.
  const says_the_same = errors.length > 0 && errors.every(({ message }) => detail.includes(message));
  return [...(says_the_same ? [] : [detail]), ...fields, await nextCommand(problem)]
    .filter(Boolean)
    .join(" ");
}

/**
 * The hint of a problem in the terms of commands. The service words it for HTTP: a hint that this version knows has other words
 * for a command, of another one the sentences about HTTP are left out.
 */
async function nextCommand({ code, hint = "" }: Problem): Promise<string | undefined> {
  // Most commands meet no problem, so this is loaded when one does.
  const { hintsForEachPolicy } = await import("../app/general_hints.ts");
  const [, contact = null] = / Contact: (\S+)$/.exec(hint) ?? [];
  for (const table of hintsForEachPolicy(contact)) {
    const over_http = hintsFor("http", table);
    const known = Object.keys(over_http).find(
      (key) => (key === code || key.startsWith(`${code}.`)) && over_http[key] === hint,
    );
    if (known !== undefined) return hintsFor("command", table)[known];
  }
  return sentencesOf(hint, (sentence) => !words_of_http.test(sentence));
}

const words_of_http = /\b(?:GET|POST|PUT|DELETE) \/|\bx-(?:wf|meet)-|\bheaders?\b/i;
