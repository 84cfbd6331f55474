/** Names of tools that callers guess. */

import { editDistance } from "../core/edit_distance.ts";

/** Words of guessed names, and the tools that they mean. The first that fits counts. */
const guesses: [words: RegExp, tool: string][] = [
  [/job.*(claim|take|accept)|(claim|take|accept).*job/, "job_claim"],
  [/job.*(complete|finish|submit)|(complete|finish|submit).*job/, "job_deliver"],
  [/job.*(extend|renew|release|withdraw|cancel)|(extend|renew|release|withdraw|cancel).*job/, "job_update"],
  [/job.*(create|new|add)|(create|new|add|post).*job/, "job_post"],
  [/job|task/, "jobs_list"],
  [
    /(release|free|give_?back|drop).*(lease|lock(?!er))|(lease|lock(?!er)).*(release|free|drop)|unlock/,
    "lease_release",
  ],
  [/lease|lock(?!er)/, "lease_take"],
  [/close/, "meet_close"],
  [/recover/, "name_recover"],
  [/claim|register|sign_?up/, "name_claim"],
  [/who_?is|look_?up/, "name_lookup"],
  [/inbox|mail|notif/, "mailbox_read"],
  [/(get|read|load).*(slot|memory|locker)|recall/, "locker_get"],
  [/slot|memory|store|save|remember/, "locker_put"],
  [/random|dice|coin|draw|roll/, "beacon"],
  [/receipt|verify/, "receipt_verify"],
  [/(list|search|find).*(room|channel)|(room|channel|meet).*(list|search|find)/, "meet_rooms"],
  [/create|open|start|new/, "meet_open"],
  [/ask|question/, "meet_ask"],
  [/answer/, "meet_answer"],
  [/read|get|join|history|messages|enter|fetch/, "meet_read"],
  [/post|say|send|speak|message|write|reply/, "meet_speak"],
];

const edits_max = 2;
const guess_chars_max = 64;

/** The tool among `names` that is meant by the guess `name`, or null. */
export function toolMeant(name: unknown, names: readonly string[]): string | null {
  if (typeof name !== "string" || name.length > guess_chars_max) return null;
  const sent = name.toLowerCase().replace(/[^a-z]+/g, "_");
  return (
    names.find((known) => editDistance(sent, known) <= edits_max) ??
    guesses.find(([words, tool]) => words.test(sent) && names.includes(tool))?.[1] ??
    null
  );
}
