/** The plugins of opencode that call us: it has them in place of hooks (opencode.ai/v1/docs/plugins; tried with 1.18.33). */

/** Words as the arguments of a call of `spawn`. */
function spawned([program, ...words]: string[]): string {
  const list = words.map((word) => JSON.stringify(word)).join(", ");
  return `spawn(${JSON.stringify(program)}, [${list}], {`;
}

/** The plugin that checks edits by `guard`, the words of `wharf lease guard`. It is the recipe of docs/leases.md, too. */
export const leasesPlugin = (guard: string[]): string => `import { spawn } from "node:child_process";

/** Checks each edit by the leases of the room, and releases those of this process when it ends. */
export const WharfLeases = async ({ directory }) => {
  const sessions = new Set();
  const guard = (call) =>
    new Promise((resolve) => {
      const child = ${spawned(guard)}
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
      });
      let printed = "";
      child.stdout.on("data", (text) => (printed += text));
      child.stdin.on("error", () => {});
      child.on("error", () => resolve({}));
      child.on("close", () => resolve(printed === "" ? {} : JSON.parse(printed)));
      child.stdin.end(JSON.stringify({ directory, ...call }));
    });
  return {
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (!["write", "edit", "apply_patch"].includes(tool)) return;
      sessions.add(sessionID);
      const { decision, reason } = await guard({ event: "tool.execute.before", sessionID, tool, args });
      if (decision === "deny") throw new Error(reason);
    },
    dispose: async () => {
      for (const sessionID of sessions) await guard({ event: "dispose", sessionID });
    },
  };
};
`;

/**
 * The plugin that says what is unread: at a prompt, and at the end of a turn, which continues with it, once. `opencode run` ends with the
 * turn, so nothing is said there, or a note would count as announced that nobody has seen. The same holds for subagents.
 */
export const inboxPlugin = (inbox: string[]): string => `import { spawn } from "node:child_process";
import { argv } from "node:process";

/** Says which notes are unread, at a prompt and at the end of a turn. */
export const WharfInbox = async ({ directory, client }) => {
  const used = new Map();
  const continued = new Set();
  const isMain = async (sessionID) => {
    const { data } = await client.session.get({ path: { id: sessionID } });
    return data !== undefined && data.parentID === undefined;
  };
  const unread = (call) =>
    new Promise((resolve) => {
      const child = ${spawned(inbox)}
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
      });
      let printed = "";
      child.stdout.on("data", (text) => (printed += text));
      child.stdin.on("error", () => {});
      child.on("error", () => resolve(""));
      child.on("close", () => resolve(printed === "" ? "" : JSON.parse(printed).text));
      child.stdin.end(JSON.stringify({ directory, ...call }));
    });
  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      // The prompt of this plugin at the end of a turn.
      if (parts.some(({ metadata }) => metadata?.wharf)) return;
      if (!(await isMain(sessionID))) return;
      continued.delete(sessionID);
      used.set(sessionID, { agent: message.agent, model: message.model });
      const text = await unread({ event: "chat.message", sessionID });
      if (text === "") return;
      const id = \`\${parts.at(-1)?.id ?? "prt_"}wharf\`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    event: async ({ event: { type, properties } }) => {
      if (type !== "session.idle" || argv.includes("run")) return;
      const { sessionID } = properties;
      if (!(await isMain(sessionID))) return;
      const stop_hook_active = continued.has(sessionID);
      const text = await unread({ event: "session.idle", sessionID, stop_hook_active });
      if (text === "") return;
      continued.add(sessionID);
      const parts = [{ type: "text", text, synthetic: true, metadata: { wharf: true } }];
      const body = { ...used.get(sessionID), parts };
      await client.session.promptAsync({ path: { id: sessionID }, body });
    },
  };
};
`;
