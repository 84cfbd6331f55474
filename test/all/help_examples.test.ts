/** Every example in the help of every command works: all run unchanged but for addresses and ids, one after another, against a service. */

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { commands, examplesOf } from "../support/commands.ts";
import { lacks } from "../support/programs.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  type TestService,
  type TestSettings,
} from "../support/service.ts";
import { installHosts } from "../support/setup_hosts.ts";
import { calling, startReceiver } from "../support/webhook_receivers.ts";

/** Writes the files that the examples of receipts read. */
const write_receipt = [
  "curl -s $WHARF_URL/.well-known/jwks.json > jwks.json",
  'curl -s $WHARF_URL/api/meet/rooms/plan-the-release/posts?receipt=1 --json \'{"name": "Eve", "body": "Ready."}\' > answer.json',
  "jq -r .receipt answer.json > receipt.txt",
  "printf Ready. > post.txt",
].join("\n");

/** Reports the post that was made last. */
const write_report = `curl -s $WHARF_URL/api/meet/rooms/how-do-we-name-things/posts/2/report --json '{"reason": "spam"}'`;

/**
 * Commands in an order in which each finds what its examples need, and lines between them that prepare it. The first id that a prepared
 * line or `jobs post` prints is the id in the examples that follow.
 */
const client_story = [
  "$ wharf name claim bob",
  "wharf setup",
  "wharf login",
  "wharf name",
  "wharf name whoami",
  "wharf name set",
  "wharf ask",
  "wharf say",
  "wharf read",
  "wharf rooms",
  "wharf watch",
  "wharf wake start",
  "wharf wake test",
  "wharf wake",
  "wharf host",
  "wharf pace",
  "wharf close",
  "wharf open",
  "$ wharf name claim carl; wharf login --as ada",
  "wharf members add",
  "wharf members list",
  "wharf members",
  "wharf members remove",
  "wharf leave",
  "wharf locker put",
  "wharf locker ls",
  "wharf locker",
  "wharf locker get",
  "wharf locker rm",
  "wharf jobs post",
  "wharf jobs claim",
  "wharf jobs extend",
  "wharf jobs release",
  "$ wharf jobs claim {id} --as bob",
  "wharf jobs deliver",
  `$ ${write_receipt}`,
  "wharf receipt",
  "wharf receipt verify",
  "wharf receipt keys",
  "wharf jobs review",
  "wharf jobs show",
  "wharf jobs ls",
  "wharf jobs",
  "wharf inbox",
  "$ wharf jobs post 'A mistake' 'Never mind.'",
  "wharf jobs withdraw",
  "$ echo 'Bearer 0123456789' > authorization.txt",
  "wharf webhook set",
  "wharf webhook show",
  "wharf webhook",
  "wharf webhook test",
  "wharf webhook remove",
  "$ wharf open 'Our team'",
  "wharf lease take",
  "wharf lease extend",
  "wharf lease list",
  "wharf lease release",
  "wharf lease run",
  "wharf lease guard",
  "wharf lease",
  "wharf beacon show",
  "wharf beacon toss",
  "wharf beacon verify",
  "wharf beacon",
  "wharf name grants",
  "wharf name grants list",
  "wharf name export",
  "wharf name rotate",
  "$ wharf name claim carla",
  "wharf name revoke",
  "wharf name recover",
  "$ wharf name revoke --as ada; wharf name recover ada",
];
/** The same for those who run a service. */
const operator_story = [
  "$ wharf name claim eve; wharf ask 'How do we name things?'; wharf read how-do-we-name-things --json | jq -r .id",
  "wharf admin hide",
  "wharf admin restore",
  "wharf admin erase",
  "$ wharf lease take src/auth --room how-do-we-name-things",
  "wharf admin break-lease",
  "wharf admin close",
  "wharf admin reopen",
  "$ wharf say how-do-we-name-things 'Spam.' --json | jq -r .id",
  `$ ${write_report}`,
  "wharf admin reports",
  "wharf admin delete-room",
  "$ wharf locker put notes/plan 'Ask.'; wharf jobs post 'A job' 'To do.'",
  "wharf admin remove-slot",
  "wharf admin withdraw-job",
  "wharf admin ban",
  "wharf admin bans",
  "wharf admin unban",
  "wharf admin release",
  "wharf admin reserve",
  "wharf admin unreserve",
  "wharf admin token",
  "$ wharf admin tokens --data-dir ./wharf-data",
  "wharf admin tokens",
  "wharf admin revoke-token",
  "wharf admin invite",
  "$ wharf admin invites --data-dir ./wharf-data",
  "wharf admin invites",
  "wharf admin revoke-invite",
  "wharf admin clients add",
  "$ wharf admin clients add Example https://client.example/callback --data-dir ./wharf-data",
  "wharf admin clients list",
  "wharf admin clients",
  "wharf admin clients end",
  "wharf admin audit",
  "wharf admin",
  "wharf backup",
  "wharf restore",
  "wharf retention",
  "wharf config",
  "wharf doctor",
  "wharf healthcheck",
  "wharf export",
  "wharf openapi",
  "wharf completion",
  "wharf version",
];
/** Run when no service uses the directory. */
const stopped_story = ["wharf keys", "wharf keys rotate", "wharf mcp", "wharf serve", "wharf dev", "wharf"];
/** These run as other examples, or elsewhere: `import` twice needs two directories, `copy` Postgres (test/all/postgres), and a grant a browser (test/oauth). */
const run_otherwise = ["wharf name claim", "wharf name grants end", "wharf import", "wharf copy"];

let service: TestService;
let root: string;
const receiver = startReceiver();
afterAll(() => receiver.stop());

/** Starts a service whose directory is the one in the examples, in an empty folder. */
async function begin(settings: TestSettings): Promise<void> {
  root = newDirectory();
  writeFileSync(join(root, "receipt.txt"), "");
  writeFileSync(join(root, "wharf.toml"), 'data-dir = "wharf-data"\n');
  mkdirSync(join(root, "bin"));
  symlinkSync(binary(), join(root, "bin/wharf"));
  installHosts(join(root, "bin"), ["gemini"]);
  // The examples are for a directory, also when the other tests use Postgres.
  service = await startBinary({ data_dir: join(root, "wharf-data"), database: null, ...settings });
}

/** Runs a line by a shell whose settings are empty but for the service. */
async function run(line: string) {
  const child = Bun.spawn(["sh", "-c", line], {
    cwd: root,
    stdin: Bun.file(join(root, "receipt.txt")),
    env: {
      PATH: `${root}/bin:${process.env.PATH}`,
      HOME: root,
      USER: "ada",
      WHARF_URL: service.url,
      WHARF_PORT: "0",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { printed, errors, status };
}

/** An id as examples have it, which no call has made. */
const example_id = /019c7d2e-[-0-9a-f]+|01a20357-[-0-9a-f]+|\{id\}/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[-0-9a-f]{21}/;

/** A private room: in examples, and as the example of `wharf open` prints it. */
const private_slug = /private--[a-z2-7]+/;

/** The lines of a step: the examples of a command, or the line itself. */
function linesOf(step: string): string[] {
  const known = commands.find(({ path }) => path === step);
  return known ? examplesOf(known.command) : [step.slice(2)];
}

/** A limit for stories: each line starts processes, on a machine that may be slow. */
const limitOf = (...stories: string[][]) => 10_000 * stories.flat().flatMap(linesOf).length;

/** Runs the steps of a story, and checks that no line fails. */
async function play(story: string[]): Promise<void> {
  let id = "";
  let private_room = "";
  for (const step of story) {
    const lines = linesOf(step);
    expect([step, lines.length > 0]).toEqual([step, true]);
    for (const line of lines) {
      const written = line
        .replace(example_id, id)
        .replace(private_slug, private_room)
        .replace("http://127.0.0.1:4273", service.url)
        .replace("https://agent.example/wharf", receiver.url)
        .replace("/etc/wharf.toml", "wharf.toml")
        .replace("--port 4273", "--port 0");
      // A service runs until it is stopped.
      const is_service = /^wharf (?:serve|dev)\b(?!.*--help)/.test(line);
      const { printed, errors, status } = await run(is_service ? `timeout 3 ${written}` : written);
      // Where nobody answers, a wait ends with the status for that.
      const statuses = is_service ? [124] : / --(?:wait \d$|once)/.test(line) ? [0, 4] : [0];
      expect([line, statuses.includes(status) || { status, printed, errors }]).toEqual([line, true]);
      if (step.startsWith("$ ") || / jobs post /.test(line)) id = uuid.exec(printed)?.[0] ?? id;
      if (/ open .* --private/.test(line)) private_room = private_slug.exec(printed)![0];
    }
  }
}

const no_programs = lacks("the examples in the help", "curl", "jq");

test("has the examples of every command", () => {
  const covered = [...client_story, ...operator_story, ...stopped_story, ...run_otherwise];
  expect(commands.map(({ path }) => path).filter((path) => !covered.includes(path))).toEqual([]);
});

test.skipIf(no_programs)(
  "runs those of the client",
  async () => {
    await begin({ round_seconds: 3, ...calling });
    await play(client_story);
    await service.stop();
    removeDirectory(root);
  },
  limitOf(client_story),
);

test.skipIf(no_programs)(
  "runs those for who runs a service",
  async () => {
    // wharf doctor --oauth finds nothing that fails.
    await begin({ oauth: true });
    await play(operator_story);
    await service.stop();
    await play(stopped_story);
    const [from_file, from_stream] = linesOf("wharf import");
    await play([`$ ${from_file}`, "$ rm -r new-data", `$ ${from_stream}`]);
    removeDirectory(root);
  },
  limitOf(operator_story, stopped_story, ["wharf import"]),
);
