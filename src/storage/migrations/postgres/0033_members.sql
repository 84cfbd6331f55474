-- The members of private rooms.

-- `canonical`: a claimed name. `since`: when it became a member; whoever claims the name later is none.
CREATE TABLE room_members (
  room BIGINT NOT NULL REFERENCES rooms (seq),
  canonical TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('host', 'member', 'reader')),
  since TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (room, canonical)
);

CREATE INDEX room_members_name ON room_members (canonical, room);
