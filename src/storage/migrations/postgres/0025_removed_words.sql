-- What SQLite stored of the merging of its index.
DELETE FROM search_progress WHERE source = 'merge';
