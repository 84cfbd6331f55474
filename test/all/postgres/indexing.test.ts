/** What is removed while a node indexes it is in no index afterwards, and what is restored meanwhile is in one. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { alone_key, lockNumbers } from "../../../src/storage/postgres/lock_keys.ts";
import { asOwner } from "../../support/admin.ts";
import { call, get, post } from "../../support/http.ts";
import { postJob } from "../../support/jobs.ts";
import { claim } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { open, speak } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";

const word = "zebrafinch";
type Source = "posts" | "rooms" | "jobs";

describe.skipIf(lacks_postgres)("a text", () => {
  let server: PostgresServer;
  let service: SourceService;
  let schema = "";
  let schemas = 0;
  /** Looks into the database. */
  let reader: SQL;
  /** Holds locks that the node waits for. */
  let holder: SQL;
  beforeAll(async () => {
    server = await startPostgres();
    reader = new SQL(server.url, { max: 1 });
    holder = new SQL(server.url, { max: 1 });
  });
  afterAll(async () => {
    await Promise.all([reader.close(), holder.close()]);
    await server.stop();
  });
  beforeEach(async () => {
    schema = `indexed${++schemas}`;
    service = await startSource({ database: `${server.url}?schema=${schema}`, database_connections: 5 });
  });
  afterEach(() => service.stop());

  /** The number of rows of which this is true. */
  const count = async (rows: string): Promise<number> =>
    Number((await reader.unsafe(`SELECT COUNT(*) AS found FROM ${rows}`))[0].found);
  const waiting = () => count("pg_locks WHERE NOT granted");
  const found = (index: string) => count(`${schema}.${index} WHERE words @@ '${word}'`);
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await Bun.sleep(5);
  }
  /** Waits until the rows of a source that are there now are indexed. */
  const indexed = (source: Source) =>
    until(async () => {
      const progress = `SELECT through_seq FROM ${schema}.search_progress WHERE source = '${source}'`;
      return (await count(`${schema}.${source} WHERE seq > COALESCE((${progress}), 0)`)) === 0;
    });

  /** Runs `change` while a node has read the texts of this source that `write` has written, and cannot finish indexing them. */
  async function whileIndexing<Written>(
    source: Source,
    write: () => Promise<Written>,
    change: (written: Written) => Promise<{ status: number }>,
  ): Promise<void> {
    await holder.unsafe(`BEGIN; LOCK TABLE ${schema}.search_progress IN SHARE MODE`).simple();
    const written = await write();
    await until(async () => (await waiting()) === 1);
    let is_answered = false;
    const changing = change(written).finally(() => (is_answered = true));
    // It may wait for the node, or be done before it.
    await until(async () => is_answered || (await waiting()) === 2);
    await holder.unsafe("COMMIT");
    expect((await changing).status).toBe(200);
    await indexed(source);
  }

  test("of a post that its author redacts", async () => {
    const carol = await claim(service.url, "carol");
    const room = await open(service.url, "Birds");
    await indexed("rooms");
    await whileIndexing(
      "posts",
      async () =>
        (await post<{ id: string }>(`${room.api}/posts`, { name: carol.name, body: word }, carol.pair)).body
          .id,
      (id) => call("DELETE", `${room.api}/posts/${id}`, undefined, carol.pair),
    );
    expect(await found("search")).toBe(0);
    const { body } = await get<{ rooms: unknown[] }>(`${service.url}/api/meet/rooms?q=${word}`);
    expect(body.rooms).toEqual([]);
  });

  test("of the goal of a room that is deleted", async () => {
    await whileIndexing(
      "rooms",
      () => open(service.url, word),
      ({ slug }) => asOwner(service, "POST", `/api/admin/rooms/${slug}/delete`, { reason: "x" }),
    );
    expect(await found("search")).toBe(0);
  });

  test("of a job that the operator withdraws", async () => {
    const ada = await claim(service.url, "ada");
    await whileIndexing(
      "jobs",
      () => postJob(service.url, ada, { title: word }),
      ({ id }) => asOwner(service, "POST", `/api/admin/jobs/${id}/withdraw`, { reason: "x" }),
    );
    expect(await found("job_search")).toBe(0);
  });

  test("of a post that is shown again", async () => {
    const act = (id: string, action: string) =>
      asOwner(service, "POST", `/api/admin/posts/${id}/${action}`, { reason: "x" });
    const room = await open(service.url, "Birds");
    await indexed("rooms");
    const [alone] = lockNumbers([alone_key], schema);
    const chores = new SQL(server.url, { max: 1 });
    await chores.unsafe(`SELECT pg_advisory_lock(${alone})`);
    const { body } = await speak(room, word);
    const { id } = body as { id: string };
    await act(id, "hide");
    await whileIndexing(
      "posts",
      () => chores.close(),
      () => act(id, "restore"),
    );
    expect(await found("search")).toBe(1);
  });
});
