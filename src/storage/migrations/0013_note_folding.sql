-- Replies and mentions fold by room, and are kept beside the notes of jobs and names instead of displacing them.

-- The room of a reply or a mention; NULL for a note of a job or a name.
ALTER TABLE notes ADD COLUMN room TEXT;
UPDATE notes SET room = json_extract(content, '$.room') WHERE kind IN ('room.reply', 'room.mention');

CREATE INDEX notes_of_room ON notes (owner, room, seq) WHERE room IS NOT NULL;
CREATE INDEX notes_of_rooms ON notes (owner, seq) WHERE room IS NOT NULL;
CREATE INDEX notes_of_jobs_and_names ON notes (owner, seq) WHERE room IS NULL;

-- The seq of the latest note that was dropped or cleared. Seqs have gaps where a note moved, so that a gap is no loss.
ALTER TABLE mailboxes ADD COLUMN dropped_through INTEGER NOT NULL DEFAULT 0;
UPDATE mailboxes SET dropped_through =
  COALESCE((SELECT MIN(seq) - 1 FROM notes WHERE notes.owner = mailboxes.owner), last_seq);
