-- The index without the places of words and the sizes of texts takes less than half the space. It finds words, not phrases: the
-- program reads texts for those. A document of `search` has one more word, `#` with its group, which no text can have: `#` is a
-- letter here, and a space stands for it in every text. The index is filled again in the background.
DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5(
  text, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 2 tokenchars '#'"
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
-- A page of the index has more words now, and a removal writes it again for each word: a quarter of the page takes half the time.
INSERT INTO search (search, rank) VALUES ('pgsz', 1000);
DELETE FROM search_progress WHERE source IN ('posts', 'rooms');
