-- The members of private rooms, and the index for the search among them.

-- `canonical`: a claimed name. `since`: when it became a member; whoever claims the name later is none.
CREATE TABLE room_members (
  room BIGINT NOT NULL REFERENCES rooms (seq),
  canonical TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('host', 'member', 'reader')),
  since TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (room, canonical)
);

CREATE INDEX room_members_name ON room_members (canonical, room);

-- The index of the goals and posts of private rooms: as that of public ones, with the room of each document as its group.
CREATE TABLE private_search (
  document BIGINT PRIMARY KEY,
  words TSVECTOR NOT NULL
);
CREATE INDEX private_search_words ON private_search USING GIN (words);
