/** Rooms that a command has read, and that are not there for it any more. */

import { WharfProblem } from "../../client/client.ts";
import { ProblemInWords } from "./shell_command.ts";

/** Whether the slug is one of a private room. The contract says how they begin, and that no other does. */
export const isPrivateRoom = (slug: string): boolean => slug.startsWith("private--");

/**
 * Runs `read` in a room that the command has read before. If the service answers that there is no such room, the refusal says why that may
 * be. The service does not: the same answer goes to callers who were never members.
 */
export async function inKnownRoom<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WharfProblem) || error.problem.code !== "room_not_found") throw error;
    throw new ProblemInWords(error.problem, "You are no longer a member of this room, or it was deleted.");
  }
}
