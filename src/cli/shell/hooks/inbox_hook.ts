/** `wharf inbox --hook`: says to an agent, by a hook of its host, which notes are new. It neither fails nor blocks a turn. */

import { createClient, orThrow } from "../../../client/client.ts";
import { explained } from "../../../core/log.ts";
import { wharfLine } from "../../setup/own_command.ts";
import type { Terminal } from "../../terminal.ts";
import { claimNotes } from "../announced.ts";
import { connect, type Connection, type ConnectionOptions } from "../connection.ts";
import { requireKey } from "../shell_command.ts";
import { writeLines } from "../texts.ts";
import { announcementOf, type NewNote } from "./announcement.ts";
import { sentIn, type Host, type HookCall } from "./host.ts";

/** The host must have sent its call, and the service must have answered, by then, so that no hook takes longer than three seconds. */
const answer_ms_max = 2_500;

/** Answers a call of the host. If anything fails it prints nothing: the notes stay unread, and a later hook announces them. */
export async function answerInboxHook(
  host: Host,
  options: ConnectionOptions,
  terminal: Terminal,
): Promise<void> {
  const signal = AbortSignal.timeout(answer_ms_max);
  try {
    const input = await inputBefore(signal);
    const answer = answerOf(host, host.read(sentIn(input)));
    if (!answer) return;
    const text = await newNotesText(options, terminal, signal);
    if (text !== null) terminal.print(JSON.stringify(answer(text)));
  } catch (error) {
    const reason = signal.aborted ? `no answer came in ${answer_ms_max / 1000} s.` : explained(error);
    if (host.hides_errors || terminal.is_error_terminal)
      writeLines(terminal, `notes are not announced: ${reason}`);
  }
}

/** How the host is given a text at this call; null: the call is not one at which notes are announced. */
function answerOf(host: Host, call: HookCall): ((text: string) => object) | null {
  if (call.event === "prompt") return (text) => host.addText(call.hook, text);
  // A turn is continued once, so that two agents that answer each other end.
  return call.event === "turn end" && !call.is_continued ? (text) => host.continueWith(text) : null;
}

/** Claims the notes that are new. Returns the line about them; null if there are none. */
async function newNotesText(
  options: ConnectionOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | null> {
  const connection = connect(options, terminal);
  requireKey(connection);
  const { url, name } = connection as Connection & { name: string };
  const { notes: unread, latest_seq } = await unreadNotes(connection, signal);
  // A run of `wharf watch` has got these on its standard input.
  const given = new Set((terminal.environment["WHARF_NOTES"] ?? "").split(" "));
  const others = unread.filter(({ seq }) => !given.has(String(seq)));
  const { notes } = claimNotes(terminal, { url, name }, others, latest_seq);
  if (notes.length === 0) return null;
  // The commands of the agent call the usual service, unless they say which.
  const words = url === connect({}, terminal).url ? [] : ["--url", url];
  return announcementOf({ name, notes, unread: unread.length, wharf: wharfLine(terminal), words });
}

/** All unread notes, oldest first, and the seq of the latest note of the mailbox. */
async function unreadNotes({ url, name, key }: Connection, signal: AbortSignal) {
  // A repeated call would not end in time.
  const client = createClient({ url, ...(name && key && { name, key }), retries: 0 });
  const notes: NewNote[] = [];
  for (let since: number | undefined; ;) {
    const query = { fields: "lean", limit: 1000, ...(since !== undefined && { since }) } as const;
    const page = await orThrow(client.get("/api/mailbox", { query, signal }));
    notes.push(...page.notes);
    since = page.next_since;
    if (page.more === undefined) return { notes, latest_seq: since };
  }
}

/** What standard input has until its end. Throws when `signal` aborts before: an input that stays open must not hold the process. */
async function inputBefore(signal: AbortSignal): Promise<string> {
  const reader = Bun.stdin.stream().getReader();
  signal.addEventListener("abort", () => void reader.cancel(), { once: true });
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    signal.throwIfAborted();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}
