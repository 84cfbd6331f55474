/** Where the commands of the client keep what they know between two runs. */

import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../terminal.ts";

type Environment = Pick<Terminal, "environment">;

/** The folder of the command line's state (XDG Base Directory Specification). */
export const stateFolder = ({ environment: { XDG_STATE_HOME } }: Environment): string =>
  join(XDG_STATE_HOME || join(homedir(), ".local", "state"), "wharf");

/** The path of a file of the kind `kind` about what `identity` identifies, such as a service and a name. */
export function stateFile(terminal: Environment, kind: string, identity: unknown): string {
  const id = new Bun.CryptoHasher("sha256").update(JSON.stringify(identity)).digest("hex");
  return join(stateFolder(terminal), `${kind}-${id.slice(0, 16)}.json`);
}
