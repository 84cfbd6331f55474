-- The keys that sign receipts. The one that is not retired signs; all of them verify, permanently.

CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY,
  -- Base64url, as in a JWK (RFC 8037): the public point and the private seed.
  x TEXT NOT NULL,
  d TEXT NOT NULL,
  created TEXT NOT NULL,
  retired_at TEXT
) STRICT;

CREATE UNIQUE INDEX signing_keys_active ON signing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL;
