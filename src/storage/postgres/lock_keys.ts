/**
 * What a command changes, as far as its input says: commands that share a key run one after the other, in one process and
 * between nodes. Correctness of a guarded write does not need this; a limit that counts rows does, and others overtake less.
 */

/** The members of inputs that name a room, a name, what names that look alike have in common, a job or a session. */
const keyed = [
  "room",
  "slug",
  "canonical",
  "owner",
  "name",
  "look",
  "job",
  "id",
  "session",
  "id_sha256",
] as const;

type Acting = { identity?: { canonical?: unknown } | null } | null | undefined;

/** The key of chores and of commands that run alone: one of them runs at a time. */
export const alone_key = "alone";

/**
 * The keys of a command with this input. `order`: the order of rows in which the command takes part, if any. `members`: those
 * of the input that name what it changes.
 */
export function keysOf(
  input: unknown,
  order: string | undefined,
  members: readonly string[] = keyed,
): string[] {
  const keys = order === undefined ? [] : [`order:${order}`];
  if (typeof input !== "object" || input === null) return keys;
  const given = input as Record<string, unknown>;
  for (const member of members) {
    const value = given[member];
    if (typeof value === "string" || typeof value === "number") keys.push(`${member}:${value}`);
  }
  const { member, by, last_word } = given;
  // The canonical form of a name that is not the caller's: its release comes before or after.
  if (typeof member === "string") keys.push(`canonical:${member}`);
  // Who does it: the caller, a host by its name, and who says the last word. It counts as an activity of the name.
  for (const one of [given, by, last_word]) {
    const canonical = (one as Acting)?.identity?.canonical;
    if (typeof canonical === "string") keys.push(`canonical:${canonical}`);
  }
  return keys;
}

/** The numbers of advisory locks for `keys`, each once and in one order, so that transactions do not wait for each other in a circle. */
export function lockNumbers(keys: Iterable<string>, schema: string): bigint[] {
  const numbers = new Set<bigint>();
  for (const key of keys) numbers.add(BigInt.asIntN(64, Bun.hash.wyhash(`${schema}\n${key}`)));
  return [...numbers].sort((a, b) => (a < b ? -1 : 1));
}
