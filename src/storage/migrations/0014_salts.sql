-- Redaction leaves a commitment that nobody can guess the text from, and no copy of the text.

-- 32 hex digits, destroyed with the body. NULL for posts from before, which get one when they are redacted.
ALTER TABLE posts ADD COLUMN salt TEXT;

-- A plain hash lets anybody guess a short text: tombstones from before lose theirs.
UPDATE posts SET sha256 = NULL WHERE redacted_at IS NOT NULL;

-- SHA-256 of the salt, a colon and the body that stood here.
ALTER TABLE posts RENAME COLUMN sha256 TO commitment;

-- The index could only mark a document as deleted, and kept its words. This one removes them ('secure-delete'); it is filled
-- again in the background.
DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5(text, room, content = '', tokenize = "unicode61 remove_diacritics 2");
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
DELETE FROM search_progress WHERE source IN ('posts', 'rooms');
