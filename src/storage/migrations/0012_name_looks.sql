-- Claimed names by how they look: a name with a character beyond ASCII is compared by its skeleton (names/imitation.ts).

CREATE INDEX names_look ON names (replace(replace(canonical, 'i', 'l'), 'm', 'rn'));
