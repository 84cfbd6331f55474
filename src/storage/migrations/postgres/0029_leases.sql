-- Leases: what a claimed name holds in a room so that nobody else changes it (src/rooms/leases).

-- A room in which there has been a lease.
CREATE TABLE lease_rooms (
  room BIGINT PRIMARY KEY REFERENCES rooms (seq),
  -- The number of its latest lease, and of the latest place in its line. Neither comes twice.
  fence BIGINT NOT NULL,
  place BIGINT NOT NULL,
  -- When a lease changed last, in the order of the events of the room. NULL: never.
  changed TEXT COLLATE "C"
);

CREATE TABLE leases (
  room BIGINT NOT NULL REFERENCES lease_rooms (room),
  fence BIGINT NOT NULL,
  -- The canonical form of a claimed name.
  holder TEXT COLLATE "C" NOT NULL,
  purpose TEXT COLLATE "C",
  -- Steady times.
  taken TEXT COLLATE "C" NOT NULL,
  expires TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (room, fence)
);
CREATE INDEX leases_of_name ON leases (holder, room);
CREATE INDEX leases_expired ON leases (expires);

CREATE TABLE leased_paths (
  room BIGINT NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  fence BIGINT NOT NULL,
  PRIMARY KEY (room, path, fence),
  FOREIGN KEY (room, fence) REFERENCES leases (room, fence) ON DELETE CASCADE
);
CREATE INDEX leased_paths_of_lease ON leased_paths (room, fence);

-- The places of names in line for paths that are not free.
CREATE TABLE lease_places (
  room BIGINT NOT NULL REFERENCES lease_rooms (room),
  place BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  -- Of the paths: a name has one place for the same ones.
  paths_sha256 TEXT COLLATE "C" NOT NULL,
  -- Steady time.
  expires TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (room, place)
);
CREATE UNIQUE INDEX lease_places_of_name ON lease_places (name, room, paths_sha256);
CREATE INDEX lease_places_expired ON lease_places (expires);

CREATE TABLE awaited_paths (
  room BIGINT NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  place BIGINT NOT NULL,
  PRIMARY KEY (room, path, place),
  FOREIGN KEY (room, place) REFERENCES lease_places (room, place) ON DELETE CASCADE
);
CREATE INDEX awaited_paths_of_place ON awaited_paths (room, place);
