-- How the agents of claimed names were reached last (src/mailbox/reach.ts).

CREATE TABLE reaches (
  owner TEXT PRIMARY KEY REFERENCES mailboxes (owner),
  -- The seq of the note that the agent got.
  through INTEGER NOT NULL,
  -- channel or watch.
  way TEXT NOT NULL,
  at TEXT NOT NULL,
  -- From the note to `at`.
  after_seconds INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
