-- The members of private rooms.

-- `canonical`: a claimed name. `since`: when it became a member; whoever claims the name later is none.
CREATE TABLE room_members (
  room INTEGER NOT NULL REFERENCES rooms (seq),
  canonical TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('host', 'member', 'reader')),
  since TEXT NOT NULL,
  PRIMARY KEY (room, canonical)
) STRICT, WITHOUT ROWID;

CREATE INDEX room_members_name ON room_members (canonical, room);
