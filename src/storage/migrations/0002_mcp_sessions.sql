-- Sessions of MCP clients (protocol 2025-11-25 and older), so that they outlive a restart.

CREATE TABLE mcp_sessions (
  -- The order of use: a session that is used moves to the end, and the first ones make room.
  seq INTEGER PRIMARY KEY,
  id_sha256 TEXT NOT NULL UNIQUE,
  -- The room whose address the session was begun at; '' is the lobby.
  room TEXT NOT NULL,
  -- What the client said when it began, as JSON.
  handshake TEXT NOT NULL,
  used TEXT NOT NULL
) STRICT;

CREATE INDEX mcp_sessions_used ON mcp_sessions (used);
