/** Clients of the bridge, for tests: of one in this process, and of `wharf mcp`. They look at each message that comes back. */

import { createBridge } from "../../src/bridge/bridge.ts";
import { linesIn } from "../../src/bridge/lines.ts";
import type { Announcements } from "../../src/bridge/deps.ts";
import type { Message } from "../../src/bridge/messages.ts";
import { systemClock, type Clock } from "../../src/core/clock.ts";
import { systemRandom } from "../../src/core/random.ts";
import { wharf_command } from "./binary.ts";
import { started } from "./leftovers.ts";
import { handshake, message, modern } from "./mcp_messages.ts";

export interface Said extends Message {
  id?: unknown;
  method?: unknown;
  result?: { content: { text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean };
  error?: { code: number; message: string };
}

export interface BridgeClient {
  /** Everything that came, in order. */
  said: Said[];
  send(message: object | string): void;
  /** Sends a request, and resolves to its answer. */
  ask(method: string, params?: object): Promise<Said>;
  call(tool: string, args: object): Promise<Said>;
  /** The same in revision 2026-07-28. */
  askModern(method: string, params?: Record<string, unknown>): Promise<Said>;
  /** Sends the handshake of 2025-11-25. */
  begin(): Promise<void>;
  /** Resolves to the next message that fits, after those that earlier calls have returned. */
  next(fits: (said: Said) => boolean): Promise<Said>;
}

/** A client that sends by `write`, and the function that takes what comes back. */
function clientOver(write: (line: string) => void): [BridgeClient, (line: Said) => void] {
  const said: Said[] = [];
  const taken = new Set<Said>();
  let arrived = Promise.withResolvers<void>();
  let last_id = 0;

  const send = (line: object | string) => write(typeof line === "string" ? line : JSON.stringify(line));

  async function next(fits: (line: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = said.find((line) => !taken.has(line) && fits(line));
      if (found) {
        taken.add(found);
        return found;
      }
      await arrived.promise;
    }
  }

  function answered(request: { id: unknown }): Promise<Said> {
    send(request);
    return next(({ id }) => id === request.id);
  }

  const ask = (method: string, params: object = {}) => answered(message(method, params, `r${++last_id}`));
  const client: BridgeClient = {
    said,
    send,
    ask,
    call: (tool, args) => ask("tools/call", { name: tool, arguments: args }),
    askModern: (method, params = {}) => answered(modern(method, params, ++last_id).body),
    async begin() {
      await ask("initialize", handshake);
      send({ jsonrpc: "2.0", method: "notifications/initialized" });
    },
    next,
  };
  return [
    client,
    (line) => {
      said.push(line);
      arrived.resolve();
      arrived = Promise.withResolvers();
    },
  ];
}

export interface BridgeOptions {
  headers?: Record<string, string>;
  clock?: Clock;
  /** The channel of the name in the headers. */
  channel?: Announcements;
}

/** A client of a bridge in this process. `notes`: the notes of the bridge. */
export type LocalClient = BridgeClient & { notes: string[]; end(is_late?: Promise<void>): Promise<void> };

/** Starts a bridge to the MCP address `url` in this process. */
export function startBridge(
  url: string,
  { headers = {}, clock = systemClock, channel }: BridgeOptions = {},
): LocalClient {
  const notes: string[] = [];
  const name = headers["x-wf-name"];
  const service_url = url.replace(/\/mcp.*$/, "");
  const place = { url, service_url, headers, options: {}, ...(name !== undefined && { name }) };
  const bridge = createBridge({
    finder: { find: () => Promise.resolve(place), lost() {} },
    write: (line) => take(line),
    note: (text) => void notes.push(text),
    clock,
    random: systemRandom,
    ...(channel && { channel }),
  });
  const [client, take] = clientOver((line) => bridge.receive(line));
  return { ...client, notes, end: (is_late) => bridge.end(is_late) };
}

export interface McpProcess extends BridgeClient {
  process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** What it has written to standard error. */
  errors(): string;
  /** Ends its standard input. Resolves to its exit status. */
  end(): Promise<number>;
}

/** Starts `wharf mcp` with these arguments. `home`: an empty folder, where it finds no saved names. */
export function startMcp(args: string[], home: string, environment: Record<string, string> = {}): McpProcess {
  const { PATH = "" } = process.env;
  const child = Bun.spawn([...wharf_command, "mcp", ...args], {
    cwd: home,
    env: { PATH, HOME: home, ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const [client, take] = clientOver((line) => {
    void child.stdin.write(`${line}\n`);
    void child.stdin.flush();
  });
  const reading = (async () => {
    // A line that is no JSON fails the test.
    for await (const line of linesIn(child.stdout)) take(JSON.parse(line) as Said);
  })();
  let errors = "";
  const noting = (async () => {
    for await (const line of linesIn(child.stderr)) errors += `${line}\n`;
  })();
  return {
    ...client,
    process: child,
    errors: () => errors,
    async end() {
      void child.stdin.end();
      await Promise.all([reading, noting]);
      return child.exited;
    },
  };
}
