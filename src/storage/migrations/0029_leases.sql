-- Leases: what a claimed name holds in a room so that nobody else changes it (src/rooms/leases).

-- A room in which there has been a lease.
CREATE TABLE lease_rooms (
  room INTEGER PRIMARY KEY REFERENCES rooms (seq),
  -- The number of its latest lease, and of the latest place in its line. Neither comes twice.
  fence INTEGER NOT NULL,
  place INTEGER NOT NULL,
  -- When a lease changed last, in the order of the events of the room. NULL: never.
  changed TEXT
) STRICT;

CREATE TABLE leases (
  room INTEGER NOT NULL REFERENCES lease_rooms (room),
  fence INTEGER NOT NULL,
  -- The canonical form of a claimed name.
  holder TEXT NOT NULL,
  purpose TEXT,
  -- Steady times.
  taken TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (room, fence)
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_of_name ON leases (holder, room);
CREATE INDEX leases_expired ON leases (expires);

CREATE TABLE leased_paths (
  room INTEGER NOT NULL,
  path TEXT NOT NULL,
  fence INTEGER NOT NULL,
  PRIMARY KEY (room, path, fence),
  FOREIGN KEY (room, fence) REFERENCES leases (room, fence) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX leased_paths_of_lease ON leased_paths (room, fence);

-- The places of names in line for paths that are not free.
CREATE TABLE lease_places (
  room INTEGER NOT NULL REFERENCES lease_rooms (room),
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- Of the paths: a name has one place for the same ones.
  paths_sha256 TEXT NOT NULL,
  -- Steady time.
  expires TEXT NOT NULL,
  PRIMARY KEY (room, place)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lease_places_of_name ON lease_places (name, room, paths_sha256);
CREATE INDEX lease_places_expired ON lease_places (expires);

CREATE TABLE awaited_paths (
  room INTEGER NOT NULL,
  path TEXT NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (room, path, place),
  FOREIGN KEY (room, place) REFERENCES lease_places (room, place) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX awaited_paths_of_place ON awaited_paths (room, place);
