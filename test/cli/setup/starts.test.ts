/** How hosts are started without a terminal: what their documentation says of the words, as of November 2026. */

import { expect, test } from "bun:test";
import { host_starts } from "../../../src/cli/setup/starts.ts";

const commands = ["wharf read", "wharf say"];
const start = (host: keyof typeof host_starts, resume: boolean) =>
  host_starts[host]("PROMPT", { resume, commands, file: "/state/policy.toml" });

test.each([
  ["claude", ["claude", "-p", "PROMPT"], ["claude", "-p", "--continue", "PROMPT"]],
  ["codex", ["codex", "exec"], ["codex", "exec", "resume", "--last"]],
  ["gemini", ["gemini", "--skip-trust"], ["gemini", "--resume", "latest", "--skip-trust"]],
  ["opencode", ["opencode", "run", "PROMPT"], ["opencode", "run", "--continue", "PROMPT"]],
] as const)("%s begins a session, or continues the last one of the folder", (host, first, later) => {
  expect(start(host, false).words.slice(0, first.length)).toEqual([...first]);
  expect(start(host, true).words.slice(0, later.length)).toEqual([...later]);
  for (const resume of [false, true])
    expect(start(host, resume).words.filter((word) => word === "PROMPT")).toHaveLength(1);
});

test("each permits the commands, and no others", () => {
  expect(start("claude", false).words.slice(3)).toEqual([
    "--allowedTools",
    "Bash(wharf read *)",
    "Bash(wharf say *)",
  ]);
  expect(start("codex", true).words.slice(4, 8)).toEqual([
    ...["-c", 'sandbox_mode="workspace-write"'],
    ...["-c", "sandbox_workspace_write.network_access=true"],
  ]);
  const { words, text } = start("gemini", false);
  expect(words.slice(2, 4)).toEqual(["--policy", "/state/policy.toml"]);
  expect(Bun.TOML.parse(text!)).toEqual({
    rule: [
      {
        toolName: "run_shell_command",
        commandPrefix: ["wharf read", "wharf say"],
        decision: "allow",
        priority: 100,
      },
    ],
  });
  expect(JSON.parse(start("opencode", false).environment!["OPENCODE_PERMISSION"]!)).toMatchObject({
    edit: "deny",
    bash: { "*": "deny", "wharf read *": "allow", "wharf say *": "allow" },
  });
});
