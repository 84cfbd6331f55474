/** Which notes were announced to the agents of a name, so that several hooks and a channel announce each note once. */

import { existsSync, readFileSync } from "node:fs";
import type { Terminal } from "../terminal.ts";
import { changeFile } from "./locked_file.ts";
import { stateFile } from "./state_folder.ts";

/** A mailbox: the service and the claimed name. Each has a file of its own. */
interface Addressee {
  url: string;
  name: string;
}

/** Notes that the caller announces now, and nobody else. */
interface Claim<Note> {
  notes: Note[];
  /** Allows others to announce the notes: this announcement was not delivered. */
  giveBack(): void;
}

interface Announced {
  /** The seq up to which notes were announced. */
  through: number;
  /** The seqs up to `through` that were given back. */
  given_back: ReadonlySet<number>;
}

/** How long another command may use the file. A hook must answer soon. */
const lock_wait_ms = 200;
/** More than a mailbox stores. */
const given_back_max = 2_000;

/**
 * Claims those of the unread notes that were not announced yet. `unread` has all unread notes, since later ones count as announced with
 * them; `latest_seq` is the seq of the latest note of the mailbox: if later notes were announced, it is another mailbox, whose
 * service has begun anew. Throws a user-facing error if the claim cannot be saved.
 */
export function claimNotes<Note extends { seq: number }>(
  terminal: Pick<Terminal, "environment">,
  { url, name }: Addressee,
  unread: Note[],
  latest_seq = Infinity,
): Claim<Note> {
  const file = stateFile(terminal, "announced", [url, name]);
  const read = () => readAnnounced(file, latest_seq);
  const newIn = ({ through, given_back }: Announced) =>
    unread.filter(({ seq }) => seq > through || given_back.has(seq));
  const change = (to: (before: Announced) => Announced): void =>
    changeFile(file, lock_wait_ms, (write) => {
      const { through, given_back } = to(read());
      write(`${JSON.stringify({ url, name, through, given_back: [...given_back] })}\n`);
    });

  // Nothing is locked or written if nothing is new, which is the usual case.
  if (newIn(read()).length === 0) return { notes: [], giveBack: () => {} };
  let notes: Note[] = [];
  change((before) => {
    notes = newIn(before);
    const seqs = new Set(notes.map(({ seq }) => seq));
    return {
      through: Math.max(before.through, ...seqs),
      given_back: before.given_back.difference(seqs),
    };
  });
  return {
    notes,
    giveBack: () =>
      change(({ through, given_back }) => ({
        through,
        given_back: new Set([...given_back, ...notes.map(({ seq }) => seq)].slice(-given_back_max)),
      })),
  };
}

/** Whether the note with this seq was announced. */
export function isAnnounced(
  terminal: Pick<Terminal, "environment">,
  { url, name }: Addressee,
  seq: number,
): boolean {
  const { through, given_back } = readAnnounced(stateFile(terminal, "announced", [url, name]), Infinity);
  return seq <= through && !given_back.has(seq);
}

/** What the file says. A file that is absent or cannot be understood says that nothing was announced. */
function readAnnounced(file: string, latest_seq: number): Announced {
  const saved = existsSync(file) ? savedIn(readFileSync(file, "utf8")) : {};
  const { through, given_back } = saved;
  if (!Number.isSafeInteger(through) || !Array.isArray(given_back) || (through as number) > latest_seq)
    return { through: 0, given_back: new Set() };
  return { through: through as number, given_back: new Set(given_back as number[]) };
}

function savedIn(text: string): { through?: unknown; given_back?: unknown } {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
