-- The lockers: a small store for each claimed name.

CREATE TABLE slots (
  owner TEXT NOT NULL REFERENCES names (canonical),
  slot TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  public INTEGER NOT NULL CHECK (public IN (0, 1)),
  version INTEGER NOT NULL,
  -- Changes with every write, also when a slot was removed and made again.
  etag TEXT NOT NULL,
  updated TEXT NOT NULL,
  -- From this moment on the slot is not there.
  expires_at TEXT,
  -- Last, so that lists read the rest without it.
  value TEXT NOT NULL,
  PRIMARY KEY (owner, slot)
) STRICT;
