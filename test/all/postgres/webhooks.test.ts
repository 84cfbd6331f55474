/**
 * Webhooks over two nodes of one Postgres: one makes the calls, another takes over, and a webhook that ends at one ends at the other.
 * WHARF_TEST_OPERATIONS: how many notes; WHARF_TEST_KILLS: how many kills.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../../support/service.ts";
import { callThroughKills, measured } from "../../support/webhook_kills.ts";
import { endWebhook, mentioning, seenWebhook, setWebhook } from "../../support/webhook_names.ts";
import { calling, startReceiver } from "../../support/webhook_receivers.ts";

const notes = Number(process.env.WHARF_TEST_OPERATIONS ?? 2_000);
const kills = Number(process.env.WHARF_TEST_KILLS ?? 4);

describe.skipIf(lacks_postgres)("two nodes", () => {
  const root = newDirectory();
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(async () => {
    await server.stop();
    removeDirectory(root);
  });

  test(`call names for ${notes} notes through ${kills} kills of nodes and of the receiver`, async () => {
    const database = `${server.url}?schema=kills`;
    const course = await callThroughKills({ root, nodes: [{ database }, { database }], notes, kills });
    expect(course.notes).toBeGreaterThanOrEqual(notes);
    // One of them makes the calls until it is killed, or has reported that it was silent for too long.
    expect(course.changed_without_kill).toBeLessThanOrEqual(course.given_over);
    console.log(measured("two nodes on Postgres", course));
  }, 3_600_000);

  const byAdmin =
    (action: string) =>
    (node: TestService, { name }: Holder) =>
      asOwner(node, "POST", `/api/admin/names/${name}/${action}`, { reason: "floods rooms" });
  const ends: Record<string, (node: TestService, who: Holder) => Promise<{ status: number }>> = {
    "is deleted": (node, who) => endWebhook(node.url, who),
    "is that of a revoked key": ({ url }, { key }) => post(`${url}/api/name/revoke`, { key }),
    "is that of a suspended name": byAdmin("suspend"),
    "is that of a released name": byAdmin("release"),
  };

  test("end the call of a webhook that ends at the other node", async () => {
    const database = `${server.url}?schema=ends`;
    const nodes = [await startBinary({ ...calling, database }), await startBinary({ ...calling, database })];
    const mention = await mentioning(nodes[0]!.url);
    let names = 0;
    // One of the two makes the calls: each end is sent to both.
    for (const node of nodes)
      for (const end of Object.values(ends)) {
        const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const receiver = startReceiver((_, request) => {
          request.signal.addEventListener("abort", () => ended.resolve());
          began.resolve();
          return new Promise(() => {});
        });
        const who = await claim(nodes[0]!.url, `ended-${"abcdefgh"[names++]}`);
        await setWebhook(nodes[0]!.url, who, { url: receiver.url });
        await mention(who);
        await began.promise;
        expect((await end(node, who)).status).toBeLessThan(300);
        await ended.promise;
        await receiver.stop();
      }
    await Promise.all(nodes.map((node) => node.stop()));
  }, 120_000);

  test("hand over to the other node when the one that makes the calls is stopped", async () => {
    const database = `${server.url}?schema=stops`;
    const nodes = [await startBinary({ ...calling, database }), await startBinary({ ...calling, database })];
    const receiver = startReceiver();
    const who = await claim(nodes[1]!.url, "callee");
    const mention = await mentioning(nodes[1]!.url);
    await setWebhook(nodes[1]!.url, who, { url: receiver.url });
    // The first one has been the only one.
    await nodes[0]!.stop();
    await mention(who);
    await seenWebhook(nodes[1]!.url, who, ({ call }) => call?.state === "called");
    expect(receiver.calls.map(({ body }): object => body.data)).toMatchObject([
      { through: 1, mailbox: `${nodes[1]!.url}/api/mailbox` },
    ]);
    await nodes[1]!.stop();
    await receiver.stop();
  }, 120_000);
});
