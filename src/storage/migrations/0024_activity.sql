-- The lists of rooms are in the order of last_active, which every post changes. Their indexes have only its second, so that most
-- posts change no index of rooms.

-- The first 19 characters of last_active.
ALTER TABLE rooms ADD COLUMN active_second TEXT NOT NULL DEFAULT '';
UPDATE rooms SET active_second = SUBSTR(last_active, 1, 19);

DROP INDEX rooms_open;
DROP INDEX rooms_closed;
CREATE INDEX rooms_open ON rooms (active_second) WHERE visibility = 'public' AND closed_at IS NULL;
CREATE INDEX rooms_closed ON rooms (active_second) WHERE visibility = 'public' AND closed_at IS NOT NULL;
