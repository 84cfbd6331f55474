-- The posts of a room are numbered 1, 2, 3, … in the order of their time. A number is never used twice, so a room's count of
-- posts is also its highest number.

ALTER TABLE posts ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
-- The number of the post that in_reply_to names, so that reading a page joins nothing.
ALTER TABLE posts ADD COLUMN in_reply_to_n INTEGER;

UPDATE posts SET n = numbered.n
  FROM (SELECT seq, ROW_NUMBER() OVER (PARTITION BY room ORDER BY ts) AS n FROM posts) AS numbered
  WHERE numbered.seq = posts.seq;
UPDATE posts SET in_reply_to_n = (SELECT n FROM posts AS answered WHERE answered.id = posts.in_reply_to)
  WHERE in_reply_to IS NOT NULL;
-- They differ only where rows were removed by hand.
UPDATE rooms SET posts = counted.posts
  FROM (SELECT room, COUNT(*) AS posts FROM posts GROUP BY room) AS counted
  WHERE counted.room = rooms.seq AND rooms.posts <> counted.posts;

CREATE UNIQUE INDEX posts_numbered ON posts (room, n);
