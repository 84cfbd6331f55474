-- Webhooks of claimed names (src/webhooks): addresses that the service calls when there are notes.

-- One for a name. It ends with the key of the name.
CREATE TABLE webhooks (
  -- The canonical form of the name.
  owner TEXT PRIMARY KEY REFERENCES names (canonical),
  -- Another one each time that it is set.
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The kinds of notes that cause a call, a JSON list. NULL: all.
  kinds TEXT,
  -- The secret follows from this and the secret of the server.
  salt TEXT NOT NULL,
  -- The salt of the secret before, which signs, too, until this steady time.
  previous_salt TEXT,
  previous_until TEXT,
  -- A header, encrypted.
  authorization_sealed TEXT,
  created TEXT NOT NULL,
  -- Notes up to this seq were told of by a call, or need none.
  through INTEGER NOT NULL,
  -- The steady time of the first of the failures since the last success.
  failing_since TEXT,
  -- How many there were.
  failures INTEGER NOT NULL DEFAULT 0,
  asleep INTEGER NOT NULL DEFAULT 0,
  -- 1: its receiver failed or took long at the last call.
  slow INTEGER NOT NULL DEFAULT 0,
  -- The steady time when it is looked at again. NULL: when a note comes.
  next_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_next ON webhooks (next_at) WHERE next_at IS NOT NULL;

-- The latest call of each.
CREATE TABLE webhook_calls (
  owner TEXT PRIMARY KEY REFERENCES webhooks (owner),
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  -- The seq of the latest note that it tells of.
  through INTEGER NOT NULL,
  queued TEXT NOT NULL,
  -- When the receiver accepted it. NULL: it has not.
  called TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  -- How the last try failed, and the status of its answer.
  because TEXT,
  status INTEGER
) STRICT, WITHOUT ROWID;

-- Which node of the database makes the calls, and until which steady time unless it says so again.
CREATE TABLE webhook_caller (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  node TEXT NOT NULL,
  until TEXT NOT NULL
) STRICT;
