-- The beacon: its secrets, the days whose roots were published, and how far its time has come.

CREATE TABLE beacon_secrets (
  id TEXT PRIMARY KEY,
  -- 32 bytes in hex. Seeds of all days that were published with it follow from it, for ever.
  secret TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT;

CREATE TABLE beacon_days (
  day TEXT PRIMARY KEY,
  first_round INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  secret_id TEXT NOT NULL REFERENCES beacon_secrets (id),
  root TEXT NOT NULL,
  -- SHA-256 of the statement of the day before; NULL for the first.
  prev TEXT,
  -- The signed root, a compact JWS.
  statement TEXT NOT NULL,
  published TEXT NOT NULL
) STRICT;

CREATE TABLE beacon_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The latest time by which seeds were given out: the beacon's time never falls behind it.
  mark TEXT NOT NULL
) STRICT;

-- When the wall clock was taken as right, for each run of the machine.
CREATE TABLE beacon_anchors (
  boot TEXT PRIMARY KEY,
  uptime_ms INTEGER NOT NULL,
  wall TEXT NOT NULL
) STRICT;
