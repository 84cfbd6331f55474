-- A session belongs to an MCP address: '/mcp' has all tools, '/mcp/meet' those of rooms, '/mcp/meet/SLUG' those of one room.

ALTER TABLE mcp_sessions RENAME COLUMN room TO address;
UPDATE mcp_sessions SET address = CASE address WHEN '' THEN '/mcp/meet' ELSE '/mcp/meet/' || address END;
