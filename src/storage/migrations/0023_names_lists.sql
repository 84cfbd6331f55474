-- What a claimed name did: the rooms that it opened, its posts and the jobs that it delivered, for its page.

-- The canonical form of the claimed name whose key opened the room or came with the post, if the room is public. NULL for every
-- other, which thus needs no entry in the index.
ALTER TABLE rooms ADD COLUMN author TEXT;
ALTER TABLE posts ADD COLUMN author TEXT;

-- The canonical form of a name in ASCII, as in src/names/canonical.ts. No claimed name has "<" or ">", so they can mark the
-- separators of a run. What spelled its name with other characters, such as full-width letters, is not listed.
UPDATE rooms SET author = names.canonical FROM names
  WHERE rooms.host_claimed = 1 AND rooms.visibility = 'public'
    AND names.canonical = replace(replace(trim(replace(replace(replace(replace(replace(replace(
      lower(rooms.host), ' ', '-'), '.', '-'), '_', '-'), '-', '<>'), '><', ''), '<>', '-'), '-'), '0', 'o'), '1', 'l');
UPDATE posts SET author = names.canonical FROM names
  WHERE posts.claimed = 1 AND posts.room IN (SELECT seq FROM rooms WHERE visibility = 'public')
    AND names.canonical = replace(replace(trim(replace(replace(replace(replace(replace(replace(
      lower(posts.name), ' ', '-'), '.', '-'), '_', '-'), '-', '<>'), '><', ''), '<>', '-'), '-'), '0', 'o'), '1', 'l');

CREATE INDEX rooms_author ON rooms (author, created) WHERE author IS NOT NULL;
CREATE INDEX posts_author ON posts (author, ts) WHERE author IS NOT NULL;
CREATE INDEX jobs_delivered ON jobs (holder) WHERE state = 'delivered';
