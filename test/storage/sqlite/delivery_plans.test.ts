/** How SQLite runs the statements about what became of a post: each searches an index, however full a mailbox or a room is. */

import { expect, test } from "bun:test";
import { notesOfPosts } from "../../../src/mailbox/store.ts";
import { repliesTo } from "../../../src/rooms/delivery_store.ts";
import { plansOf } from "../../support/plans.ts";

test("finds the note about a post by owner and room, and the replies by room and number", async () => {
  const found = await plansOf(async (tx) => {
    const wanted = { room: "a-room", at: "2026-03-01T12:00:00.000Z" };
    await notesOfPosts(tx, [{ ...wanted, owner: "ada" }]);
    await notesOfPosts(
      tx,
      ["ada", "bob", "lin"].map((owner) => ({ ...wanted, owner })),
    );
    await repliesTo(tx, 1, 5, 9);
  });
  const plans = found.map((lines) =>
    lines.flatMap(
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
