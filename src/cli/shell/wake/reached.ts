/** `wharf wake test`: sends a claimed name of this machine a mention, and says whether its agent was reached. */

import { closeSync } from "node:fs";
import { Command } from "commander";
import { orThrow, type Schemas } from "../../../client/client.ts";
import { systemClock } from "../../../core/clock.ts";
import { UsageError } from "../../../core/settings.ts";
import { readSetup } from "../../setup/state.ts";
import { isAnnounced } from "../announced.ts";
import { wholeNumber } from "../arguments.ts";
import { madeUpName } from "../connection.ts";
import { statusOf } from "../exit_status.ts";
import { notesAfter } from "../notes.ts";
import { keyedCommand, nothing_came_status, type ShellContext } from "../shell_command.ts";
import { lockPosition, positionFile } from "../watch/position.ts";

/** How long it waits if it is not said. */
const wait_seconds_default = 120;
const look_ms = 1_000;
/** How much older than the mention the notes before it are. */
const apart_ms = 2_000;

const about = `
It opens an unlisted room under a made-up name, mentions the name there, and closes the room in the end. The name must be yours: its key is
saved here. The agent was reached if 'wharf watch' has started it and it has ended with status 0, or if its session has called a
tool of Wharf after a message of the channel; the service measures the time. Exit code 4: it was not reached.`;

export const testCommand = keyedCommand(
  () =>
    new Command("test")
      .description("mention your own name, and see whether its agent is reached")
      .argument(
        "[host]",
        "the name that 'wharf setup' has given this host (default: --as, or the saved name)",
      )
      .option("--wait <seconds>", "how long to wait for that", wholeNumber, wait_seconds_default)
      .addHelpText("after", about),
  ["wharf wake test --as ada --wait 2"],
  async (shell, { wait }: { wait: number }, host?: string) => {
    await new ReachTest(shell, host ?? "HOST").run(wait);
  },
  (options, terminal, host) => {
    if (host === undefined) return options;
    const found = readSetup(terminal).hosts[host];
    if (!found) throw new UsageError(`'wharf setup' has not set up ${host} here. Name the agent by --as.`);
    return { as: found.name, url: found.url, ...options };
  },
);

/** What was found of a mention that did not reach the agent. */
interface Tried {
  /** Whether a watcher of the mailbox, or its command, runs on this machine. */
  watched: boolean;
  /** Whether a hook or a channel on this machine has announced the note. */
  announced: boolean;
  /** Whether the note is marked as read. */
  read: boolean;
}

class ReachTest {
  readonly #stop = new AbortController();
  readonly #name: string;

  /** `host`: how the advice names it. */
  constructor(
    private readonly shell: ShellContext,
    private readonly host: string,
  ) {
    this.#name = shell.speaker();
    shell.terminal.onStop((signal) => this.#stop.abort(signal));
  }

  async run(wait_seconds: number): Promise<void> {
    const { anybody, terminal } = this.shell;
    const by = madeUpName("wake-test");
    const before = await this.#reach();
    const body = { goal: `Test whether ${this.#name} is reached`, name: by, visibility: "unlisted" } as const;
    const opened = await orThrow(anybody.post("/api/meet/rooms", { body }));
    const { slug: room, host_key } = opened;
    try {
      await this.#waitApart(opened.created);
      const { ts } = await this.#mention(room, by);
      const seq = await this.#noteAbout(room);
      const reach = await this.#reachBy(ts, before, wait_seconds);
      if (this.#stop.signal.aborted) terminal.setStatus(statusOf(this.#stop.signal.reason as NodeJS.Signals));
      else if (reach) this.#showReach(reach, room);
      else this.#showTried(await this.#tried(seq), wait_seconds, room);
    } finally {
      const headers = { "x-meet-key": host_key! };
      await anybody.post("/api/meet/rooms/{room}/close", { path: { room }, headers, body: {} });
    }
  }

  /**
   * Waits until the notes of the mailbox are so old that the mention is of a later second: the service says to a second by
   * which note an agent was reached. `now`: the time of the service.
   */
  async #waitApart(now: string): Promise<void> {
    const { notes } = await notesAfter(this.shell);
    const latest_ms = Math.max(...notes.map(({ at }) => Date.parse(at)));
    const wait_ms = latest_ms + apart_ms - Date.parse(now);
    if (wait_ms > 0 && !this.#stop.signal.aborted) await Bun.sleep(wait_ms);
  }

  async #mention(room: string, by: string): Promise<Schemas["SpokenPost"]> {
    const body = {
      name: by,
      body: `@${this.#name}, this is a test by 'wharf wake test'. No answer is needed.`,
    };
    const spoken = await orThrow(
      this.shell.anybody.post("/api/meet/rooms/{room}/posts", { path: { room }, body }),
    );
    if (spoken.mentions?.some(({ notified }) => notified)) return spoken;
    throw new Error(`A post cannot mention ${this.#name}. A name with spaces is not found in a text.`);
  }

  /** The seq of the note about the mention. */
  async #noteAbout(room: string): Promise<number> {
    const { notes } = await notesAfter(this.shell);
    const note = notes.find((one) => (one as { room?: string }).room === room);
    if (note) return note.seq;
    throw new Error(`The mailbox of ${this.#name} has no note about the mention. Run the test again.`);
  }

  async #reach(): Promise<Schemas["NameReach"]> {
    const { client } = this.shell;
    return (await orThrow(client.get("/api/name/{name}", { path: { name: this.#name } }))).reach;
  }

  /**
   * How the agent was reached by a note of that time or later; null if it was not within so many seconds, or the test was stopped.
   * `before`: how it was reached before.
   */
  async #reachBy(time: string, before: Schemas["NameReach"], wait_seconds: number): Promise<Reach | null> {
    const end_ms = systemClock.monotonic() + wait_seconds * 1000;
    for (;;) {
      const reach = await this.#reach();
      if (isReach(reach) && !Bun.deepEquals(reach, before) && noteTimeOf(reach) >= Date.parse(time) - 1000)
        return reach;
      const left_ms = end_ms - systemClock.monotonic();
      if (left_ms <= 0 || this.#stop.signal.aborted) return null;
      await Bun.sleep(Math.min(look_ms, left_ms));
    }
  }

  async #tried(seq: number): Promise<Tried> {
    const { terminal, url, client } = this.shell;
    const { notes } = await orThrow(client.get("/api/mailbox", { query: { since: seq - 1, limit: 1 } }));
    return {
      watched: isWatched(terminal, url, this.#name),
      announced: isAnnounced(terminal, { url, name: this.#name }, seq),
      read: notes.some((note) => note.seq === seq && !note.unread),
    };
  }

  #showReach({ by, after_seconds }: Reach, room: string): void {
    const { shell } = this;
    shell.show(
      { name: this.#name, url: shell.url, room, reached: true, by, after_seconds },
      `${this.#name} was reached by ${ways[by]}, ${after_seconds} s after the mention.`,
    );
  }

  #showTried(tried: Tried, waited_seconds: number, room: string): void {
    const { shell, host } = this;
    const start = `wharf watch --inbox --ack --as ${this.#name} -- wharf wake start ${host}`;
    shell.show({ name: this.#name, url: shell.url, room, reached: false, waited_seconds, ...tried }, [
      `${this.#name} was not reached in ${waited_seconds} s.`,
      tried.watched
        ? "  wharf watch: it runs here, but no run for the mention has ended with status 0. Read what it printed: for a service " +
          `'journalctl --user -u wharf-watch-${host}'.`
        : `  wharf watch: it does not run here for this name. Start it by 'wharf setup --service ${host}', or '${start}'.`,
      tried.announced
        ? "  Hooks and channel: one has announced the note to the agent, which has called no tool of Wharf since."
        : "  Hooks and channel: none has announced the note. A hook does at the next prompt, or at the end of a turn, of an open session.",
      ...(tried.read
        ? ["  Mailbox: the note is marked as read. Somebody has read it without reporting that."]
        : []),
    ]);
    shell.terminal.setStatus(nothing_came_status);
  }
}

type Reach = Required<Schemas["NameReach"]>;

/** What reached an agent, by the way that was reported. */
const ways: Record<Reach["by"], string> = {
  none: "nothing",
  channel: "the channel of its session",
  watch: "wharf watch",
  webhook: "its webhook",
};

const isReach = (reach: Schemas["NameReach"]): reach is Reach => reach.by !== "none";

/** The time of the note by which an agent was reached, to a second. */
const noteTimeOf = ({ at, after_seconds }: Reach): number => Date.parse(at) - after_seconds * 1000;

/** Whether a watcher of the mailbox of a name, or a command that it has started, runs on this machine. */
function isWatched(terminal: ShellContext["terminal"], url: string, name: string): boolean {
  const lock = lockPosition(positionFile(terminal, { url, name, target: "inbox" }));
  if (lock !== null) closeSync(lock);
  return lock === null;
}
