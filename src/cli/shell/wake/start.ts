/** `wharf wake start`: starts an agent without a terminal for what `wharf watch` has found. */

import { Command } from "commander";
import { closeSync } from "node:fs";
import { basename, join } from "node:path";
import { isatty } from "node:tty";
import { process_id } from "../../../app/libc.ts";
import { messageOf } from "../../../core/log.ts";
import { UsageError } from "../../../core/settings.ts";
import { quotedJson } from "../../../core/text_form.ts";
import { makeDirectory, writeDurably } from "../../../storage/sqlite/durable.ts";
import type { StartHost } from "../../setup/host.ts";
import { wharfLine } from "../../setup/own_command.ts";
import { host_starts } from "../../setup/starts.ts";
import { withExamples, type Terminal } from "../../terminal.ts";
import { claimNotes } from "../announced.ts";
import { exitStatusOf } from "../exit_status.ts";
import { stateFolder } from "../state_folder.ts";
import { inputFrom } from "../watch/input_file.ts";
import { inheritedLock } from "../watch/position.ts";
import { allowedLines, promptFor } from "./prompt.ts";

const about = `
It is a command for 'wharf watch': 'wharf watch --inbox --ack --debounce 2 -- wharf wake start codex'. The agent works in the current
folder. Its prompt says who it is, and what is new is its standard input. It may run 'wharf read', 'say', 'ask', 'rooms', 'inbox' and
'jobs', and what its own settings allow. Another program gets the prompt as its last argument. 'wharf help waking' has more.

Signals are passed on. The exit code is that of the agent, or 128 and the number of the signal that ended it.`;

export const startCommand = (terminal: Terminal): Command =>
  withExamples(
    new Command("start")
      .description("start an agent without a terminal for what 'wharf watch' has found")
      .argument(
        "<host...>",
        `${Object.keys(host_starts).join(", ")}; or --, then another program and its arguments`,
      )
      .option(
        "--resume",
        "continue the last session of the host in this folder; if that fails, start a new one",
      )
      .addHelpText("after", about)
      .action(async (words: string[], { resume = false }: { resume?: boolean }) => {
        const chosen = chosenBy(words, resume, terminal);
        await new AgentStart(terminal, chosen, await readNews()).run(resume);
      }),
    `echo '{"url": "http://127.0.0.1:4273", "name": "ada"}' | wharf wake start -- echo`,
  );

interface Chosen {
  /** How messages and the names of files call it. */
  id: string;
  start: StartHost;
}

/** The host of a command line, or its own program. Throws a `UsageError`. */
function chosenBy(words: string[], resume: boolean, { args }: Terminal): Chosen {
  const at = args.indexOf("--");
  const program = at < 0 ? [] : args.slice(at + 1);
  const [id, ...more] = words.slice(0, words.length - program.length);
  if (id === undefined) {
    if (resume) throw new UsageError("--resume is for a host: another program has options of its own.");
    return { id: program[0]!, start: (prompt) => ({ words: [...program, prompt] }) };
  }
  const start = (host_starts as Record<string, StartHost>)[id];
  if (start && more.length === 0 && program.length === 0) return { id, start };
  throw new UsageError(
    `name one host, ${Object.keys(host_starts).join(", ")}, or another program after --. See 'wharf wake start --help'.`,
  );
}

/** What `wharf watch` gives its command. */
interface News {
  url: string;
  name: string;
  notes?: { seq: number }[];
}

/** Reads standard input. Throws a `UsageError` if it is not of `wharf watch`. */
async function readNews(): Promise<News> {
  try {
    const news = JSON.parse(isatty(0) ? "" : await Bun.stdin.text()) as News;
    if (URL.canParse(news.url) && typeof news.name === "string") return news;
  } catch {
    // It is no JSON, or null.
  }
  throw new UsageError(
    "standard input must be what 'wharf watch' gives its command: a JSON object with url and name.",
  );
}

/** A start of an agent, which ends with the status of that. */
class AgentStart {
  #child: Bun.Subprocess | null = null;
  #is_stopped = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly chosen: Chosen,
    private readonly news: News,
  ) {
    terminal.onStop((signal) => {
      this.#is_stopped = true;
      this.#child?.kill(signal);
    });
  }

  async run(resume: boolean): Promise<void> {
    const announcement = this.#announce();
    let status = -1;
    try {
      status = await this.#runAgain(resume);
    } finally {
      if (status !== 0) announcement.giveBack();
    }
    this.terminal.setStatus(status);
  }

  /** Runs the agent, anew if it does not continue its last session. Returns its status. */
  async #runAgain(resume: boolean): Promise<number> {
    const { terminal, chosen } = this;
    const status = await this.#runOnce(resume);
    if (!resume || status === 0 || this.#is_stopped) return status;
    terminal.writeError(
      `wharf: ${chosen.id} ended with status ${status} when it continued its last session. A new one is started.\n`,
    );
    return this.#runOnce(false);
  }

  /** The hooks of its host need not announce what the agent is started for. */
  #announce(): { giveBack(): void } {
    const { terminal, news } = this;
    try {
      return claimNotes(terminal, news, news.notes ?? []);
    } catch (error) {
      terminal.writeError(`wharf: ${messageOf(error)}\n`);
      return { giveBack: () => {} };
    }
  }

  async #runOnce(resume: boolean): Promise<number> {
    const { terminal, chosen, news } = this;
    const folder = stateFolder(terminal);
    makeDirectory(folder);
    const wharf = wharfLine(terminal);
    const file = join(folder, `wake-${basename(chosen.id)}.toml`);
    const { words, environment, text } = chosen.start(promptFor(news, wharf), {
      resume,
      commands: allowedLines(wharf),
      file,
    });
    const [program] = words;
    if (Bun.which(program!, { PATH: terminal.environment["PATH"] ?? "" }) === null)
      throw new UsageError(`there is no program ${program} on the PATH.`);
    if (text !== undefined) writeDurably(file, text);
    const lock = inheritedLock(terminal);
    const input = inputFrom(join(folder, `wake-${process_id}.input`), `${quotedJson(news)}\n`);
    try {
      this.#child = Bun.spawn(words, {
        env: { ...terminal.environment, ...environment },
        stdio: [input, "inherit", "inherit", ...(lock === null ? [] : [lock])],
      });
    } finally {
      closeSync(input);
    }
    await this.#child.exited;
    return exitStatusOf(this.#child);
  }
}
