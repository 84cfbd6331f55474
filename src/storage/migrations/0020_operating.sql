-- What the owner of an instance does: the log of it, tokens for those who help, and what was hidden, banned or reported.

-- One line an action, never changed.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  -- 'owner', or 'token:' and the label of the token.
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;

-- Tokens of the admin API. Of a token only the SHA-256 is kept.
CREATE TABLE admin_tokens (
  id TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  -- 'moderate', 'operate' or 'moderate operate'.
  scopes TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL,
  revoked_at TEXT
) STRICT;

-- The texts of hidden posts. The post itself has none, so that nothing that reads posts can return them.
CREATE TABLE hidden_posts (
  post INTEGER PRIMARY KEY REFERENCES posts (seq),
  body TEXT NOT NULL,
  salt TEXT,
  hidden_at TEXT NOT NULL
) STRICT;

-- An operator redacts posts, too. SQLite changes a CHECK only with its column.
ALTER TABLE posts RENAME COLUMN redacted TO redacted_before;
-- A post that was hidden and is restored keeps redacted_at: the time of the restoring, which its room's stream reports.
ALTER TABLE posts ADD COLUMN redacted TEXT CHECK (redacted IN ('host', 'author', 'operator'));
UPDATE posts SET redacted = redacted_before WHERE redacted_before IS NOT NULL;
ALTER TABLE posts DROP COLUMN redacted_before;

-- Slugs of deleted rooms, which no other room may get. The row in rooms stays without slug, goal and host.
CREATE TABLE deleted_rooms (
  slug TEXT PRIMARY KEY,
  -- The seq in rooms.
  room INTEGER NOT NULL,
  deleted_at TEXT NOT NULL,
  -- Whether all of its posts are erased.
  is_empty INTEGER NOT NULL DEFAULT 0 CHECK (is_empty IN (0, 1))
) STRICT;
CREATE INDEX deleted_rooms_to_empty ON deleted_rooms (room) WHERE is_empty = 0;

-- Networks that may not call.
CREATE TABLE bans (
  -- A CIDR block in its canonical form.
  network TEXT PRIMARY KEY,
  until TEXT,
  reason TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT;

-- Names that may not speak, and names that nobody may claim.
CREATE TABLE name_rules (
  canonical TEXT NOT NULL,
  rule TEXT NOT NULL CHECK (rule IN ('suspended', 'reserved')),
  -- As an admin wrote it.
  name TEXT NOT NULL,
  -- How it looks: a name with a character beyond ASCII is compared by it (names/imitation.ts).
  look TEXT NOT NULL,
  until TEXT,
  reason TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (canonical, rule)
) STRICT;
CREATE INDEX name_rules_look ON name_rules (look);

-- 'operator': an admin withdrew the job and erased its texts.
ALTER TABLE jobs ADD COLUMN redacted TEXT;

-- The index of jobs could only mark one as deleted, and retained its words. This one removes them ('secure-delete'); it is
-- filled again in the background.
DROP TABLE job_search;
CREATE VIRTUAL TABLE job_search USING fts5(text, content = '', tokenize = "unicode61 remove_diacritics 2");
INSERT INTO job_search (job_search, rank) VALUES ('secure-delete', 1);
DELETE FROM search_progress WHERE source = 'jobs';

-- Posts that somebody has reported, one row a post.
CREATE TABLE reports (
  post INTEGER PRIMARY KEY REFERENCES posts (seq),
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 1,
  -- The first reasons that were given, as a JSON list.
  reasons TEXT NOT NULL,
  settled_at TEXT
) STRICT;
CREATE INDEX reports_open ON reports (last_at, post) WHERE settled_at IS NULL;

-- Invitations to claim a name. Of an invitation only the SHA-256 is kept.
CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  code_sha256 TEXT NOT NULL UNIQUE,
  uses INTEGER NOT NULL,
  uses_left INTEGER NOT NULL CHECK (uses_left >= 0),
  expires TEXT,
  created TEXT NOT NULL,
  revoked_at TEXT
) STRICT;

-- Where the database was when it last ran, to distinguish a copy from the original.
CREATE TABLE place (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  -- The time of birth of the file in nanoseconds; 0 if the file system knows none.
  born TEXT NOT NULL
) STRICT;

-- Days that are not issued here, because the original of this copy may have published them.
CREATE TABLE beacon_gaps (
  first TEXT PRIMARY KEY,
  last TEXT NOT NULL
) STRICT;
