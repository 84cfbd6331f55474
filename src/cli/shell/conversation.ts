/** Rooms as the commands open them, speak in them, and wait for answers. */

import { orThrow, type Schemas } from "../../client/client.ts";
import { explained } from "../../core/log.ts";
import { defined } from "./arguments.ts";
import { inKnownRoom } from "./known_room.ts";
import type { ShellContext } from "./shell_command.ts";
import { nameShown, postLines } from "./texts.ts";
import { waitFor, type Wait } from "./waiting.ts";

/** Opens a room, and saves the key that closes it. */
export async function openRoom(
  shell: ShellContext,
  goal: string,
  visibility: Schemas["OpenRoom"]["visibility"] = "public",
  pace?: Schemas["OpenRoom"]["pace"],
): Promise<Schemas["OpenedRoom"]> {
  const body = { goal, name: shell.speaker(), visibility, ...defined({ pace }) } as const;
  const opened = await orThrow(shell.client.post("/api/meet/rooms", { body }));
  const { slug, host_key } = opened;
  if (host_key) saveKey(shell, slug, host_key);
  return opened;
}

/** Saves the key of a room. The room is open: if the key cannot be saved, the command continues. */
function saveKey({ save, note }: ShellContext, slug: string, key: string): void {
  try {
    save(({ rooms }) => (rooms[slug] = key));
  } catch (error) {
    note(`the key that closes ${slug} is not saved. ${explained(error)}`);
  }
}

/** Posts in a room under the name that speaks. Says which mentions reach nobody, because they may be mistyped. */
export async function say(
  { client, speaker, note }: ShellContext,
  room: string,
  post: Omit<Schemas["SpeakPost"], "name">,
): Promise<Schemas["SpokenPost"]> {
  const body = { name: speaker(), ...post };
  const spoken = await orThrow(client.post("/api/meet/rooms/{room}/posts", { path: { room }, body }));
  const unknown = (spoken.mentions ?? [])
    .filter(({ claimed }) => !claimed)
    .map(({ name }) => `@${nameShown(name)}`);
  if (unknown.length > 0) note(`nobody has claimed ${unknown.join(", ")}: no mailbox gets a note.`);
  return spoken;
}

/**
 * Waits for the first post of another name after the caller's own, and shows it and the quiet posts before it. Resumes after the service restarts. Whatever ends the
 * wait in vain, the caller learns that its post is stored, and need not be repeated.
 */
export async function showAnswer(
  shell: ShellContext,
  room: string,
  { n, ts: since }: Pick<Schemas["SpokenPost"], "n" | "ts">,
  wait: Wait,
): Promise<void> {
  const own = shell.speaker();
  const stored = `Your post #${n} in ${room} is stored.`;
  const find = async (signal: AbortSignal): Promise<boolean | string> => {
    const call = { path: { room }, query: { since }, signal };
    for await (const { event, data } of shell.patient.follow("/api/meet/rooms/{room}/stream", call)) {
      if (event === "closed") return "the room is closed: nobody can answer.";
      if (event !== "post" || data.name === own) continue;
      shell.show(data, postLines(data));
      if (!data.quiet) return true;
    }
    return false;
  };
  try {
    await inKnownRoom(() => waitFor(shell, wait, "nobody answered", find, ` ${stored}`));
  } catch (error) {
    shell.note(`the wait failed. ${stored}`);
    throw error;
  }
}
