-- Programs that sign in by OAuth 2.1 under a claimed name (src/oauth). Of every secret only the SHA-256 is kept.

-- Programs that have registered (RFC 7591), and those that the operator has added. Others are known by the address of a document.
CREATE TABLE oauth_clients (
  id TEXT COLLATE "C" PRIMARY KEY,
  origin TEXT COLLATE "C" NOT NULL CHECK (origin IN ('registered', 'added')),
  name TEXT COLLATE "C" NOT NULL,
  -- A JSON list.
  redirect_uris TEXT COLLATE "C" NOT NULL,
  -- NULL: it has no secret.
  secret_sha256 TEXT COLLATE "C",
  created TEXT COLLATE "C" NOT NULL,
  -- Steady time when it is removed, unless somebody lets it in before. NULL: it stays.
  expires TEXT COLLATE "C"
);
CREATE INDEX oauth_clients_expired ON oauth_clients (expires) WHERE expires IS NOT NULL;

-- What a name has allowed a program.
CREATE TABLE oauth_grants (
  id TEXT COLLATE "C" PRIMARY KEY,
  -- The canonical form of the name, and the hash of the key that it had: a grant ends with the key.
  name TEXT COLLATE "C" NOT NULL,
  key_sha256 TEXT COLLATE "C" NOT NULL,
  client TEXT COLLATE "C" NOT NULL,
  -- What the program calls itself, and where its answers go.
  client_name TEXT COLLATE "C" NOT NULL,
  client_host TEXT COLLATE "C" NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  -- Written at most hourly.
  used TEXT COLLATE "C" NOT NULL,
  -- Steady time.
  expires TEXT COLLATE "C" NOT NULL
);
CREATE INDEX oauth_grants_of_name ON oauth_grants (name, used);
CREATE INDEX oauth_grants_of_client ON oauth_grants (client, created);
CREATE INDEX oauth_grants_expired ON oauth_grants (expires);

-- Codes that a browser takes to the program (RFC 6749, section 4.1.2).
CREATE TABLE oauth_codes (
  code_sha256 TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  key_sha256 TEXT COLLATE "C" NOT NULL,
  client TEXT COLLATE "C" NOT NULL,
  client_name TEXT COLLATE "C" NOT NULL,
  client_host TEXT COLLATE "C" NOT NULL,
  redirect_uri TEXT COLLATE "C" NOT NULL,
  -- Of PKCE (RFC 7636): S256.
  challenge TEXT COLLATE "C" NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  -- The grant that was made of it. A second use ends that.
  grant_id TEXT COLLATE "C",
  -- Steady time.
  issued TEXT COLLATE "C" NOT NULL
);
CREATE INDEX oauth_codes_issued ON oauth_codes (issued);

CREATE TABLE oauth_refreshes (
  token_sha256 TEXT COLLATE "C" PRIMARY KEY,
  grant_id TEXT COLLATE "C" NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  -- 0, 1, 2, …: each is exchanged for the next.
  n INTEGER NOT NULL,
  -- Steady time of its first use.
  rotated TEXT COLLATE "C"
);
CREATE UNIQUE INDEX oauth_refreshes_of_grant ON oauth_refreshes (grant_id, n);

CREATE TABLE oauth_tokens (
  token_sha256 TEXT COLLATE "C" PRIMARY KEY,
  grant_id TEXT COLLATE "C" NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  -- Steady time.
  expires TEXT COLLATE "C" NOT NULL
);
CREATE INDEX oauth_tokens_of_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expired ON oauth_tokens (expires);
