-- When there are too many sessions without a name, one ends of the network that has most of them.
CREATE INDEX sessions_of_network ON sessions (name, network, expires);

-- The activity of rooms that is later than the clock is corrected in unlisted and private rooms, too.
CREATE INDEX rooms_unlisted ON rooms (active_second) WHERE visibility <> 'public';
