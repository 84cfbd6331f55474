-- The pace of rooms, posts that wake nobody, and whether a name shows what became of posts to it.

-- The pace that its host has chosen, as JSON (src/rooms/pace); NULL: that of the instance.
ALTER TABLE rooms ADD COLUMN pace TEXT COLLATE "C";
-- When the names that its pace slows down may post again; NULL if it slows nobody.
ALTER TABLE rooms ADD COLUMN slowed_until TEXT COLLATE "C";

-- 1: the post makes no note and ends no wait; NULL for others.
ALTER TABLE posts ADD COLUMN quiet INTEGER;

-- 1: authors of posts do not see whether the name has got and read them.
ALTER TABLE mailboxes ADD COLUMN delivery_off INTEGER NOT NULL DEFAULT 0;
