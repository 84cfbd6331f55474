/** Removals from private rooms on two nodes of one database: what is open at the other node ends, and nobody speaks after the answer. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get } from "../../support/http.ts";
import { ask, beginSession } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import {
  at,
  expectOneHostLeft,
  expectSilence,
  newMember,
  openAll,
  openPrivately,
  remove,
  sayIn,
  type PrivateRoom,
} from "../../support/removals.ts";
import { open, speak, uriOf } from "../../support/rooms.ts";
import { startBinary } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";
import { tokenOf, type StandIn } from "../../support/stand_ins.ts";

type Ending = (who: Holder) => Promise<StandIn>;
type Node = Awaited<ReturnType<typeof startBinary>>;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  let nodes: [Node, Node];
  let host: Holder;
  let room: PrivateRoom;
  const start = () => startBinary({ database: server.url, rate_limit: false, oauth: true });
  const urlOf = (i: number): string => nodes[i % 2]!.url;
  beforeAll(async () => {
    server = await startPostgres();
    nodes = [await start(), await start()];
    host = await claim(urlOf(0), "Grace");
    room = await openPrivately(urlOf(0), host);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });

  test("end at the other everything that a removed member has open there", async () => {
    const all = await openAll(urlOf(1), room, host, "member");
    const slowest = { kind: "", ms: 0 };
    for (const { kind, who, end, expected } of all) {
      const sent = performance.now();
      const removing = remove(room, host, who.name);
      expect([kind, await end]).toEqual([kind, expected]);
      const ms = performance.now() - sent;
      if (ms > slowest.ms) Object.assign(slowest, { kind, ms });
      expect((await removing).status).toBe(200);
      expect((await get(at(room, urlOf(1)).api, who.pair)).status).toBe(404);
    }
    console.log(
      `${all.length} things ended at the other node; the slowest, ${slowest.kind}, ${slowest.ms.toFixed(0)} ms after the removal was sent`,
    );
  });

  const ends: Record<string, Ending> = {
    "a removal": async ({ name, pair }) => ({ headers: pair, end: () => remove(room, host, name) }),
    "the end of a grant": (who) => tokenOf(urlOf(0), who),
  };
  test.each(Object.keys(ends))(
    "notify no session after %s, at whichever node it subscribed and reads",
    async (what) => {
      const open_room = await open(urlOf(0), "For everybody");
      const who = await newMember(urlOf(0), room, host, what.replaceAll(" ", "-"));
      const { headers, end } = await ends[what]!(who);
      const session = await beginSession(`${urlOf(0)}/mcp`);
      const uris = [uriOf(room), uriOf(open_room)];
      for (const uri of uris)
        await ask(`${urlOf(0)}/mcp`, "resources/subscribe", { uri }, { ...session, ...headers });
      const stream = await readEvents(`${urlOf(1)}/mcp`, { accept: "text/event-stream", ...session });
      const next = async () => ((await stream.next())!.data as { params: { uri: string } }).params.uri;
      expect(new Set([await next(), await next()])).toEqual(new Set(uris));
      await sayIn(room, host, "You hear this.");
      expect(await next()).toBe(uris[0]!);
      expect((await end()).status).toBe(200);
      await sayIn(room, host, "Among us.");
      await sayIn(at(room, urlOf(1)), host, "Among us.");
      await speak(open_room, "For everybody.");
      expect(await next()).toBe(uris[1]!);
      await stream.close();
    },
  );

  test("store nothing that a member says after its removal at either, in 64 races", async () => {
    for (let round = 0; round < 64; round++) await expectSilence(urlOf, room, host, round);
  });

  test("leave one of two hosts who remove each other, in 64 races", async () => {
    for (let round = 0; round < 64; round++) await expectOneHostLeft(urlOf, round);
  });
});
