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

-- A node of an earlier release does not know private rooms, and would show them. It reads the table of changes under its former name
-- before every answer. So it works beside others as before until there is a member of a private room: then that name is gone, and the
-- node refuses every call.
ALTER TABLE changes RENAME TO changed_topics;
CREATE VIEW changes AS SELECT * FROM changed_topics;

CREATE FUNCTION refuse_nodes_before_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass(format('%I.changes', TG_TABLE_SCHEMA)) IS NOT NULL THEN
    EXECUTE format('DROP VIEW %I.changes', TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER refuse_nodes_before_members AFTER INSERT ON room_members
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_nodes_before_members();
