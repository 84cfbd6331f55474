/** What the commands of leases share: the room, the paths, and how they end if somebody else holds a path. */

import type { Command } from "commander";
import { resolve } from "node:path";
import { WharfProblem, type Schemas } from "../../../client/client.ts";
import { UsageError } from "../../../core/settings.ts";
import { quotedJson } from "../../../core/text_form.ts";
import { slugIn } from "../arguments.ts";
import { keyedCommand, shellCommand, type ShellContext } from "../shell_command.ts";
import { leaseFileAbove, realPath, type LeasedTree } from "./lease_file.ts";

/** The status if a path is held by another lease. */
export const held_status = 5;

/** The options of every command of leases, and the tree that the current folder belongs to. */
export interface RoomOptions {
  room?: string;
  tree?: LeasedTree;
}

type RoomAction<Options> = (
  shell: ShellContext,
  /** The room, and the tree whose paths count. */
  where: { room: string; tree: LeasedTree | undefined },
  options: Options,
  ...given: never[]
) => Promise<void>;

/**
 * A command for the leases of a room: that of `--room`, else that of `.wharf-leases.toml`. It needs the key of a claimed name, unless
 * `anybody` may call it.
 */
export function roomCommand<Options extends RoomOptions>(
  create: () => Command,
  examples: [string, ...string[]],
  action: RoomAction<Options>,
  anybody = false,
) {
  const command = anybody ? shellCommand : keyedCommand;
  return command(
    () =>
      create()
        .option("--room <room>", "the room (default: that of .wharf-leases.toml)", slugIn)
        .addHelpText("after", "\nExit code 5: somebody else holds it."),
    examples,
    async (shell, options: Options, ...given: never[]) => {
      const { tree } = options;
      const room = options.room ?? tree?.file.room;
      if (room === undefined) throw new UsageError("name the room: --room, or room in .wharf-leases.toml.");
      try {
        await action(shell, { room, tree }, options, ...given);
      } catch (error) {
        if (!(error instanceof WharfProblem) || error.problem.code !== "lease_held") throw error;
        sayHeld(shell, error.problem as HeldProblem);
      }
    },
    (options) => {
      const tree = leaseFileAbove(realPath(resolve(".")));
      const url = tree?.file.url;
      return { ...options, ...(tree && { tree }), ...(url !== undefined && { repository_url: url }) };
    },
  );
}

/** The refusal of a lease. */
type HeldProblem = Schemas["Problem"] &
  Pick<Schemas["CheckedLeases"]["held"][number], "path" | "holder" | "purpose" | "until"> & {
    in_line?: true;
    yours?: true;
    fence?: number;
  };

/** Says who holds a path, and what for. */
function sayHeld({ is_json, show, note, terminal }: ShellContext, problem: HeldProblem): void {
  if (is_json) show(problem, []);
  else note(heldText(problem));
  terminal.setStatus(held_status);
}

function heldText({ path, holder, purpose, until, in_line, yours, fence }: HeldProblem): string {
  const what_for = purpose === undefined ? "" : `, for ${quotedJson(purpose)}`;
  if (yours) return `${path} is held by ${holder}, your own name, until ${until}${what_for}: lease ${fence}.`;
  if (in_line) return `${holder} is in line for ${path} before you, until ${until}${what_for}.`;
  return `${path} is held by ${holder} until ${until}${what_for}. --wait SECONDS waits for it.`;
}
