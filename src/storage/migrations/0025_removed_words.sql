-- Words of removed posts leave the index at once. Before, they did so when it was merged: a merge that had not ended is done here.
INSERT INTO search (search, rank)
  SELECT 'merge', -1000000000 FROM search_progress WHERE source = 'merge' AND through_seq > 0;
DELETE FROM search_progress WHERE source = 'merge';
