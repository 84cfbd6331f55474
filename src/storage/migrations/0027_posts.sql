-- Posts in half of the space: ids and salts are 16 bytes, times are Unix milliseconds, and of the unique indexes only that of the number
-- is left. src/rooms/places_store.ts finds a post by its time or its id.

-- Notes name posts by their numbers.
UPDATE notes SET content = json_set(content, '$.n', (SELECT n FROM posts WHERE id = json_extract(content, '$.post')))
  WHERE room IS NOT NULL AND json_extract(content, '$.post') IN (SELECT id FROM posts);
UPDATE notes SET content = json_set(content, '$.first.n', (SELECT n FROM posts WHERE id = json_extract(content, '$.first.post')))
  WHERE room IS NOT NULL AND json_extract(content, '$.first.post') IN (SELECT id FROM posts);
UPDATE notes SET content = json_set(content, '$.last.n', (SELECT n FROM posts WHERE id = json_extract(content, '$.last.post')))
  WHERE room IS NOT NULL AND json_extract(content, '$.last.post') IN (SELECT id FROM posts);

CREATE TABLE packed_posts (
  seq INTEGER PRIMARY KEY,
  -- A UUIDv7.
  id BLOB NOT NULL CHECK (length(id) = 16),
  room INTEGER NOT NULL REFERENCES rooms (seq),
  n INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  name TEXT NOT NULL,
  claimed INTEGER NOT NULL CHECK (claimed IN (0, 1)),
  author TEXT,
  in_reply_to BLOB,
  in_reply_to_n INTEGER,
  redacted TEXT CHECK (redacted IN ('host', 'author', 'operator')),
  redacted_at INTEGER,
  commitment TEXT,
  salt BLOB,
  -- Whether the time in the id does not lead to the post, so that posts_id has the id.
  id_indexed INTEGER NOT NULL CHECK (id_indexed IN (0, 1)),
  -- Last, so that the rest is read without it.
  body TEXT
) STRICT;

DROP INDEX posts_numbered;
DROP INDEX posts_author;
DROP INDEX posts_redacted;

-- In pieces of posts.
INSERT INTO packed_posts (seq, id, room, n, ts, name, claimed, author, in_reply_to, in_reply_to_n, redacted, redacted_at,
    commitment, salt, id_indexed, body)
  SELECT seq, unhex(id, '-'), room, n, ms, name, claimed, author, unhex(in_reply_to, '-'), in_reply_to_n, redacted,
    CAST(round(unixepoch(redacted_at, 'subsec') * 1000) AS INTEGER), commitment, unhex(salt),
    -- The first 48 bits of a UUIDv7 are its time in milliseconds (RFC 9562, section 5.7).
    CASE WHEN substr(id, 15, 1) = '7'
      AND substr(id, 1, 8) || substr(id, 10, 4) BETWEEN printf('%012x', ms - 1000) AND printf('%012x', ms) THEN 0 ELSE 1 END,
    body
  FROM (SELECT *, CAST(round(unixepoch(ts, 'subsec') * 1000) AS INTEGER) AS ms FROM posts WHERE seq <= $through ORDER BY seq);
DELETE FROM posts WHERE seq <= $through;
-- After the pieces.

DROP TABLE posts;
ALTER TABLE packed_posts RENAME TO posts;
CREATE UNIQUE INDEX posts_numbered ON posts (room, n);
CREATE INDEX posts_id ON posts (id) WHERE id_indexed = 1;
CREATE INDEX posts_author ON posts (author, ts) WHERE author IS NOT NULL;
CREATE INDEX posts_redacted ON posts (room, redacted_at) WHERE redacted_at IS NOT NULL;
