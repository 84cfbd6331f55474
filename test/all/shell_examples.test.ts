/** Every example in the help of the client's commands works: all run unchanged, one after another, against a service. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { client_group } from "../../src/cli/shell/shell_command.ts";
import { binary } from "../support/binary.ts";
import { commands, examplesOf } from "../support/commands.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";

/** Writes the files that the examples of receipts read. */
const write_receipt = [
  "curl -s $WHARF_URL/.well-known/jwks.json > jwks.json",
  'curl -s $WHARF_URL/api/meet/rooms/plan-the-release/posts?receipt=1 --json \'{"name": "Eve", "body": "Ready."}\' > answer.json',
  "jq -r .receipt answer.json > receipt.txt",
  "printf Ready. > post.txt",
].join("\n");

/** Commands in an order in which each finds what its examples need, and lines between them that prepare it. */
const story = [
  "$ wharf name claim bob",
  "wharf login",
  "wharf name",
  "wharf name whoami",
  "wharf ask",
  "wharf say",
  "wharf read",
  "wharf rooms",
  "wharf watch",
  "wharf close",
  "wharf open",
  "wharf locker put",
  "wharf locker ls",
  "wharf locker",
  "wharf locker get",
  "wharf locker rm",
  "wharf jobs post",
  "wharf jobs claim",
  "wharf jobs extend",
  "wharf jobs release",
  "$ wharf jobs claim {job} --as bob",
  "wharf jobs deliver",
  `$ ${write_receipt}`,
  "wharf receipt",
  "wharf receipt verify",
  "wharf jobs review",
  "wharf jobs show",
  "wharf jobs ls",
  "wharf jobs",
  "wharf inbox",
  "$ wharf jobs post 'A mistake' 'Never mind.'",
  "wharf jobs withdraw",
  "wharf beacon show",
  "wharf beacon toss",
  "wharf beacon verify",
  "wharf beacon",
  "wharf name rotate",
  "$ wharf name claim carla",
  "wharf name revoke",
  "wharf name recover",
  "$ wharf name revoke --as ada; wharf name recover ada",
];
/** `name claim` runs as the example of its group, which is the same line. */
const covered = [...story, "wharf name claim"];

let service: TestService;
const root = newDirectory();
beforeAll(async () => {
  writeFileSync(join(root, "receipt.txt"), "");
  mkdirSync(join(root, "bin"));
  symlinkSync(binary(), join(root, "bin/wharf"));
  service = await startBinary({ round_seconds: 3 });
});
afterAll(async () => {
  await service.stop();
  removeDirectory(root);
});

/** Runs a line by a shell whose settings are empty but for the service. */
async function run(line: string) {
  const child = Bun.spawn(["sh", "-c", line], {
    cwd: root,
    stdin: Bun.file(join(root, "receipt.txt")),
    env: { PATH: `${root}/bin:${process.env.PATH}`, HOME: root, WHARF_URL: service.url },
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

const client_commands = commands.filter(
  ({ path, command }) => command.helpGroup() === client_group || /^wharf (?:beacon|receipt)\b/.test(path),
);

test("has an example of every command of the client", () => {
  expect(client_commands.map(({ path }) => path).filter((path) => !covered.includes(path))).toEqual([]);
});

test.skipIf(lacks("the examples of the client's commands", "curl", "jq"))(
  "runs every example, and none is refused",
  async () => {
    let job = "";
    for (const step of story) {
      const command = commands.find(({ path }) => path === step)?.command;
      const lines = command ? examplesOf(command) : [step.slice(2)];
      expect([step, lines.length > 0]).toEqual([step, true]);
      for (const line of lines) {
        const written = line
          .replace(/\{job\}|019c7d2e-[-0-9a-f]+/, job)
          .replace("http://127.0.0.1:4273", service.url);
        const { printed, errors, status } = await run(written);
        // Where nobody answers, a wait ends with the status for that.
        const statuses = / --(?:wait \d|once)/.test(line) ? [0, 4] : [0];
        expect([line, errors, statuses.includes(status) || status]).toEqual([line, "", true]);
        if (/ jobs post /.test(line)) [job] = printed.split(" ", 1) as [string];
      }
    }
  },
  120_000,
);
