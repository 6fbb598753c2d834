/**
 * `revision` increases with every change of a session. `fold` caches the facts of the list row; `events` is the source
 * of truth. `vendor_values` (first called `proofs`) stores opaque values for providers.
 * `root` is the key of the root session of a child, null for a root; `timeline` orders the events of its sub-agents.
 * `usage_calls` and `usage_turns` are what model calls used and how long turns of root sessions took. `usage-log.ts` writes
 * them in the transaction of the event; they stay when a session is deleted, and copies of a session (events from before its
 * start) add nothing.
 * `messages` and `message_words` are the search index; they are derived from the journal and can be rebuilt.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
     key INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     started_at INTEGER NOT NULL,
     header TEXT NOT NULL,
     settings TEXT NOT NULL,
     name TEXT,
     state TEXT NOT NULL CHECK (state IN ('running', 'concluded', 'interrupted')),
     fold TEXT NOT NULL,
     last_seq INTEGER NOT NULL,
     lease TEXT,
     revision INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX sessions_by_start ON sessions (started_at DESC, key DESC, revision);
   CREATE INDEX sessions_running ON sessions (state) WHERE state = 'running';
   CREATE TABLE events (
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     at INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE proofs (
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     message_id TEXT NOT NULL,
     provider TEXT NOT NULL,
     data TEXT NOT NULL,
     PRIMARY KEY (session, message_id)
   ) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE sessions ADD COLUMN parent INTEGER REFERENCES sessions (key) ON DELETE CASCADE;
   ALTER TABLE sessions ADD COLUMN root INTEGER;
   ALTER TABLE sessions ADD COLUMN queue_paused INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
   CREATE TABLE queue (
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     id TEXT NOT NULL,
     message TEXT NOT NULL,
     PRIMARY KEY (session, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE timeline (
     root INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     source_seq INTEGER NOT NULL,
     PRIMARY KEY (root, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX timeline_by_session ON timeline (session);
   CREATE TABLE compactions (
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     at TEXT NOT NULL,
     covered_through INTEGER NOT NULL,
     text TEXT NOT NULL,
     tokens_before INTEGER NOT NULL,
     tokens_after INTEGER NOT NULL,
     model TEXT NOT NULL,
     reason TEXT NOT NULL,
     is_undoable INTEGER NOT NULL,
     is_undone INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (session, at)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE INDEX events_with_images ON events (session) WHERE instr(json, '"immagini":') > 0;`,
  `ALTER TABLE sessions ADD COLUMN indexed_through INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE messages (
     id INTEGER PRIMARY KEY,
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     reference TEXT NOT NULL,
     text TEXT NOT NULL,
     UNIQUE (session, reference)
   ) STRICT;
   CREATE VIRTUAL TABLE message_words USING fts5 (
     text, content = 'messages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
   );
   CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
     INSERT INTO message_words (rowid, text) VALUES (new.id, new.text);
   END;
   CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
     INSERT INTO message_words (message_words, rowid, text) VALUES ('delete', old.id, old.text);
   END;`,
  `CREATE INDEX events_of_turns ON events (session, seq)
     WHERE substr(json, 1, 20) IN ('{"type":"RunStarted"', '{"type":"StateDelta"');`,
  `CREATE TABLE usage_calls (
     at INTEGER NOT NULL,
     session TEXT NOT NULL,
     root TEXT NOT NULL,
     folder TEXT NOT NULL,
     model TEXT NOT NULL,
     prompt INTEGER NOT NULL,
     completion INTEGER NOT NULL,
     cached INTEGER NOT NULL,
     usd REAL
   ) STRICT;
   CREATE INDEX usage_calls_by_time ON usage_calls (at);
   CREATE INDEX usage_calls_by_root ON usage_calls (root);
   CREATE TABLE usage_turns (
     at INTEGER NOT NULL,
     ms INTEGER NOT NULL,
     session TEXT NOT NULL,
     folder TEXT NOT NULL,
     model TEXT NOT NULL
   ) STRICT;
   CREATE INDEX usage_turns_by_time ON usage_turns (at);
   CREATE TABLE usage_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE VIEW usage_receipts AS
     SELECT e.session AS key, e.seq, e.at, s.id AS session, r.id AS root, json_extract(s.header, '$.folder') AS folder,
       coalesce(json_extract(e.json, '$.value.modello'), '') AS model,
       coalesce(json_extract(e.json, '$.value.usage.prompt_tokens'), 0) AS prompt,
       coalesce(json_extract(e.json, '$.value.usage.completion_tokens'), 0) AS completion,
       coalesce(json_extract(e.json, '$.value.usage.cached_tokens'), 0) AS cached,
       json_extract(e.json, '$.value.costoDichiarato') AS usd
     FROM events e JOIN sessions s ON s.key = e.session JOIN sessions r ON r.key = coalesce(s.root, s.key)
     WHERE substr(e.json, 1, 46) = '{"type":"CUSTOM","name":"svc.ricevuta-consumo"' AND e.at >= s.started_at;
   CREATE VIEW usage_endings AS
     SELECT e.session AS key, e.seq, b.at, e.at - b.at AS ms, s.id AS session,
       json_extract(s.header, '$.folder') AS folder, coalesce(json_extract(s.settings, '$.model'), '') AS model
     FROM events e JOIN sessions s ON s.key = e.session AND s.parent IS NULL
     JOIN events b ON b.session = e.session AND b.seq = (
       SELECT max(seq) FROM events WHERE session = e.session AND seq < e.seq AND
         substr(json, 1, 20) IN ('{"type":"RunStarted"', '{"type":"StateDelta"') AND json LIKE '{"type":"RunStarted"%')
     WHERE substr(e.json, 1, 17) IN ('{"type":"RunFinis', '{"type":"RunError') AND b.at >= s.started_at;
   INSERT INTO usage_calls SELECT at, session, root, folder, model, prompt, completion, cached, usd FROM usage_receipts;
   INSERT INTO usage_turns SELECT at, ms, session, folder, model FROM usage_endings;
   CREATE TRIGGER usage_call AFTER INSERT ON events
   WHEN substr(NEW.json, 1, 46) = '{"type":"CUSTOM","name":"svc.ricevuta-consumo"' BEGIN
     INSERT INTO usage_calls SELECT at, session, root, folder, model, prompt, completion, cached, usd
       FROM usage_receipts WHERE key = NEW.session AND seq = NEW.seq;
   END;
   CREATE TRIGGER usage_turn AFTER INSERT ON events
   WHEN substr(NEW.json, 1, 17) IN ('{"type":"RunFinis', '{"type":"RunError') BEGIN
     INSERT INTO usage_turns SELECT at, ms, session, folder, model
       FROM usage_endings WHERE key = NEW.session AND seq = NEW.seq;
   END;`,
  // A trigger's condition is evaluated for every delta: the store notes usage itself.
  `DROP TRIGGER usage_call;
   DROP TRIGGER usage_turn;`,
  `ALTER TABLE proofs RENAME TO vendor_values;
   ALTER TABLE vendor_values RENAME COLUMN message_id TO part_id;
   ALTER TABLE vendor_values ADD COLUMN model TEXT NOT NULL DEFAULT '';`,
];
