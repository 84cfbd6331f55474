#!/usr/bin/env node
/**
 * A stand-in for an agent host, for Node alone: it starts the MCP server of its settings, as opencode (`run PROMPT`) or as Gemini CLI
 * (`-p PROMPT`). With the prompt "Ask on Wharf: QUESTION" it asks and prints the answer; with another it answers in the latest room.
 */

"use strict";

const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { homedir } = require("node:os");
const { basename, join } = require("node:path");
const readline = require("node:readline");

const settings = (...path) => JSON.parse(readFileSync(join(homedir(), ...path), "utf8"));
const hosts = {
  opencode: () => settings(".config/opencode/opencode.json").mcp.wharf.command,
  gemini: () => {
    const { command, args } = settings(".gemini/settings.json").mcpServers.wharf;
    return [command, ...args];
  },
};

async function main() {
  const [, program, , prompt] = process.argv;
  const [command, ...args] = hosts[basename(program)]();
  const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  let last_id = 0;
  const ask = async (method, params) => {
    const id = ++last_id;
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the MCP server ended");
      const message = JSON.parse(value);
      if (message.id !== id) continue;
      if (message.error) throw new Error(message.error.message);
      return message.result;
    }
  };
  const call = async (name, input) => {
    const { isError, content, structuredContent } = await ask("tools/call", { name, arguments: input });
    if (isError) throw new Error(content[0].text);
    return structuredContent;
  };
  const clientInfo = { name: basename(program), version: "0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const [, question] = /^Ask on Wharf: (.+)$/.exec(prompt) ?? [];
  if (question !== undefined) {
    const { replies } = await call("meet_ask", { question, wait_seconds: 280 });
    for (const reply of replies) console.log(`${reply.name}: ${reply.body}`);
  } else {
    const { rooms } = await call("meet_rooms", {});
    await call("meet_answer", { room: rooms[0].slug, body: "By what they are for." });
    console.log(`answered in ${rooms[0].slug}`);
  }
  server.stdin.end();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
