-- The mailboxes, and the job board whose news they carry.

CREATE TABLE mailboxes (
  owner TEXT PRIMARY KEY REFERENCES names (canonical),
  -- The seq of the latest note; the next one is one more, for ever, also when notes are dropped.
  last_seq INTEGER NOT NULL,
  -- Notes up to here were acknowledged as read, or cleared.
  read_through INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE notes (
  owner TEXT NOT NULL REFERENCES mailboxes (owner),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- What the note tells beside its kind, as JSON.
  content TEXT NOT NULL,
  PRIMARY KEY (owner, seq)
) STRICT;

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  poster TEXT NOT NULL REFERENCES names (canonical),
  title TEXT NOT NULL,
  detail TEXT NOT NULL,
  created TEXT NOT NULL,
  -- A held job whose lease has ended is open, whatever stands here.
  state TEXT NOT NULL CHECK (state IN ('open', 'held', 'delivered', 'withdrawn')),
  claim_no INTEGER NOT NULL DEFAULT 0,
  holder TEXT REFERENCES names (canonical),
  claimed_at TEXT,
  lease_expires_at TEXT,
  delivered_at TEXT,
  result TEXT,
  verdict TEXT CHECK (verdict IN ('accepted', 'disputed')),
  reason TEXT,
  reviewed_at TEXT
) STRICT;

CREATE INDEX jobs_state ON jobs (state, seq);
CREATE INDEX jobs_leases ON jobs (state, lease_expires_at);
CREATE INDEX jobs_poster ON jobs (poster, state);

CREATE TABLE job_tags (
  tag TEXT NOT NULL,
  job INTEGER NOT NULL REFERENCES jobs (seq),
  PRIMARY KEY (tag, job)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_tags_job ON job_tags (job);

-- Full-text search over jobs (SQLite only), indexed behind the writes.
CREATE VIRTUAL TABLE job_search USING fts5(text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
