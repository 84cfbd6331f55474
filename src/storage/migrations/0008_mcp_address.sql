-- A session belongs to an MCP address, of which those of rooms are only some: '/mcp' is the house, '/mcp/meet' the lobby.

ALTER TABLE mcp_sessions RENAME COLUMN room TO address;
UPDATE mcp_sessions SET address = CASE address WHEN '' THEN '/mcp/meet' ELSE '/mcp/meet/' || address END;
