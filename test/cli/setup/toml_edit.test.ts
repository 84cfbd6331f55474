/** A table at the end of a TOML file, and the file without it. */

import { describe, expect, test } from "bun:test";
import { addTable, removeTable, type Table } from "../../../src/cli/setup/toml_edit.ts";

const table: Table = {
  kind: "table",
  at: ["mcp_servers", "wharf"],
  value: { command: "/opt/wharf", args: ["mcp", '--as "a"', "\u007f"] },
};
const block = `[mcp_servers.wharf]
command = "/opt/wharf"
args = ["mcp", "--as \\"a\\"", "\\u007f"]
`;
const user = `# What I use.
model = "gpt-5.5"   # the good one

[mcp_servers.other] # another
args = [ "a",   'b' ]
`;

describe("a table", () => {
  test.each([
    ["an absent or empty file", "", block],
    ["a file with comments and another table", user, `${user}\n${block}`],
    ["a file whose last line has no end", "a = 1", `a = 1\n\n${block}`],
    ["a file of Windows", "a = 1\r\n", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}`],
    ["a file with a byte order mark", "\ufeffa = 1\n", `\ufeffa = 1\n\n${block}`],
    [
      "dotted keys of another",
      'mcp_servers.other.command = "x"\n',
      `mcp_servers.other.command = "x"\n\n${block}`,
    ],
  ])("is added to %s, and taken out again", (_title, before, after) => {
    const added = addTable(before, table);
    expect(added.text).toBe(after);
    expect(Bun.TOML.parse(after.replace("\ufeff", ""))).toMatchObject({
      mcp_servers: { wharf: table.value },
    });
    expect(addTable(after, table)).toMatchObject({ text: after, lines: null });
    const ended = before !== "" && !before.endsWith("\n") ? `${before}\n` : before;
    expect(removeTable(after, table)).toEqual({ text: ended, was: "there" });
  });

  test("is taken out of a file that others have continued", () => {
    const after = `${addTable(user, table).text}\n[projects."/x"]\ntrust_level = "trusted"\n`;
    expect(removeTable(after, table)).toEqual({
      text: `${user}\n[projects."/x"]\ntrust_level = "trusted"\n`,
      was: "there",
    });
  });

  test("is left if somebody has changed it, or has added a table below it", () => {
    const { text } = addTable(user, table);
    for (const changed of [
      text.replace("/opt/wharf", "/usr/bin/wharf"),
      `${text}[mcp_servers.wharf.tools]\nx = 1\n`,
    ])
      expect(removeTable(changed, table)).toEqual({ text: changed, was: "changed" });
    expect(removeTable(user, table)).toEqual({ text: user, was: "absent" });
  });

  test.each([
    ["is no TOML", "a = [\n1,\n]\nmodel = \nb = 1\n", 4],
    ["has another mcp_servers.wharf", '[mcp_servers.other]\n[mcp_servers.wharf]\nurl = "x"\n', 2],
    ["has no place for a table mcp_servers.wharf", 'mcp_servers = { other = { command = "x" } }\n', 1],
  ])("is refused by a file that %s", (reason, text, line) => {
    expect(() => addTable(text, table)).toThrow(
      expect.objectContaining({ name: "JsonFault", line }) as Error,
    );
    expect(() => addTable(text, table)).toThrow(reason);
  });
});
