/** Writes the pages of docs/hosts from the table that `wharf setup` uses: `bun scripts/host_pages.ts && bun run fmt`. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Change, SetupHost, Wiring } from "../src/cli/setup/host.ts";
import { setup_hosts } from "../src/cli/setup/hosts.ts";
import { shellLine } from "../src/cli/setup/own_command.ts";
import { pasted } from "../src/cli/setup/printing.ts";

const root = join(import.meta.dir, "..");
const folder = "docs/hosts";

/** What the pages show in place of what a user has. */
const wiringOf = ({ id }: SetupHost): Wiring => ({
  wharf: ["wharf"],
  url: "https://wharf.example",
  name: `ada-${id}`,
  home: "~",
  environment: {},
  skill: "",
});

type Purpose = Change["purpose"];
const titles: Partial<Record<Purpose, string>> = {
  tools: "the MCP server",
  skill: "the skill",
  "wake-up": "the mailbox at each prompt and turn",
  leases: "leases",
};

/** What setup gives a host, in the order of its changes. */
const purposesOf = (host: SetupHost): Purpose[] => [
  ...new Set(host.changes(wiringOf(host)).map(({ purpose }) => purpose)),
];

const languages: Record<string, string> = { ".js": "js", ".json": "json", ".toml": "toml", ".yaml": "yaml" };
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A file that setup changes: its path, what for, and the text or the command. */
function fileSection(host: SetupHost, { file, text, command }: ReturnType<typeof pasted>[number]): string {
  const changes = host.changes(wiringOf(host)).filter((change) => change.file === file);
  const purposes = [...new Set(changes.map(({ purpose }) => titles[purpose] ?? purpose))];
  const shown =
    command === undefined
      ? `:\n\n\`\`\`${languages[extname(file!)] ?? "text"}\n${text!.trimEnd()}\n\`\`\``
      : changes[0]!.purpose === "skill"
        ? `: the text of <${wiringOf(host).url}/SKILL.md>.`
        : `, by a command of ${host.title}:\n\n\`\`\`sh\n${command}\n\`\`\``;
  return `### \`${file}\`\n\n${upperFirst(purposes.join(", "))}${shown}`;
}

/** The command, and what it does. */
function introduction({ id, title, program }: SetupHost): string {
  if (program === null)
    return `\`\`\`sh
wharf setup --print ${id}
\`\`\`

It prints what to paste, and changes nothing: \`wharf setup\` does not set up ${title} itself.`;
  return `\`\`\`sh
wharf setup ${id}
\`\`\`

It claims a name for the agents of this host, such as \`ada-${id}\`, and changes the files below, which are your own settings. It shows every
change and asks before; \`--dry-run\` only shows them. \`wharf setup --check ${id}\` tries the server, and \`wharf setup --undo ${id}\` makes each file
what it was. No key is in any of these files: \`wharf\` has it in its own.`;
}

function waking(host: SetupHost, purposes: Purpose[]): string {
  const { id, title, start } = host;
  const channel = JSON.stringify(host.changes(wiringOf(host))).includes("--channel")
    ? " If its channel is on (see above), what comes reaches an idle session, too; this was not tried live."
    : "";
  const hooks = purposes.includes("wake-up")
    ? "In a session, `wharf inbox --hook` runs at each prompt and at the end of each turn: one line says what is unread, and nothing if nothing is."
    : `Nothing wakes a session of ${title}. Ask the agent to read its mailbox when it begins and before it ends.`;
  const watch = [
    "wharf",
    "watch",
    "--inbox",
    "--ack",
    "--as",
    `ada-${id}`,
    "--",
    "wharf",
    "wake",
    "start",
    id,
  ];
  const started =
    start === null
      ? "`wharf watch` does not start it."
      : `Without a session, this command waits, and starts ${title} for what is new ([waking](../waking.md)):

\`\`\`sh
${shellLine(watch)}
\`\`\`

\`wharf setup ${id} --service\` makes a service of your login that runs it. \`wharf wake test ${id}\` sends the name a mention, and says whether its agent
was reached.`;
  return `${hooks}${channel}\n\n${started}`;
}

const leases = (purposes: Purpose[]): string =>
  purposes.includes("leases")
    ? "In a repository with a file `.wharf-leases.toml`, an edit of what somebody else has leased is refused ([leases](../leases.md)). Elsewhere nothing is checked."
    : "Nothing checks its edits. The agent can take leases itself, with the tool `lease_take` ([leases](../leases.md)).";

function pageOf(host: SetupHost): string {
  const purposes = purposesOf(host);
  const { title, tried_version, remarks } = host;
  return `# ${title}

${introduction(host)}

${tried_version === null ? "**Not tried: made from its documentation.**" : `Tried with version ${tried_version}.`}

## By hand

${remarks.map((remark) => `- ${remark}`).join("\n")}

## Waking

${waking(host, purposes)}

## Leases

${leases(purposes)}

## The changes

Here \`wharf\` is the path of the program, \`https://wharf.example\` the service, \`ada-${host.id}\` the name, and \`~\` your home directory. Other lines of
a file stay as they are.

${pasted(host, wiringOf(host))
  .map((step) => fileSection(host, step))
  .join("\n\n")}
`;
}

function table(): string {
  const has = (is: boolean) => (is ? "yes" : "no");
  const rows = setup_hosts.map((host) => {
    const purposes = purposesOf(host);
    return [
      `[${host.title}](${host.id}.md)`,
      `\`wharf setup ${host.program === null ? "--print " : ""}${host.id}\``,
      host.tried_version ?? "not tried",
      has(purposes.includes("wake-up")),
      has(host.start !== null),
      has(purposes.includes("leases")),
    ];
  });
  const header = [
    "host",
    "command",
    "tried with",
    "says what is new",
    "started for what is new",
    "checks leases",
  ];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The pages by their path. */
export const host_pages: Record<string, string> = {
  [`${folder}/README.md`]: `# Agent hosts

\`wharf setup\` finds the agent hosts on this machine, shows what it would change, asks, and sets them up. Each gets the MCP server, the skill, and a
claimed name of its own.

${table()}

Other programs: [connect.md](../connect.md) has the clients that sign in, and [clients.md](../clients.md) all others.
`,
  ...Object.fromEntries(setup_hosts.map((host) => [`${folder}/${host.id}.md`, pageOf(host)])),
};

if (import.meta.main) {
  for (const [path, text] of Object.entries(host_pages)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
