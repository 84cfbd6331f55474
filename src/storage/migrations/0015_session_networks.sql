-- The network from which a session was begun, as an HMAC by the server's secret: an IPv4 address or IPv6 /64, and the IPv6
-- /48 around it. So a network that begins too many loses its own. Sessions whose network is not known, such as those of
-- earlier releases, have '' and count as those of one network; '' is also no /48.

ALTER TABLE mcp_sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE mcp_sessions ADD COLUMN wide_network TEXT NOT NULL DEFAULT '';
CREATE INDEX mcp_sessions_network ON mcp_sessions (network, seq);
CREATE INDEX mcp_sessions_wide_network ON mcp_sessions (wide_network, seq) WHERE wide_network <> '';

-- How many sessions each network has, by the /48 where there is one: who has the most loses one when there are too many.
CREATE TABLE mcp_session_counts (
  network TEXT PRIMARY KEY,
  sessions INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mcp_session_counts_sessions ON mcp_session_counts (sessions);

INSERT INTO mcp_session_counts (network, sessions) SELECT '', COUNT(*) FROM mcp_sessions HAVING COUNT(*) > 0;

CREATE TRIGGER mcp_sessions_begun AFTER INSERT ON mcp_sessions BEGIN
  INSERT INTO mcp_session_counts (network, sessions)
    VALUES (CASE NEW.wide_network WHEN '' THEN NEW.network ELSE NEW.wide_network END, 1)
    ON CONFLICT (network) DO UPDATE SET sessions = sessions + 1;
END;
CREATE TRIGGER mcp_sessions_ended AFTER DELETE ON mcp_sessions BEGIN
  UPDATE mcp_session_counts SET sessions = sessions - 1
    WHERE network = CASE OLD.wide_network WHEN '' THEN OLD.network ELSE OLD.wide_network END;
  DELETE FROM mcp_session_counts
    WHERE network = CASE OLD.wide_network WHEN '' THEN OLD.network ELSE OLD.wide_network END AND sessions = 0;
END;
