-- Sessions of browsers, and the rooms that they may close and redact in.

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  -- Of a cookie only the SHA-256 is kept.
  cookie_sha256 TEXT NOT NULL UNIQUE,
  -- The canonical form of the name that is signed in. NULL: the session only holds rights in rooms.
  name TEXT REFERENCES names (canonical),
  created TEXT NOT NULL,
  -- Written at most hourly.
  used TEXT NOT NULL,
  -- Steady time.
  expires TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_of_name ON sessions (name, expires);
CREATE INDEX sessions_expired ON sessions (expires);

CREATE TABLE session_rooms (
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  room INTEGER NOT NULL REFERENCES rooms (seq),
  added TEXT NOT NULL,
  PRIMARY KEY (session, room)
) STRICT;
