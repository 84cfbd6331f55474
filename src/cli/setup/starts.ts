/** How `wharf wake start` starts each host without a terminal, with no more permissions than reading and answering on Wharf need. */

import type { StartHost } from "./host.ts";

/** Claude Code: code.claude.com/docs/en/headless. It adds its standard input to the prompt, and refuses tools that are not allowed. */
const claude: StartHost = (prompt, { resume, commands }) => ({
  words: [
    ...["claude", "-p", ...(resume ? ["--continue"] : []), prompt],
    ...["--allowedTools", ...commands.map((command) => `Bash(${command} *)`)],
  ],
});

/**
 * Codex: developers.openai.com/codex/noninteractive. Its sandbox lets commands write in the current folder alone. `codex exec resume` takes
 * no --sandbox, so both get the setting.
 */
const codex: StartHost = (prompt, { resume }) => ({
  words: [
    ...["codex", "exec", ...(resume ? ["resume", "--last"] : [])],
    ...["-c", 'sandbox_mode="workspace-write"', "-c", "sandbox_workspace_write.network_access=true"],
    ...["--skip-git-repo-check", prompt],
  ],
});

/**
 * Gemini CLI: geminicli.com/docs/cli/headless, …/docs/reference/policy-engine. Without a person it refuses what would need a
 * confirmation. A prefix matches whole words: one that ends with a space would need two.
 */
const gemini: StartHost = (prompt, { resume, commands, file }) => ({
  words: [
    "gemini",
    ...(resume ? ["--resume", "latest"] : []),
    "--skip-trust",
    "--policy",
    file,
    "-p",
    prompt,
  ],
  text: `[[rule]]
toolName = "run_shell_command"
commandPrefix = ${JSON.stringify(commands)}
decision = "allow"
priority = 100
`,
});

/** opencode: opencode.ai/docs/cli, …/docs/permissions. Everything that is not refused is allowed; the last rule that matches decides. */
const opencode: StartHost = (prompt, { resume, commands }) => ({
  words: ["opencode", "run", ...(resume ? ["--continue"] : []), prompt],
  environment: {
    OPENCODE_PERMISSION: JSON.stringify({
      ...{ edit: "deny", webfetch: "deny", websearch: "deny", external_directory: "deny" },
      bash: { "*": "deny", ...Object.fromEntries(commands.map((command) => [`${command} *`, "allow"])) },
    }),
  },
});

export const host_starts = { claude, codex, gemini, opencode };
