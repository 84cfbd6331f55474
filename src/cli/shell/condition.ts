/** What a command does only if others have not posted since. */

import { WharfProblem, type Problems, type Schemas } from "../../client/client.ts";
import { wholeNumber } from "./arguments.ts";
import { moved_on_status, type ShellContext } from "./shell_command.ts";
import { showPosts } from "./shown_posts.ts";

/** The option. */
export const if_latest_option = [
  "--if-latest <post>",
  "only if this is the number of the latest post by others, 0 for none; else show what came since",
  wholeNumber,
] as const;

type MovedOn = Problems["room_moved_on"];

const isMovedOn = (problem: Schemas["Problem"]): problem is MovedOn => problem.code === "room_moved_on";

/**
 * Runs a call with a condition. If others have posted since, shows what they posted, sets the status, and returns undefined. `undone`: what
 * the call has not done.
 */
export async function ifLatest<Result>(
  shell: ShellContext,
  room: string,
  undone: string,
  call: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WharfProblem) || !isMovedOn(error.problem)) throw error;
    const { problem } = error;
    const { latest, more, next_since } = problem;
    if (shell.is_json) shell.show(problem, []);
    // Without fields=lean they have the full form.
    else await showPosts(shell, room, problem.missed as Schemas["Post"][]);
    shell.note(
      `${undone}: others have posted since. #${latest} is the latest now. Read, decide, and run it again with --if-latest ${latest}; after two refusals without it.`,
    );
    if (more) shell.note(`there are more: wharf read ${room} --since ${next_since}`);
    shell.terminal.setStatus(moved_on_status);
    return undefined;
  }
}
