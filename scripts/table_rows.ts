/** Rows of Markdown tables that scripts write results into. */

/** Replaces the row of `file` that begins with the first of `cells`, or adds it at the end. */
export async function writeRow(file: string, cells: (string | number)[]): Promise<void> {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n");
  const row = `| ${cells.join(" | ")} |`;
  const at = lines.findIndex((line) => new RegExp(`^\\| ${cells[0]} +\\|`).test(line));
  if (at >= 0) lines[at] = row;
  else lines.push(row);
  await Bun.write(file, lines.join("\n") + "\n");
  Bun.spawnSync([process.execPath, "fmt", "--no-script", file]);
}
