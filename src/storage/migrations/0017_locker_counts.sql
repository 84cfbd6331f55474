-- How many names have a locker and how many slots there are, kept with the writes that change them. Slots that have expired
-- are counted until they are removed; the index finds those.

CREATE INDEX slots_expiring ON slots (expires_at) WHERE expires_at IS NOT NULL;
INSERT INTO counters (name, value) SELECT 'slots', COUNT(*) FROM slots;
INSERT INTO counters (name, value) SELECT 'lockers', COUNT(DISTINCT owner) FROM slots;

-- The jobs of a poster in the order of the board.
CREATE INDEX jobs_by_poster ON jobs (poster);
