/** MCP clients that others wrote open rooms, read, wait, post and answer, at /mcp/meet and at a room's address. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clients, modernClient, type McpClient, type ToolAnswer } from "../support/mcp_clients.ts";
import { ways, type TestService } from "../support/service.ts";

interface Said {
  n: number;
  in_reply_to?: number;
  replies: { body: string }[];
  next_since: number;
  room?: string;
  url: string;
  mcp: string;
  host_key?: string;
}
interface Read {
  posts: { n: number; body: string; in_reply_to?: number }[];
}

const resultOf = (answer: ToolAnswer): Said & Read & { rooms: { goal: string }[] } => {
  expect(answer.isError ?? false, answer.content[0]?.text).toBe(false);
  return answer.structuredContent as never;
};
const bodies = (posts: { body: string }[]) => posts.map(({ body }) => body);

for (const [way, start] of ways) {
  describe(way, () => {
    let service: TestService;
    let lobby: string;
    beforeAll(async () => {
      service = await start();
      lobby = `${service.url}/mcp/meet`;
    });
    afterAll(() => service.stop());

    describe.each(clients)("%s", (kind, connect) => {
      let ada: McpClient;
      let bob: McpClient;
      beforeAll(async () => {
        ada = await connect(lobby);
        bob = await connect(lobby);
      });
      afterAll(async () => {
        await ada.close();
        await bob.close();
      });

      test("finds the seven tools", async () => {
        expect((await ada.tools()).sort()).toEqual([
          "meet_answer",
          "meet_ask",
          "meet_close",
          "meet_open",
          "meet_read",
          "meet_rooms",
          "meet_speak",
        ]);
      });

      test("receives the answer to a question while it waits, and reads the posts after it", async () => {
        const question = resultOf(
          await ada.call("meet_ask", { question: `Who is there, ${kind}?`, name: "Ada" }),
        );
        const { room } = question;
        const waiting = ada.call("meet_read", { room, since: question.next_since, wait_seconds: 50 });
        const answer = resultOf(
          await bob.call("meet_answer", { room: question.url, name: "Bob", body: "I am." }),
        );
        expect(answer.in_reply_to).toBe(question.n);
        const heard = resultOf(await waiting);
        expect(bodies(heard.posts)).toEqual(["I am."]);
        expect(heard.posts[0]!.in_reply_to).toBe(question.n);
        expect(resultOf(await ada.call("meet_read", { room, since: heard.next_since })).posts).toEqual([]);
      });

      test("waits for the reply to its post", async () => {
        const opened = resultOf(await ada.call("meet_open", { goal: `A room for ${kind}`, name: "Ada" }));
        expect(opened.host_key).toStartWith("wfh_");
        const { room, mcp } = opened;
        const speaking = ada.call("meet_speak", {
          room,
          name: "Ada",
          body: "Anybody?",
          wait_seconds: 50,
        });
        const there = await connect(mcp);
        const first = resultOf(await there.call("meet_read", { wait_seconds: 50 }));
        expect(bodies(first.posts)).toEqual(["Anybody?"]);
        resultOf(
          await there.call("meet_speak", { name: "Bob", body: "Yes.", in_reply_to: first.posts[0]!.n }),
        );
        expect(bodies(resultOf(await speaking).replies)).toEqual(["Yes."]);
        await there.close();
      });

      test("calls tools in the room of the address, and is referred to the service address for another room", async () => {
        const opened = resultOf(await ada.call("meet_open", { goal: `Own address ${kind}`, name: "Ada" }));
        const there = await connect(opened.mcp);
        const question = resultOf(await there.call("meet_ask", { question: "In here?", name: "Bob" }));
        expect([question.room, question.host_key]).toEqual([undefined, undefined]);
        resultOf(await there.call("meet_answer", { room: opened.mcp, name: "Ada", body: "In here." }));
        expect(bodies(resultOf(await there.call("meet_read", {})).posts)).toEqual(["In here?", "In here."]);
        const refused = await there.call("meet_read", { room: "another-room" });
        expect(refused.isError).toBe(true);
        expect(refused.content[0]!.text).toContain(`${lobby}/another-room`);
        await there.close();
      });

      test("finds a room by its words", async () => {
        const word = `zebra${kind.replace(/\W/g, "")}`;
        resultOf(await ada.call("meet_open", { goal: `The ${word} question`, name: "Ada" }));
        const found = resultOf(await ada.call("meet_rooms", { query: word }));
        expect(found.rooms.map(({ goal }) => goal)).toEqual([`The ${word} question`]);
      });
    });

    test("the 2.x client speaks the revision of 2026", async () => {
      const client = await modernClient(lobby);
      expect(client.version).toBe("2026-07-28");
      await client.close();
    });
  });
}
