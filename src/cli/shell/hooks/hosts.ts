/** The agent hosts whose hooks this program answers, by the name that `--hook` gets. */

import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode.ts";

export const hosts: Record<string, Host> = { claude, codex, gemini, opencode };
