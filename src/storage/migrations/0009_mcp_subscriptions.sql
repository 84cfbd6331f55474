-- What a session of an MCP client follows, so that it is told after a restart too: a JSON object from URIs to what is
-- announced when the resource changes.

ALTER TABLE mcp_sessions ADD COLUMN subscriptions TEXT NOT NULL DEFAULT '{}';

-- Open rooms by the beginning of their slug, to complete one.
CREATE INDEX rooms_open_slug ON rooms (slug) WHERE visibility = 'public' AND closed_at IS NULL;
