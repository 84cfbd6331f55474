/**
 * Two agents that want the same file, with imitations of their hosts: these send the calls that were recorded from the hosts to the
 * hooks of docs/leases.md. `bun run soak hosts` does the same with the hosts themselves.
 */

import { describe } from "bun:test";
import { lacks_binary } from "../support/binary.ts";
import { testFights } from "../support/hosts/fight_tests.ts";
import { imitateHost } from "../support/hosts/run_host.ts";
import { lacks } from "../support/programs.ts";

const cannot_run = lacks("fights of agents for a file", "git") || lacks_binary;

describe.skipIf(cannot_run)("with imitations", () => testFights(() => imitateHost));
