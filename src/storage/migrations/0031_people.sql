-- Names by how they look, and what distinguishes the sessions of a name.

-- What names that look alike have in common (lookKey in src/names/imitation.ts). Each name until now is in ASCII.
ALTER TABLE names ADD COLUMN look TEXT NOT NULL DEFAULT '';
DROP INDEX names_look;
UPDATE names SET look = replace(replace(canonical, 'i', 'l'), 'm', 'rn');
CREATE INDEX names_look ON names (look);

-- 1: the name is not in ASCII, and looks like one that is. There are few, so posts under names in ASCII look for their like.
ALTER TABLE names ADD COLUMN looks_ascii INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX names_looking_ascii ON names (look) WHERE looks_ascii = 1;

-- Case folding as of this version (src/names/canonical.ts).
UPDATE name_rules SET canonical = replace(replace(replace(canonical, 'ß', 'ss'), 'ς', 'σ'), 'ı', 'i')
  WHERE canonical <> replace(replace(replace(canonical, 'ß', 'ss'), 'ς', 'σ'), 'ı', 'i') AND NOT EXISTS (
    SELECT 1 FROM name_rules AS other WHERE other.rule = name_rules.rule
      AND other.canonical = replace(replace(replace(name_rules.canonical, 'ß', 'ss'), 'ς', 'σ'), 'ı', 'i'));

-- The program and the network that signed in; NULL if unknown.
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN network TEXT;

-- The jobs of a name by the time of the receipt for each: the offer, the delivery, the acceptance.
CREATE INDEX jobs_posted_at ON jobs (poster, created);
CREATE INDEX jobs_delivered_at ON jobs (holder, delivered_at) WHERE state = 'delivered';
CREATE INDEX jobs_had_accepted ON jobs (holder, reviewed_at) WHERE verdict = 'accepted';
CREATE INDEX jobs_accepted ON jobs (poster, reviewed_at) WHERE verdict = 'accepted';
