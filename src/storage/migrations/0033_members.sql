-- The members of private rooms, and the index for the search among them.

-- `canonical`: a claimed name. `since`: when it became a member; whoever claims the name later is none.
CREATE TABLE room_members (
  room INTEGER NOT NULL REFERENCES rooms (seq),
  canonical TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('host', 'member', 'reader')),
  since TEXT NOT NULL,
  PRIMARY KEY (room, canonical)
) STRICT, WITHOUT ROWID;

CREATE INDEX room_members_name ON room_members (canonical, room);

-- The index of the goals and posts of private rooms: as that of public ones (0026), with the room of each document as its group.
CREATE VIRTUAL TABLE private_search USING fts5(
  text, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 2 tokenchars '#'"
);
INSERT INTO private_search (private_search, rank) VALUES ('secure-delete', 1);
INSERT INTO private_search (private_search, rank) VALUES ('pgsz', 1000);
