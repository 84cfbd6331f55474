-- Webhooks of claimed names (src/webhooks): addresses that the service calls when there are notes.

-- One for a name. It ends with the key of the name.
CREATE TABLE webhooks (
  -- The canonical form of the name.
  owner TEXT COLLATE "C" PRIMARY KEY REFERENCES names (canonical),
  -- Another one each time that it is set.
  id TEXT COLLATE "C" NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  -- The kinds of notes that cause a call, a JSON list. NULL: all.
  kinds TEXT COLLATE "C",
  -- The secret follows from this and the secret of the server.
  salt TEXT COLLATE "C" NOT NULL,
  -- The salt of the secret before, which signs, too, until this steady time.
  previous_salt TEXT COLLATE "C",
  previous_until TEXT COLLATE "C",
  -- A header, encrypted.
  authorization_sealed TEXT COLLATE "C",
  created TEXT COLLATE "C" NOT NULL,
  -- Notes up to this seq were told of by a call, or need none.
  through BIGINT NOT NULL,
  -- The steady time of the first of the failures since the last success.
  failing_since TEXT COLLATE "C",
  -- How many there were.
  failures BIGINT NOT NULL DEFAULT 0,
  asleep BIGINT NOT NULL DEFAULT 0,
  -- 1: its receiver failed or took long at the last call.
  slow BIGINT NOT NULL DEFAULT 0,
  -- The steady time when it is looked at again. NULL: when a note comes.
  next_at TEXT COLLATE "C"
);
CREATE INDEX webhooks_next ON webhooks (next_at) WHERE next_at IS NOT NULL;

-- The latest call of each.
CREATE TABLE webhook_calls (
  owner TEXT COLLATE "C" PRIMARY KEY REFERENCES webhooks (owner),
  id TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  -- The seq of the latest note that it tells of.
  through BIGINT NOT NULL,
  queued TEXT COLLATE "C" NOT NULL,
  -- When the receiver accepted it. NULL: it has not.
  called TEXT COLLATE "C",
  tries BIGINT NOT NULL DEFAULT 0,
  -- How the last try failed, and the status of its answer.
  because TEXT COLLATE "C",
  status BIGINT
);

-- Which node of the database makes the calls, and until which steady time unless it says so again.
CREATE TABLE webhook_caller (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  node TEXT COLLATE "C" NOT NULL,
  until TEXT COLLATE "C" NOT NULL
);
