/** Two agents that want the same file, with their hosts from npm and scripted models. They take about 1.1 GB in .hosts. */

import { describe } from "bun:test";
import { testFights } from "../support/hosts/fight_tests.ts";
import { installHosts } from "../support/hosts/install_hosts.ts";
import { runHostIn } from "../support/hosts/run_host.ts";

describe("with the hosts", () => testFights(() => runHostIn(installHosts())));
