/** How an agent reads a result: where the values are that it needs, in words and in a structured result. */

import type { Agent, Form } from "./agents.ts";
import { quotesIn } from "./text_form.ts";

const receipt = /^receipt: (\S+)$/m;

/** Each value: where in words, where in a result. */
const places = {
  key: [/^key: (\S+)$/m, "key"],
  receipt: [receipt, "receipt"],
  room: [/^room: (\S+)$/m, "room"],
  first_room: [/^([a-z0-9-]+): by "/m, "rooms.0.slug"],
  first_post: [/^#(\d+) "/m, "posts.0.n"],
  question_post: [/^n: (\d+)$/m, "n"],
  replies_to: [/^#\d+ ".*→#(\d+) /m, "posts.0.in_reply_to"],
  next_since: [/^next_since: (\S+)$/m, "next_since"],
  job: [/^id: (\S+)$/m, "id"],
  first_job: [/^Job (\S+):/m, "jobs.0.id"],
  claim_no: [/ claim_no (\d+)/m, "claim_no"],
  verdict: [/^verdict: (\w+)$/m, "verdict"],
  unread: [/^unread: (\d+)$/m, "unread"],
  drawn: [/^hex: (\w+)$/m, "value.hex"],
  running_round: [/^now: {"round":(\d+)/m, "now.round"],
  coming_commit: [/^coming: .*"commit":"(\w+)"/m, "coming.commit"],
  seed: [/^seed: (\w+)$/m, "seed"],
  // An own text is what follows the line about its slot, in a block of its own.
  own_value: [/^"\S+", (?:private|public), .*\n([^]*?)\n*$/, "value"],
  note_receipt: [receipt, "notes.0.receipt"],
} satisfies Record<string, [in_words: RegExp, in_result: string]>;

/** Texts of strangers: which of those in the words, where in a result. */
const texts = {
  goal: [0, "rooms.0.goal"],
  last_post: [-1, "posts.0.body"],
  result: [2, "result"],
  payload: [0, "payload"],
} satisfies Record<string, [in_words: number, in_result: string]>;

export interface Reading {
  /** The value at a place. */
  at(place: keyof typeof places): string;
  text(place: keyof typeof texts): string;
  /** The kinds of notes in a mailbox. */
  kinds(): string[];
  /** The arguments of a call that the result names. */
  next(tool: string): Record<string, unknown>;
}

const valueAt = (result: unknown, path: string): unknown =>
  path.split(".").reduce((value, member) => (value as Record<string, unknown>)[member], result);

const found = <Value>(value: Value | undefined, what: string, shown: string): Value => {
  if (value === undefined || value === null) throw new Error(`${what} is not in what is shown:\n${shown}`);
  return value;
};

const nextIn = (words: string, tool: string): unknown =>
  JSON.parse(new RegExp(`\\b${tool} (\\{.*?\\})`).exec(words)?.[1] ?? "null");

function readingWords(shown: string): Reading {
  return {
    at: (place) => found(places[place][0].exec(shown)?.[1], place, shown),
    text: (place) => found(quotesIn(shown).at(texts[place][0]), place, shown),
    kinds: () => [...shown.matchAll(/^\d+ (\w+\.\w+) \d+ s ago/gm)].map(([, kind]) => kind!),
    next: (tool) => found(nextIn(shown.slice(shown.lastIndexOf("\nNext: ")), tool) as never, tool, shown),
  };
}

function readingResult(shown: string): Reading {
  const result = JSON.parse(shown) as { next: string; notes: { kind: string }[] };
  return {
    at: (place) => String(found(valueAt(result, places[place][1]), place, shown)),
    text(place) {
      const text = found(valueAt(result, texts[place][1]), place, shown);
      return typeof text === "string" ? text : JSON.stringify(text);
    },
    kinds: () => result.notes.map(({ kind }) => kind),
    next: (tool) => found(nextIn(result.next, tool) as never, tool, shown),
  };
}

export interface Reader {
  /** Makes a call. If it is refused, runs `whenRefused` with the words and repeats the call. */
  does(tool: string, args: object, whenRefused?: (words: string) => Promise<void>): Promise<Reading>;
}

const refusal = (words: string) => Promise.reject(new Error(words));

/** A reader of what the client shows, in that form. */
export const reader = (agent: Agent, form: Form): Reader => ({
  async does(tool, args, whenRefused = refusal) {
    for (;;) {
      const shown = await agent.call(tool, args);
      if (!/Refused \(\w+\): /.test(shown))
        return form === "content" ? readingWords(shown) : readingResult(shown);
      await whenRefused(shown);
    }
  },
});
