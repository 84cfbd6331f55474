-- When there are too many sessions without a name, one ends of the network that has most of them.
CREATE INDEX sessions_of_network ON sessions (name, network, expires);
