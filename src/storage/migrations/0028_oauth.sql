-- Programs that sign in by OAuth 2.1 under a claimed name (src/oauth). Of every secret only the SHA-256 is kept.

-- Programs that have registered (RFC 7591), and those that the operator has added. Others are known by the address of a document.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  origin TEXT NOT NULL CHECK (origin IN ('registered', 'added')),
  name TEXT NOT NULL,
  -- A JSON list.
  redirect_uris TEXT NOT NULL,
  -- NULL: it has no secret.
  secret_sha256 TEXT,
  created TEXT NOT NULL,
  -- Steady time when it is removed, unless somebody lets it in before. NULL: it stays.
  expires TEXT
) STRICT;
CREATE INDEX oauth_clients_expired ON oauth_clients (expires) WHERE expires IS NOT NULL;

-- What a name has allowed a program.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  -- The canonical form of the name, and the hash of the key that it had: a grant ends with the key.
  name TEXT NOT NULL,
  key_sha256 TEXT NOT NULL,
  client TEXT NOT NULL,
  -- What the program calls itself, and where its answers go.
  client_name TEXT NOT NULL,
  client_host TEXT NOT NULL,
  resource TEXT NOT NULL,
  scope TEXT NOT NULL,
  created TEXT NOT NULL,
  -- Written at most hourly.
  used TEXT NOT NULL,
  -- Steady time.
  expires TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_grants_of_name ON oauth_grants (name, used);
CREATE INDEX oauth_grants_of_client ON oauth_grants (client, created);
CREATE INDEX oauth_grants_expired ON oauth_grants (expires);

-- Codes that a browser takes to the program (RFC 6749, section 4.1.2).
CREATE TABLE oauth_codes (
  code_sha256 TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  key_sha256 TEXT NOT NULL,
  client TEXT NOT NULL,
  client_name TEXT NOT NULL,
  client_host TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  -- Of PKCE (RFC 7636): S256.
  challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- The grant that was made of it. A second use ends that.
  grant_id TEXT,
  -- Steady time.
  issued TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_codes_issued ON oauth_codes (issued);

CREATE TABLE oauth_refreshes (
  token_sha256 TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  -- 0, 1, 2, …: each is exchanged for the next.
  n INTEGER NOT NULL,
  -- Steady time of its first use.
  rotated TEXT
) STRICT;
CREATE UNIQUE INDEX oauth_refreshes_of_grant ON oauth_refreshes (grant_id, n);

CREATE TABLE oauth_tokens (
  token_sha256 TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  -- Steady time.
  expires TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_tokens_of_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expired ON oauth_tokens (expires);
