/** Unix sockets that the service listens on. */

import { chmodSync, lstatSync, rmSync } from "node:fs";

/** The longest path that every system takes (sun_path of macOS has 104 bytes with its end). */
const path_bytes_max = 103;

/** Why no socket can be made at `path`; null if one can. A socket that an ended process has left does not count. */
export function faultOfSocketPath(path: string): string | null {
  const bytes = Buffer.byteLength(path);
  if (bytes > path_bytes_max) return `its path has ${bytes} bytes; ${path_bytes_max} fit`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && !found.isSocket() ? "another file is there" : null;
}

/** Whether a process listens at `path`. */
export async function isAnswered(path: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data() {} } });
    connection.end();
    return true;
  } catch {
    return false;
  }
}

/** Starts a server on the socket at `path`, in place of one that is left there. Its file has the permissions `mode`. */
export function onSocket<Server>(path: string, mode: number, start: () => Server): Server {
  rmSync(path, { force: true });
  // Until its mode is set nobody else can open it: the process makes all files for its user alone.
  const server = start();
  chmodSync(path, mode);
  return server;
}
