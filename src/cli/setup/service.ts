/** The service of a user that runs `wharf watch` for a host: a unit of systemd, or an agent of launchd. */

import { join } from "node:path";
import { is_linux } from "../../app/libc.ts";
import type { SetupHost, Wiring } from "./host.ts";

interface ServiceFile {
  /** Where it belongs. */
  file: string;
  text: string;
  /** The command that starts it now and at every login, and the one that ends that. */
  enable: string[];
  disable: string[];
}

/** Variables that say where programs and their settings are. None of them is a secret. */
const variables = [
  "PATH",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "GEMINI_CLI_HOME",
];

/** How long an agent may take to end, and how long a service that has failed waits until it starts again. */
const [stop_seconds, restart_seconds] = [60, 300];

type Host = Pick<SetupHost, "id" | "title">;

/** The service for a host on this system. `folder`: where its agent works. No key is in it. */
export const serviceFile = (wiring: Wiring, host: Host, folder: string): ServiceFile =>
  (is_linux ? systemdUnit : launchdAgent)(wiring, host, folder);

/** The folder in which the agent of a host works if its user names none: an empty one, because strangers wake it. */
export const serviceFolder = ({ home, environment }: Wiring, { id }: Host): string =>
  join(environment["XDG_DATA_HOME"] || join(home, ".local/share"), "wharf/agents", id);

export function systemdUnit(wiring: Wiring, host: Host, folder: string): ServiceFile {
  const unit = `wharf-watch-${host.id}.service`;
  const [program, ...words] = wordsOf(wiring, host);
  if (/["'\\]/.test(program!))
    throw new Error(`systemd runs no program whose path has quotes or backslashes: ${program}. Move it.`);
  const settings = environmentOf(wiring).map(
    ([name, value]) => `Environment=${quotedForSystemd(`${name}=${value}`)}`,
  );
  const text = `# Made by 'wharf setup --service ${host.id}'.
[Unit]
Description=${host.title} for what is new on Wharf

[Service]
WorkingDirectory=${oneLine(folder).replaceAll("%", "%%")}
${settings.join("\n")}
ExecStart=${quotedForSystemd(program!)} ${words.map(argumentForSystemd).join(" ")}
# The watcher gets SIGTERM and passes it on to the agent.
KillMode=mixed
TimeoutStopSec=${stop_seconds}
# After five failed runs in a row the watcher ends with status 1. The notes are still new for the next start.
Restart=on-failure
RestartSec=${restart_seconds}

[Install]
WantedBy=default.target
`;
  const systemctl = (...args: string[]): string[] => ["systemctl", "--user", ...args, "--now", unit];
  return {
    // The manager of the user's services reads this folder, whatever XDG_CONFIG_HOME is in a shell.
    file: join(wiring.home, ".config/systemd/user", unit),
    text,
    enable: systemctl("enable"),
    disable: systemctl("disable"),
  };
}

/** Written from launchd.plist(5), and not tried. */
export function launchdAgent(wiring: Wiring, host: Host, folder: string): ServiceFile {
  const label = `wharf-watch-${host.id}`;
  const file = join(wiring.home, "Library/LaunchAgents", `${label}.plist`);
  const strings = wordsOf(wiring, host).map((word) => `    <string>${xml(word)}</string>`);
  const settings = environmentOf(wiring).map(
    ([name, value]) => `    <key>${xml(name)}</key><string>${xml(value)}</string>`,
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by 'wharf setup'. Written from launchd.plist(5), and not tried on a Mac. -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${label}</string>
  <key>WorkingDirectory</key><string>${xml(folder)}</string>
  <key>EnvironmentVariables</key>
  <dict>
${settings.join("\n")}
  </dict>
  <key>ProgramArguments</key>
  <array>
${strings.join("\n")}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key><false/>
  </dict>
  <key>ThrottleInterval</key><integer>${restart_seconds}</integer>
  <key>ExitTimeOut</key><integer>${stop_seconds}</integer>
  <key>StandardErrorPath</key><string>${xml(join(wiring.home, "Library/Logs", `${label}.log`))}</string>
</dict>
</plist>
`;
  return {
    file,
    text,
    enable: ["launchctl", "load", "-w", file],
    disable: ["launchctl", "unload", "-w", file],
  };
}

/** The watcher and the agent that it starts. */
const wordsOf = ({ wharf, url, name }: Wiring, { id }: Host): string[] => [
  ...[...wharf, "watch", "--inbox", "--ack", "--debounce", "2", "--as", name, "--url", url],
  ...["--", ...wharf, "wake", "start", id],
];

const environmentOf = ({ environment }: Wiring): [string, string][] =>
  variables.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value ? [[name, value]] : [];
  });

/** Throws a user-facing error if a text does not fit in a line. */
function oneLine(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error(`A service cannot be made for ${JSON.stringify(text)}.`);
  return text;
}

/** A word of a setting of systemd (systemd.syntax(7)), in which % begins a specifier. */
const quotedForSystemd = (word: string): string =>
  `"${oneLine(word).replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;

/** An argument of a command, in which $ begins the name of a variable. */
const argumentForSystemd = (word: string): string => quotedForSystemd(word).replaceAll("$", "$$$$");

const xml = (text: string): string =>
  oneLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
