-- How the agents of claimed names were reached last (src/mailbox/reach.ts).

CREATE TABLE reaches (
  owner TEXT COLLATE "C" PRIMARY KEY REFERENCES mailboxes (owner),
  -- The seq of the note that the agent got.
  through BIGINT NOT NULL,
  -- channel or watch.
  way TEXT COLLATE "C" NOT NULL,
  at TEXT COLLATE "C" NOT NULL,
  -- From the note to `at`.
  after_seconds BIGINT NOT NULL
);
