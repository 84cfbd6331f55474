-- What retention has removed: the posts of a room up to a number, and rooms.

-- The number of the latest removed post; 0 if none was removed.
ALTER TABLE rooms ADD COLUMN removed_through INTEGER NOT NULL DEFAULT 0;
-- The ts of that post.
ALTER TABLE rooms ADD COLUMN removed_until TEXT;
-- When it was removed, and the rule of the instance in words.
ALTER TABLE rooms ADD COLUMN removed_at TEXT;
ALTER TABLE rooms ADD COLUMN removed_because TEXT;

-- The rule of the instance in words; NULL if an admin deleted the room.
ALTER TABLE deleted_rooms ADD COLUMN because TEXT;
