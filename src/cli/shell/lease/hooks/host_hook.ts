/** Answers the hook of an agent host: it reads the call on standard input and prints what the host reads. */

import { messageOf } from "../../../../core/log.ts";
import type { Terminal } from "../../../terminal.ts";
import { sentIn, type Host } from "../../hooks/host.ts";
import { writeLines } from "../../texts.ts";
import type { Guard } from "../guard.ts";
import { realPath } from "../lease_file.ts";
import { SessionLeases } from "../session_leases.ts";

/** Answers a call. An allowed edit has no output, so that a host asks for its own permissions as without the hook. */
export async function answerHost(host: Host, guard: Guard, terminal: Terminal, input: string): Promise<void> {
  const { print, writeError } = terminal;
  const call = host.read(sentIn(input));
  if (call.event !== "edit" && call.event !== "end") return;
  const leases = new SessionLeases(terminal, call.session);
  if (call.event === "end") {
    await leases.release(guard.signal).catch((error: unknown) => {
      writeError(
        `wharf: leases of the session are not released, and end by themselves: ${messageOf(error)}\n`,
      );
    });
    return;
  }
  const verdict = await guard.checkFiles(call.paths.map(realPath), {
    session: leases,
  });
  if (!verdict.allowed) return print(JSON.stringify(host.deny(verdict.text)));
  if (verdict.notice === undefined) return;
  writeLines(terminal, verdict.notice);
  print(JSON.stringify(host.allow(verdict.notice)));
}
