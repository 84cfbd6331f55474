-- Claimed names. Of keys and recovery codes only the SHA-256 is kept.

CREATE TABLE names (
  canonical TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created TEXT NOT NULL,
  -- NULL once it was revoked: the name waits for recovery.
  key_sha256 TEXT UNIQUE,
  key_changed TEXT NOT NULL,
  recovery_sha256 TEXT NOT NULL,
  acts INTEGER NOT NULL DEFAULT 0,
  last_act TEXT NOT NULL
) STRICT;
