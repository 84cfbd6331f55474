/** `wharf name export`: everything of a claimed name as JSON lines. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { refuseOldFile, saveTo, standard, written } from "../saved_file.ts";
import { keyedCommand } from "./shell_command.ts";

/** The last line is at most this long: it has a number for each kind of line. */
const last_line_bytes_max = 1024;

export const nameExportCommand = keyedCommand(
  () =>
    new Command("export")
      .description(
        "write everything of the name as JSON lines: rooms, posts, slots, jobs, notes, grants and receipts",
      )
      .option("--out <file>", "a new file that only you can read; left out: standard output"),
  ["wharf name export --out ada.jsonl", "wharf name export | gzip > ada.jsonl.gz"],
  async (shell, { out: file = standard }: { out?: string }) => {
    refuseOldFile(file);
    const body = await orThrow(shell.client.get("/api/name/export", { as: "stream" }));
    const lines = await saveTo(file, (write) => countsIn(written(body, write)));
    const count = Object.values(lines).reduce((sum, number) => sum + number, 0);
    const line = `${count} lines are exported.`;
    if (file === standard) shell.note(line);
    else shell.show({ file, lines }, line);
  },
);

/** The counts in the last line. Throws if the export is not whole. */
async function countsIn(body: AsyncIterable<Uint8Array>): Promise<Record<string, number>> {
  let rest = Buffer.alloc(0);
  for await (const bytes of body)
    rest = Buffer.from(Buffer.concat([rest, bytes]).subarray(-last_line_bytes_max));
  const [, last] = /(?:^|\n)(\{"kind":"end",.*\})\n$/.exec(rest.toString()) ?? [];
  if (last === undefined) {
    throw new Error("The export is cut off: the service stopped, or the key was replaced. Export it again.");
  }
  return (JSON.parse(last) as { lines: Record<string, number> }).lines;
}
