-- Names by how they look, and what distinguishes the sessions of a name.

-- What names that look alike have in common (lookKey in src/names/imitation.ts). Each name until now is in ASCII.
ALTER TABLE names ADD COLUMN look TEXT COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX names_look;
UPDATE names SET look = replace(replace(canonical, 'i', 'l'), 'm', 'rn');
CREATE INDEX names_look ON names (look);

-- The program and the network that signed in; NULL if unknown.
ALTER TABLE sessions ADD COLUMN browser TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN network TEXT COLLATE "C";
