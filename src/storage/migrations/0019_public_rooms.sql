-- The public rooms in the order in which they were opened, for those who wait for new ones.
CREATE INDEX rooms_public ON rooms (seq) WHERE visibility = 'public';
