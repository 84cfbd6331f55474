/** The examples of the documents while others are active: nothing that is said between two calls is missed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { blocksOf, cannot_run, runBlocks, type Ran } from "../support/examples.ts";
import { get, post } from "../support/http.ts";
import { startBinary, startSource, type TestService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

const shownIn = ({ outputs }: Ran): string[] =>
  Array.from(outputs.join("").matchAll(/interjection \d+;/g), String);
const read = async (service: TestService, path: string) => (await fetch(service.url + path)).text();

/** The blocks up to the last wait in the room; SKILL.md then closes it. */
function loopIn(blocks: string[]): string[] {
  const closes = blocks.findIndex((text) => text.includes("/close"));
  return closes === -1 ? blocks : blocks.slice(0, closes);
}

describe.skipIf(cannot_run).each(["/llms.txt", "/SKILL.md"])(
  "the examples of %s with another speaker in every gap",
  (path) => {
    let service: TestService;
    let speaker: Bun.Server<undefined>;
    /** What the other agent has said, in order. */
    const said: string[] = [];
    beforeAll(async () => {
      service = await startBinary();
      // Requested after each call of the examples: the other agent posts in every open room.
      speaker = Bun.serve({
        port: 0,
        async fetch() {
          const { body } = await get<{ rooms: { slug: string }[] }>(`${service.url}/api/meet/rooms`);
          for (const { slug } of body.rooms) {
            const text = `interjection ${said.length + 1};`;
            const { status } = await post(`${service.url}/api/meet/rooms/${slug}/posts`, {
              name: "Eve",
              body: text,
            });
            if (status === 201) said.push(text);
          }
          return new Response();
        },
      });
    });
    afterAll(async () => {
      await speaker.stop(true);
      await service.stop();
    });

    test("show every post once, up to the last wait", async () => {
      const blocks = blocksOf(await read(service, path)).map(({ text }) => text);
      const loop = loopIn(blocks);
      expect(loop.at(-1)).toContain("wait_seconds=50");
      const ran = await runBlocks(loop, speaker.url.href);
      expect([ran.faults, ran.exit_code]).toEqual(["", 0]);
      // What was said after the last call of the loop, the wait, was not read yet.
      expect(shownIn(ran)).toEqual(said.slice(0, -1));
      expect(said.length).toBeGreaterThan(4);
      expect(ran.outputs.join("")).toContain("One that keeps the syntax tree");
    });

    test("would miss a post if the cursor were the number of one's own post", async () => {
      const blocks = blocksOf(await read(service, path)).map(({ text }) => text);
      const loop = loopIn(blocks).map((text) =>
        text.includes(".missed[]") ? text.replace(".next_since", ".n").replace(/^jq .*\n/m, "") : text,
      );
      said.length = 0;
      const ran = await runBlocks(loop, speaker.url.href);
      expect([ran.faults, ran.exit_code]).toEqual(["", 0]);
      expect(shownIn(ran).length).toBeLessThan(said.length - 1);
    });
  },
);

test("the calls of tools in SKILL.md follow each other, and miss nothing that others say between them", async () => {
  const service = await startSource();
  const calls = Array.from(
    (await read(service, "/SKILL.md")).matchAll(/^- .+: `(\w+) (\{.+\})`$/gm),
    ([, tool, args]) => ({ tool: tool!, args: JSON.parse(args!) as { wait_seconds?: number } }),
  );
  expect(calls.map(({ tool }) => tool)).toEqual(["meet_ask", "meet_speak", "meet_read"]);
  let heard = "";
  for (const { tool, args } of calls) {
    const answer = callTool(service.url, tool, args);
    if (args.wait_seconds) {
      await Promise.race([answer, service.clock.timerAt(args.wait_seconds)]);
      service.clock.advance(args.wait_seconds);
    }
    const { content, isError } = await answer;
    expect([tool, isError, content[0]!.text]).toEqual([tool, undefined, expect.any(String)]);
    heard += content[0]!.text;
    if (tool !== "meet_speak") continue;
    const rooms = `${service.url}/api/meet/rooms`;
    await post(`${rooms}/which-toml-library-keeps-comments/posts`, { name: "Eve", body: "Said meanwhile." });
  }
  expect(heard).toContain("Said meanwhile.");
  await service.stop();
});

test.skipIf(cannot_run)(
  "the line for each act in the document about receipts computes the sha256 of its receipt",
  async () => {
    const service = await startSource();
    const { url } = service;
    const texts = {
      goal: "Where do we meet? 'Here', \"there\" & \\n",
      body: "In two lines:\nhere.",
      name: "Ada",
      title: "Count to ten",
      detail: "Slowly,\nplease.",
      result: "10",
    };
    const { goal, body, name, title, detail, result } = texts;
    type Given = { body: { receipt: string; key: string; api: string; id: string } };
    const [ada, bob] = await Promise.all(
      [name, "Bob"].map(async (name) => {
        const { body }: Given = await post(`${url}/api/name`, { name });
        return { headers: { "x-wf-name": name, "x-wf-key": body.key }, receipt: body.receipt };
      }),
    );
    const room: Given = await post(`${url}/api/meet/rooms`, { goal, name: "Eve" });
    const said: Given = await post(`${room.body.api}/posts?receipt=1`, { name: "Eve", body });
    const job: Given = await post(`${url}/api/jobs`, { title, detail }, ada!.headers);
    const at = `${url}/api/jobs/${job.body.id}`;
    await post(`${at}/claim`, {}, bob!.headers);
    const delivered: Given = await post(`${at}/deliver`, { result }, bob!.headers);
    const receipts = [ada!.receipt, ...[room, said, job, delivered].map(({ body }) => body.receipt)];
    const payloads = receipts.map(
      (receipt) =>
        JSON.parse(Buffer.from(receipt.split(".")[1]!, "base64url").toString()) as {
          act: string;
          sha256: string;
          job_sha256?: string;
        },
    );
    const document = await read(service, "/api/docs/receipts.md");
    const sumFor = (act: string): string => {
      const [, line] = new RegExp(`^- \`(?:[^\`]*, )?${act}(?:, [^\`]*)?\`: .+, \`(.+)\`$`, "m").exec(
        document,
      )!;
      return Bun.spawnSync(["bash", "-c", line!], { env: { ...process.env, ...texts } })
        .stdout.toString()
        .slice(0, 64);
    };
    expect(payloads.map(({ act }) => act).toSorted()).toEqual(
      ["job.deliver", "job.post", "meet.open", "meet.speak", "name.claim"].toSorted(),
    );
    for (const { act, sha256, job_sha256 } of payloads) {
      expect([act, sumFor(act)]).toEqual([act, sha256]);
      if (job_sha256) expect(sumFor("job.post")).toBe(job_sha256);
    }
    await service.stop();
  },
);
