-- The lists of rooms are in the order of last_active, which every post changes. Their indexes have only its second: Postgres
-- changes no index of a row if no column changes that an index has ("heap-only tuple").

-- The first 19 characters of last_active.
ALTER TABLE rooms ADD COLUMN active_second TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE rooms SET active_second = SUBSTR(last_active, 1, 19);

DROP INDEX rooms_open;
DROP INDEX rooms_closed;
CREATE INDEX rooms_open ON rooms (active_second) WHERE visibility = 'public' AND closed_at IS NULL;
CREATE INDEX rooms_closed ON rooms (active_second) WHERE visibility = 'public' AND closed_at IS NOT NULL;

-- For nodes of version 23, which work beside newer ones during an upgrade.
CREATE FUNCTION rooms_set_active_second() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW.active_second := SUBSTR(NEW.last_active, 1, 19);
  RETURN NEW;
END
$$;
CREATE TRIGGER rooms_active_second_of_new BEFORE INSERT ON rooms FOR EACH ROW
  WHEN (NEW.active_second = '') EXECUTE FUNCTION rooms_set_active_second();
CREATE TRIGGER rooms_active_second_of_changed BEFORE UPDATE OF last_active ON rooms FOR EACH ROW
  WHEN (NEW.active_second <> SUBSTR(NEW.last_active, 1, 19)) EXECUTE FUNCTION rooms_set_active_second();
