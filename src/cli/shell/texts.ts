/** How posts, rooms, jobs and notes are printed: for readers every text of a stranger is indented below a line of ours. */

import type { Schemas } from "../../client/client.ts";
import { revealDeceptive } from "../../core/text.ts";
import { failureText } from "../../webhooks/words.ts";
import type { Terminal } from "../terminal.ts";

/** What a line of a stranger's text begins with. */
export const quote = "    ";

/** The lines of a text, each indented. */
export const quoted = (text: string): string[] => text.split(/\r?\n|\f/).map((line) => quote + line);

/** Writes a text to standard error. Nothing in it controls the terminal. */
export function writeLines({ writeError }: Pick<Terminal, "writeError">, text: string): void {
  for (const line of text.split("\n"))
    writeError(`wharf: ${revealDeceptive(line).replace(/[\r\f]/g, " ")}\n`);
}

const from_right_to_left = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u;

/** A name within a line: one that is written from right to left does not reorder what is around it (UAX 9: FSI and PDI). */
export const nameShown = (name: string): string =>
  from_right_to_left.test(name) ? `\u2068${name}\u2069` : name;

/** A time to its minute. */
export const minuteOf = (time: string): string => time.slice(0, 16).replace("T", " ");

/** A time to its second, rounded up: nothing that begins then is too early. */
export const secondOf = (time: string): string =>
  new Date(Math.ceil(Date.parse(time) / 1000) * 1000).toISOString().slice(0, 19).replace("T", " ");

/**
 * A post: its number, time and author, the number of the post that it answers, if that is known, and whether it is quiet, then its text. A
 * star marks a claimed name.
 */
export function postLines(
  { n, ts, name, claimed, body, redacted, quiet }: Schemas["Post"],
  answered?: number,
): string[] {
  const to = answered === undefined ? "" : `, to #${answered}`;
  const head = `#${n}  ${minuteOf(ts)}  ${nameShown(name)}${claimed ? " *" : ""}${to}${quiet ? ", quiet" : ""}`;
  return [head, ...(body === null ? [`    (redacted by the ${redacted})`] : quoted(body))];
}

/**
 * A room: its slug, whether it is closed or private, in a list of private rooms one's own role, how many posts it has, when the last came, until when few names are slowed down, its goal, then the post that a
 * search has found in it.
 */
export const roomLines = ({
  slug,
  goal,
  visibility,
  closed,
  posts,
  last_post,
  slowed_until,
  role,
  match,
}: Schemas["RoomSummary"]): string[] => [
  `${slug}  ${closed ? "closed, " : ""}${visibility === "private" ? "private, " : ""}${role ? `your role ${role}, ` : ""}${posts} ${posts === 1 ? "post" : "posts"}${last_post ? `, last ${minuteOf(last_post)}` : ""}${slowed_until ? `, slowed until ${secondOf(slowed_until)}` : ""}`,
  ...quoted(goal),
  ...(match ? [`  #${match.n}:`, ...quoted(match.excerpt)] : []),
];

/** What names hold in a room: who, until when, the paths, and what for. */
export const leaseLines = (leases: Schemas["Lease"][]): string[] =>
  leases.flatMap(({ holder, paths, purpose, until }) => [
    `held by ${nameShown(holder)} until ${minuteOf(until)} UTC:`,
    ...paths.flatMap(quoted),
    ...(purpose === undefined ? [] : ["  for:", ...quoted(purpose)]),
  ]);

/** A job: its id and its state (of a reviewed one the verdict), who posted it and who has it, then its title and detail. */
export function jobLines(job: Schemas["JobRead"]): string[] {
  const { id, state, review, by, held_by, delivered_by, tags } = job;
  const whose = held_by ?? delivered_by;
  // Who posted a job gives the verdict, not who has delivered it.
  const stands = review ? `${review.verdict}, delivered` : state;
  const head = `${id}  ${stands}${whose === undefined ? "" : ` by ${nameShown(whose)}`}, from ${nameShown(by)}`;
  return [
    `${head}${tags.length > 0 ? `  [${tags.join(", ")}]` : ""}`,
    ...quoted(job.job.title),
    ...quoted(job.job.detail),
  ];
}

/** Which posts a folded note stands for. */
function foldedLine({ mentioned_in, replied_in, more }: Schemas["Note"]): string[] {
  const numbers = (posts: number[]) => posts.map((n) => `#${n}`).join(" ");
  const parts = [
    mentioned_in && `mentioned in ${numbers(mentioned_in)}`,
    replied_in && `replied in ${numbers(replied_in)}`,
    more && `${more} more before`,
  ].filter(Boolean);
  return parts.length > 0 ? [`  ${parts.join(", ")}`] : [];
}

/** Who else was mentioned. */
const othersLine = ({ also }: Schemas["Note"]): string[] =>
  also ? [`  also mentioned: ${also.map(nameShown).join(", ")}`] : [];

/** What a lease held that was broken, and who broke it. */
function brokenLine(note: Schemas["Note"]): string[] {
  const { how, paths, more_paths } = note as { how?: string; paths?: string[]; more_paths?: number };
  if (!paths) return [];
  return [...paths.flatMap(quoted), ...(more_paths ? [`  ${more_paths} more`] : []), `  by the ${how}`];
}

/** The role of the name in the private room that it was added to. */
function roleLine(note: Schemas["Note"]): string[] {
  const { role } = note as { role?: string };
  return role === undefined ? [] : [`  as ${role}`];
}

/** Until when the names that speak in a room are slowed down. */
function slowedLine(note: Schemas["Note"]): string[] {
  const { until } = note as { until?: string };
  return note.kind === "room.slowed" && until ? [`  until ${secondOf(until)}`] : [];
}

/** What became of the name's webhook. */
function webhookLine(note: Schemas["Note"]): string[] {
  const { kind, how, because, status } = note as Schemas["Note"] & Partial<WebhookNews>;
  if (kind !== "name.webhook") return [];
  if (how === "gone") return ["  It has ended: its receiver answered with status 410."];
  if (how !== "asleep") return [];
  const reason = because === undefined ? "" : ` ${failureText({ because, status })}`;
  return [`  It sleeps: its receiver has failed for a day.${reason}`];
}

interface WebhookNews {
  how: string;
  because: string;
  status: number;
}

/** A note: its seq and kind, when it came, who did it, and the job, or the room and the post, that it is about. A dot marks an unread one. */
export function noteLines(note: Schemas["Note"]): string[] {
  const { seq, kind, at: time, unread, excerpt, count = 1, n } = note;
  const { by, room, job, title, verdict, reason } = note as Partial<
    Record<"by" | "room" | "job" | "title" | "verdict", string> & { reason: string | null }
  >;
  const what = `${kind}${by === undefined ? "" : ` by ${nameShown(by)}`}${verdict === undefined ? "" : `: ${verdict}`}${count === 1 ? "" : ` (${count})`}`;
  const post = n === undefined ? room : `${room} #${n}`;
  const head = [`${unread ? "•" : " "} ${seq}`, minuteOf(time), what, room === undefined ? job : post];
  return [
    head.filter((part) => part !== undefined).join("  "),
    ...foldedLine(note),
    ...othersLine(note),
    ...brokenLine(note),
    ...slowedLine(note),
    ...roleLine(note),
    ...webhookLine(note),
    ...(title === undefined ? [] : quoted(title)),
    ...(excerpt === undefined ? [] : quoted(excerpt)),
    ...(reason ? ["  reason:", ...quoted(reason)] : []),
  ];
}
