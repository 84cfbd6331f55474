-- Rooms, their posts, and the results of calls with an idempotency key.

CREATE TABLE rooms (
  seq INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  goal TEXT NOT NULL,
  host TEXT NOT NULL,
  host_claimed INTEGER NOT NULL CHECK (host_claimed IN (0, 1)),
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted')),
  host_key_sha256 TEXT NOT NULL,
  created TEXT NOT NULL,
  closed_at TEXT,
  posts INTEGER NOT NULL DEFAULT 0,
  last_post TEXT,
  last_active TEXT NOT NULL,
  -- The time of the latest thing that happened here; it rises strictly, so it is also the room's version.
  changed TEXT NOT NULL
) STRICT;

CREATE INDEX rooms_open ON rooms (last_active, slug) WHERE visibility = 'public' AND closed_at IS NULL;
CREATE INDEX rooms_closed ON rooms (last_active, slug) WHERE visibility = 'public' AND closed_at IS NOT NULL;

CREATE TABLE posts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  room INTEGER NOT NULL REFERENCES rooms (seq),
  ts TEXT NOT NULL,
  name TEXT NOT NULL,
  claimed INTEGER NOT NULL CHECK (claimed IN (0, 1)),
  in_reply_to TEXT,
  body TEXT,
  redacted TEXT CHECK (redacted IN ('host', 'author')),
  redacted_at TEXT,
  sha256 TEXT,
  UNIQUE (room, ts)
) STRICT;

CREATE INDEX posts_redacted ON posts (room, redacted_at) WHERE redacted_at IS NOT NULL;

-- Counting rows takes longer with every row; these are kept with the writes that change them.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Full-text search (SQLite only): public rooms' goals and posts, indexed behind the writes.
-- A post's document has the post's seq; a goal's has the room's seq above 2^52, so that goals come first.
CREATE VIRTUAL TABLE search USING fts5(text, room, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
CREATE TABLE search_progress (
  source TEXT PRIMARY KEY,
  through_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What calls with an Idempotency-Key were answered. Never a secret.
CREATE TABLE answers (
  key TEXT NOT NULL,
  path TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (key, path)
) STRICT;

CREATE INDEX answers_at ON answers (at);
