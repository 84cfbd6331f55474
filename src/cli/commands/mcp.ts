/** `wharf mcp`: the tools over standard input and output, for MCP clients that start their servers as programs. */

import { Command, Option } from "commander";
import { pairOf } from "../../client/client.ts";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { UsageError, type SettingName } from "../../core/settings.ts";
import { jsonLine, revealDeceptive } from "../../core/text.ts";
import type { Announcements, Finder, Place } from "../../bridge/deps.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { logFormat } from "../configuration.ts";
import { configFrom, settingsFrom, withSettings } from "../setting_options.ts";
import { claimNotes } from "../shell/announced.ts";
import { connect, type ConnectionOptions } from "../shell/connection.ts";
import { credentialsFile, readCredentials } from "../shell/credentials.ts";

/** The settings of an embedded service that are options, too. All others are in the environment or the settings file. */
const setting_options: SettingName[] = ["data_dir", "port", "host", "log_level"];

/** Where the service is. */
interface Target extends Finder {
  /** Throws a user-facing error if there is no use in waiting for it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface McpOptions extends ConnectionOptions {
  channel?: true;
}

const about = `
Without an address, and with --data-dir, it joins the service that runs in the data directory, or runs it itself.
--channel needs the key of a claimed name, and a session that loads the channel: 'wharf help stdio' has more.`;

export function mcpCommand(terminal: Terminal): Command {
  const mcp = new Command("mcp")
    .description("serve the MCP tools over standard input and output")
    .addOption(
      new Option(
        "--url <url>",
        "the service, or one of its MCP addresses (or WHARF_URL; default: that of wharf login)",
      ),
    )
    .addOption(new Option("--as <name>", "the name that calls (or WHARF_NAME; default: the saved one)"))
    .addOption(
      new Option(
        "--channel",
        "send the new notes of the name's mailbox as messages of a channel of Claude Code (a research preview)",
      ),
    )
    .addHelpText("after", about);
  withSettings(mcp, setting_options).action(async (options: McpOptions, command: Command) => {
    const target = targetOf(options, command, terminal);
    await bridgeUntilEnd(target, options.channel ?? false, terminal);
  });
  return withExamples(mcp, "wharf mcp --url http://127.0.0.1:4273", "wharf mcp --data-dir ./wharf-data");
}

function targetOf(options: ConnectionOptions, command: Command, terminal: Terminal): Target {
  const is_directory_given = command.getOptionValueSource("dataDir") === "cli";
  if (options.url !== undefined && is_directory_given) {
    throw new UsageError("--url and --data-dir name two services: give one of them.");
  }
  const { environment } = terminal;
  const chosen = environment["WHARF_URL"] || readCredentials(credentialsFile(terminal)).url;
  const url = options.url ?? (is_directory_given ? undefined : chosen);
  return url === undefined ? inDirectory(options, command, terminal) : atAddress(url, options, terminal);
}

/** A service by its address, or by the address of its tools. */
function atAddress(address: string, { as }: ConnectionOptions, terminal: Terminal): Target {
  const [, url, path] = /^(.*?)(\/mcp(?:\/meet(?:\/[^/]+)?)?)?\/*$/s.exec(address)!;
  const place = placeAt(url!, as, terminal, path);
  return { find: () => Promise.resolve(place), lost() {}, ...nothing_to_do };
}

const nothing_to_do = { start: () => Promise.resolve(), stop: () => Promise.resolve() };

function placeAt(address: string, as: string | undefined, terminal: Terminal, path = "/mcp"): Place {
  const { url, name, key } = connect({ url: address, ...(as !== undefined && { as }) }, terminal);
  return {
    url: url + path,
    service_url: url,
    headers: {},
    ...(name && key && { name, headers: pairOf(name, key) }),
    options: {},
  };
}

/** A service on this machine. `url`: its URL, or `unix:` and the path of its socket. */
function placeOnMachine(url: string, as: string | undefined, terminal: Terminal): Place {
  return url.startsWith("unix:")
    ? { ...placeAt("http://localhost", as, terminal), options: { unix: url.slice("unix:".length) } }
    : // The address of this machine is not the name in a certificate.
      { ...placeAt(url, as, terminal), options: { tls: { rejectUnauthorized: false } } };
}

/** The service of the data directory. */
function inDirectory({ as }: ConnectionOptions, command: Command, terminal: Terminal): Target {
  const config = configFrom(command, terminal);
  const is_port_chosen = settingsFrom(command, terminal).port.written !== null;
  const log = createLog(systemClock, config.log_level, terminal.writeError, logFormat(config, terminal));
  // Imported here: a service elsewhere needs no app.
  const app = import("../../app/service_of_directory.ts");
  const service = app.then(({ serviceOfDirectory }) =>
    serviceOfDirectory(config, is_port_chosen, { clock: systemClock, random: systemRandom, log }),
  );
  let found: { url: string; place: Place } | undefined;
  return {
    async start() {
      const { DirectoryInUse } = await app;
      await (await service).find().catch((error: unknown) => {
        if (!(error instanceof DirectoryInUse)) throw error;
      });
    },
    async find() {
      const url = await (await service).find();
      if (found?.url !== url) found = { url, place: placeOnMachine(url, as, terminal) };
      return found.place;
    },
    async lost(place) {
      if (found?.place === place) (await service).lost(found.url);
    },
    async stop() {
      await (await service).stop();
      log.close();
    },
  };
}

/** Throws a `UsageError` if the target has no key. Ignores a target that is not there yet. */
async function requireKey(target: Target): Promise<void> {
  const place = await target.find().catch(() => null);
  if (!place || place.name !== undefined) return;
  await target.stop();
  throw new UsageError(
    `--channel needs the key of a claimed name, and none is saved for ${place.service_url}: run 'wharf name claim NAME' first, or give a saved name with --as.`,
  );
}

/** Passes messages on until standard input ends, or a signal ends the program. Then the process ends. */
async function bridgeUntilEnd(target: Target, has_channel: boolean, terminal: Terminal): Promise<void> {
  const { writeError } = terminal;
  const channel: Announcements = {
    claim: (mailbox, unread, latest_seq) => claimNotes(terminal, mailbox, unread, latest_seq),
  };
  const { createBridge } = await import("../../bridge/bridge.ts");
  const { linesIn } = await import("../../bridge/lines.ts");
  const output = Bun.stdout.writer();
  async function write(text: string): Promise<void> {
    try {
      await output.write(text);
      await output.flush();
    } catch {
      // The client has closed its end, although it has not ended standard input.
      void end();
    }
  }
  const bridge = createBridge({
    finder: target,
    write: (message) => void (last_write = write(`${jsonLine(message)}\n`)),
    note: (text) => writeError(`wharf: ${revealDeceptive(text)}\n`),
    clock: systemClock,
    random: systemRandom,
    ...(has_channel && { channel }),
  });
  let last_write: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  const end = () =>
    (ending ??= (async () => {
      await bridge.end();
      await target.stop();
      await last_write;
      process.exit(0);
    })());
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void end());
  await target.start();
  if (has_channel) await requireKey(target);
  for await (const line of linesIn(Bun.stdin.stream())) bridge.receive(line);
  await end();
}
