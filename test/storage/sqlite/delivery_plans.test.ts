/** How SQLite runs the statements about what became of a post: each searches an index, however full a mailbox or a room is. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { SqlValue } from "../../../src/core/storage.ts";
import { notesOfPosts } from "../../../src/mailbox/store.ts";
import { repliesTo } from "../../../src/rooms/delivery_store.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let directory: string;
let connection: Connection;
beforeAll(() => {
  directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  connection = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
});
afterAll(() => {
  connection.close();
  removeDirectory(directory);
});

test("finds the note about a post by owner and room, and the replies by room and number", async () => {
  const statements = new Map<string, SqlValue[]>();
  const recorded = new Proxy(connection, {
    get: (target, member: keyof Connection) =>
      member === "all"
        ? (sql: string, ...values: SqlValue[]) => {
            statements.set(sql, values);
            return target.all(sql, ...values);
          }
        : target[member],
  });
  const wanted = { room: "a-room", at: "2026-03-01T12:00:00.000Z" };
  await notesOfPosts(recorded, [{ ...wanted, owner: "ada" }]);
  await notesOfPosts(
    recorded,
    ["ada", "bob", "lin"].map((owner) => ({ ...wanted, owner })),
  );
  await repliesTo(recorded, 1, 5, 9);
  const plans = [...statements].map(([sql, values]) =>
    connection.database
      .query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql.replace(/\$(\d+)/g, "?$1")}`)
      .all(...values)
      .map(({ detail }) => detail)
      .flatMap(
        (detail) => /^(?:SEARCH|SCAN (?!later|wanted|.*(?:CONSTANT|VALUES))|.*B-TREE).*/.exec(detail) ?? [],
      ),
  );
  const of_notes = [
    "SEARCH mailboxes USING INDEX sqlite_autoindex_mailboxes_1 (owner=?)",
    "SEARCH notes USING INDEX sqlite_autoindex_notes_1 (owner=? AND seq=?) LEFT-JOIN",
    "SEARCH later USING INDEX notes_of_room (owner=? AND room=?)",
  ];
  expect(plans).toEqual([of_notes, of_notes, ["SEARCH posts USING INDEX posts_numbered (room=? AND n>?)"]]);
});
