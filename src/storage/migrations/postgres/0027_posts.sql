-- Posts in half of the space, as in SQLite: see there. Nodes of earlier releases must be stopped first.

UPDATE notes SET content = jsonb_set(content::jsonb, '{n}', to_jsonb(posts.n))::text
  FROM posts WHERE notes.room IS NOT NULL AND posts.id = notes.content::jsonb ->> 'post';
UPDATE notes SET content = jsonb_set(content::jsonb, '{first,n}', to_jsonb(posts.n))::text
  FROM posts WHERE notes.room IS NOT NULL AND posts.id = notes.content::jsonb #>> '{first,post}';
UPDATE notes SET content = jsonb_set(content::jsonb, '{last,n}', to_jsonb(posts.n))::text
  FROM posts WHERE notes.room IS NOT NULL AND posts.id = notes.content::jsonb #>> '{last,post}';

ALTER TABLE posts
  DROP CONSTRAINT posts_id_key,
  DROP CONSTRAINT posts_room_ts_key,
  ALTER COLUMN id TYPE UUID USING id::uuid,
  ALTER COLUMN in_reply_to TYPE UUID USING in_reply_to::uuid,
  ALTER COLUMN salt TYPE UUID USING salt::uuid,
  ALTER COLUMN ts TYPE BIGINT USING EXTRACT(EPOCH FROM ts::timestamptz) * 1000,
  ALTER COLUMN redacted_at TYPE BIGINT USING EXTRACT(EPOCH FROM redacted_at::timestamptz) * 1000,
  ALTER COLUMN n DROP DEFAULT,
  -- Stored posts keep an index of their ids: whether the times in these lead to them is not computed.
  ADD COLUMN id_indexed INTEGER NOT NULL DEFAULT 1 CHECK (id_indexed IN (0, 1));
ALTER TABLE posts ALTER COLUMN id_indexed DROP DEFAULT;
CREATE INDEX posts_id ON posts (id) WHERE id_indexed = 1;
