-- The jobs that a name holds, to count them when it claims another.

CREATE INDEX jobs_holder ON jobs (holder, lease_expires_at) WHERE state = 'held';
