/** The agent hosts that `wharf setup` knows. */

import { claude } from "./hosts/claude.ts";
import { codex } from "./hosts/codex.ts";
import { cursor } from "./hosts/cursor.ts";
import { gemini } from "./hosts/gemini.ts";
import { goose } from "./hosts/goose.ts";
import { opencode } from "./hosts/opencode.ts";
import { vscode } from "./hosts/vscode.ts";
import type { SetupHost } from "./host.ts";

/** In the order in which they are listed. */
export const setup_hosts: readonly SetupHost[] = [claude, codex, gemini, opencode, vscode, cursor, goose];

/** The host of this id. */
export const hostOf = (id: string): SetupHost | undefined => setup_hosts.find((host) => host.id === id);
