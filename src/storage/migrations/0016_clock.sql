-- The service's clock: a moment on all clocks, from which the next start goes on.
--
-- From here on jobs.claimed_at, jobs.lease_expires_at, answers.at, idempotent_answers.at, slots.expires_at and
-- mcp_sessions.used are steady time, which no setting of the machine's clock moves. It begins as service time, so what is
-- stored stays true.

CREATE TABLE clock_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The run of the machine in which uptime_ms counts.
  boot TEXT NOT NULL,
  uptime_ms INTEGER NOT NULL,
  service_time TEXT NOT NULL,
  steady_time TEXT NOT NULL
) STRICT;
