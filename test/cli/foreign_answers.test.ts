/** Commands and answers that are not of a service: none succeeds, and no key goes to where a redirect points. */

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SetupHost } from "../../src/cli/setup/host.ts";
import { setup_hosts } from "../../src/cli/setup/hosts.ts";
import { changeCredentials, credentialsFile, instanceIn } from "../../src/cli/shell/credentials.ts";
import { commands, runHere } from "../support/commands.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { installHosts, stand_in_hosts } from "../support/setup_hosts.ts";

const directory = newDirectory();
const id = "019c7d2e-7a10-7000-8000-000000000001";
const reason = "--reason because";

/** A call of each command that takes the address of a service. */
const calls: Record<string, string[]> = {
  "wharf ask": ["What?"],
  "wharf rooms": [""],
  "wharf open": ["Open?", "Open? --pace none", "Open? --private"],
  "wharf read": ["who", "who --since 0 --follow", "who --post 1 --delivery"],
  "wharf say": ["who Hello.", "who Hello. --wait 1"],
  "wharf host": ["who"],
  "wharf close": ["who"],
  "wharf pace": ["who none"],
  "wharf members list": ["who"],
  "wharf members add": ["who eve", "who eve bob --role reader"],
  "wharf members remove": ["who eve"],
  "wharf leave": ["who"],
  "wharf setup": ["beta --yes", "beta --dry-run"],
  "wharf login": ["", "--as eve --key wfk_eve"],
  "wharf name claim": ["eve"],
  "wharf name whoami": [""],
  "wharf name set": ["delivery off"],
  "wharf name rotate": [""],
  "wharf name recover": ["ada --code wfr_code"],
  "wharf name revoke": ["wfk_known"],
  "wharf locker ls": [""],
  "wharf locker get": ["plan"],
  "wharf locker put": ["plan Ask."],
  "wharf name grants list": [""],
  "wharf name grants end": [id],
  "wharf name export": [""],
  "wharf locker rm": ["plan"],
  "wharf jobs ls": [""],
  "wharf jobs show": [id],
  "wharf jobs post": ["Count Words."],
  "wharf jobs claim": [id],
  "wharf jobs extend": [id],
  "wharf jobs release": [id],
  "wharf jobs deliver": [`${id} Two.`],
  "wharf jobs review": [`${id} accepted`],
  "wharf jobs withdraw": [id],
  "wharf lease take": ["src --room who"],
  "wharf lease extend": ["1 --room who"],
  "wharf lease release": ["1 --room who"],
  "wharf lease list": ["--room who"],
  "wharf lease run": ["src --room who -- true"],
  "wharf inbox": ["--ack", "--wait 1", "--follow"],
  "wharf watch": ["--room who --once", "--inbox --once --ack"],
  "wharf wake test": ["--wait 0"],
  "wharf webhook set": ["https://agent.example/wharf"],
  "wharf webhook show": [""],
  "wharf webhook test": [""],
  "wharf webhook remove": [""],
  "wharf beacon show": ["", "7"],
  "wharf beacon toss": ["lunch", "lunch --round 7 --wait"],
  "wharf beacon verify": ["", "7"],
  "wharf receipt verify": [join(directory, "receipt")],
  "wharf receipt keys": ["", `--save ${join(directory, "keys")}`],
  "wharf healthcheck": [""],
  "wharf backup": [join(directory, "backup")],
  "wharf export": [join(directory, "export")],
  "wharf retention": ["", "--dry-run"],
  "wharf admin hide": [`${id} ${reason}`],
  "wharf admin restore": [`${id} ${reason}`],
  "wharf admin erase": [`${id} ${reason}`],
  "wharf admin close": [`who ${reason}`],
  "wharf admin reopen": [`who ${reason}`],
  "wharf admin delete-room": [`who ${reason}`],
  "wharf admin break-lease": [`who src ${reason}`],
  "wharf admin ban": [`eve ${reason}`, `192.0.2.0/24 ${reason}`],
  "wharf admin unban": [`eve ${reason}`, `192.0.2.0/24 ${reason}`],
  "wharf admin bans": [""],
  "wharf admin reserve": [`eve ${reason}`],
  "wharf admin unreserve": [`eve ${reason}`],
  "wharf admin release": [`eve ${reason}`],
  "wharf admin remove-slot": [`eve plan ${reason}`],
  "wharf admin withdraw-job": [`${id} ${reason}`],
  "wharf admin reports": ["", `--dismiss ${id} ${reason}`],
  "wharf admin token": ["--label grace"],
  "wharf admin tokens": [""],
  "wharf admin revoke-token": [`${id} ${reason}`],
  "wharf admin invite": [""],
  "wharf admin invites": [""],
  "wharf admin revoke-invite": [`${id} ${reason}`],
  "wharf admin clients list": [""],
  "wharf admin clients add": ["Example https://client.example/callback"],
  "wharf admin clients end": [`${id} ${reason}`],
  "wharf admin audit": [""],
};

/** The first keeps a conversation on standard input, and the second prints a verdict also without an answer: test/bridge and test/cli/shell/lease test them. */
const elsewhere = ["wharf mcp", "wharf lease guard"];

const listen = (fetch: (request: Request) => Response) =>
  Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch });

let reached: string[] = [];
const other = listen((request) => {
  reached.push(`${request.method} ${new URL(request.url).pathname}`);
  return Response.json({});
});
let answer: (request: Request) => Response;
const service = listen((request) => answer(request));
const [url, other_url] = [service.url.origin, other.url.origin];
afterAll(async () => {
  await service.stop(true);
  await other.stop(true);
  removeDirectory(directory);
});
beforeEach(() => void (reached = []));

const settings = {
  PATH: `${join(directory, "bin")}:${process.env["PATH"]}`,
  HOME: directory,
  XDG_CONFIG_HOME: directory,
  WHARF_NAME: "ada",
  WHARF_KEY: "wfk_ada",
  WHARF_ADMIN_TOKEN: "wfa_token",
};
changeCredentials(credentialsFile({ environment: settings }), (credentials) => {
  instanceIn(credentials, url).rooms["who"] = "host key";
});
await Bun.write(join(directory, "receipt"), "e30.e30.e30");
installHosts(join(directory, "bin"), ["beta"]);
(setup_hosts as SetupHost[]).push(...stand_in_hosts);
afterAll(() => void (setup_hosts as SetupHost[]).splice(-stand_in_hosts.length));

const redirect = (status: number, to: string) => (request: Request) =>
  new Response(null, { status, headers: { location: to + new URL(request.url).pathname } });

const statuses = [301, 302, 303, 307, 308];
const answers: [string, typeof answer][] = [
  ...statuses.map((status): [string, typeof answer] => [
    `${status} to another origin`,
    redirect(status, other_url),
  ]),
  ...statuses.map((status): [string, typeof answer] => [`${status} within the origin`, redirect(status, "")]),
  ["200 with HTML", () => new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } })],
  ["200 with {}", () => Response.json({})],
  ["200 with a list", () => Response.json([])],
  ["201 with {}", () => Response.json({}, { status: 201 })],
  ["204", () => new Response(null, { status: 204 })],
];

test("the table has a call of every command that takes the address of a service", () => {
  const taking = commands.filter(({ command }) => command.options.some(({ long }) => long === "--url"));
  expect(taking.map(({ path }) => path).toSorted()).toEqual([...Object.keys(calls), ...elsewhere].toSorted());
});

describe.each([
  ["as text", []],
  ["as JSON", ["--json"]],
])("no command succeeds, %s", (_, options) => {
  test.each(answers)("%s", async (name, given) => {
    answer = given;
    // A watcher that fails keeps its lock until its process ends.
    const environment = { ...settings, XDG_STATE_HOME: join(directory, `${name} ${options.join("")}`) };
    const wrong: unknown[] = [];
    for (const [path, lines] of Object.entries(calls)) {
      for (const line of lines) {
        const words = `${path.slice("wharf ".length)} ${line}`.split(" ").filter((word) => word !== "");
        const known = commands.find((one) => one.path === path)!.command.options;
        const output = known.some(({ long }) => long === "--json") ? options : [];
        // Of `lease run`, what follows -- is the command.
        const end = words.includes("--") ? words.indexOf("--") : words.length;
        const args = words.toSpliced(end, 0, "--url", url, ...output);
        const ended = await runHere({ environment, args }, ...args);
        const says_where = !name.includes("another origin") || ended.errors.includes(other_url);
        if (ended.status !== 1 || ended.printed !== "" || !says_where) wrong.push({ words, ...ended });
      }
    }
    expect(wrong).toEqual([]);
    expect(reached).toEqual([]);
  });
});
