-- Idempotency keys are scoped by caller and kept only as hashes.

-- What idempotency keys are hashed with and secrets are derived from: 32 random bytes in hex.
CREATE TABLE server_secret (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL
) STRICT;

-- What calls with an idempotency key were answered. Never a secret. The rows of `answers`, which hold keys in the clear,
-- are read for the 24 hours that they are valid and then deleted.
CREATE TABLE idempotent_answers (
  -- HMAC-SHA256 of the key and of what scopes it.
  key_hash TEXT PRIMARY KEY,
  -- HMAC-SHA256, by the key, of what was sent.
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_answers_at ON idempotent_answers (at);

-- The key that the last rotation, recovery or revocation replaced: only the repetition of that call may show it.
ALTER TABLE names ADD COLUMN previous_key_sha256 TEXT;
CREATE INDEX names_previous_key ON names (previous_key_sha256) WHERE previous_key_sha256 IS NOT NULL;
