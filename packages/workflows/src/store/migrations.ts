/**
 * workflows.db. Definitions and runs are rows, so that a graph of 100,000 steps is paged and never read whole. `ord` is
 * the position of a step or an edge in its definition: dense, from 0, the same in every run. Constant statistics
 * (counts per phase, links between phases, adjacency) are computed once, when the definition is written.
 */
export const MIGRATIONS = [
  `CREATE TABLE definitions (
     key INTEGER PRIMARY KEY,
     workflow_id TEXT NOT NULL,
     version INTEGER NOT NULL,
     session_id TEXT NOT NULL,
     definition_hash TEXT NOT NULL,
     title TEXT NOT NULL,
     head TEXT NOT NULL,                     -- canonical JSON of the core without nodes and edges
     proposal TEXT NOT NULL,                 -- JSON {initiatingSessionId, createdAt, plannerModel, sessionModel}
     preflight TEXT NOT NULL,                -- JSON {errors, warnings, estimates}
     phase_source TEXT NOT NULL,             -- explicit | legacy-unassigned
     total_nodes INTEGER NOT NULL,
     total_edges INTEGER NOT NULL,
     writers INTEGER,
     downstream BLOB NOT NULL,               -- adjacency.ts: who follows whom, retry edges left out
     upstream BLOB NOT NULL,
     previous_version INTEGER,
     revision_hash TEXT,                     -- of {previous version, budgets}: the same revision finds this version
     created_at INTEGER NOT NULL,
     UNIQUE (workflow_id, version)
   ) STRICT;
   CREATE INDEX definitions_by_session ON definitions (session_id, created_at DESC, key DESC);
   CREATE TABLE definition_phases (
     definition INTEGER NOT NULL REFERENCES definitions ON DELETE CASCADE,
     ord INTEGER NOT NULL,
     phase_id TEXT NOT NULL,
     label TEXT NOT NULL,
     total INTEGER NOT NULL,
     roles TEXT NOT NULL,                    -- JSON {role: n}
     kinds TEXT NOT NULL,                    -- JSON {kind: n}
     PRIMARY KEY (definition, ord)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE definition_links (
     definition INTEGER NOT NULL REFERENCES definitions ON DELETE CASCADE,
     from_phase INTEGER NOT NULL,
     to_phase INTEGER NOT NULL,              -- the same: edges inside a phase
     total INTEGER NOT NULL,
     types TEXT NOT NULL,                    -- JSON {edge type: n}
     PRIMARY KEY (definition, from_phase, to_phase)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE definition_nodes (
     definition INTEGER NOT NULL REFERENCES definitions ON DELETE CASCADE,
     ord INTEGER NOT NULL,
     node_id TEXT NOT NULL,
     phase INTEGER NOT NULL,                 -- definition_phases.ord
     label TEXT NOT NULL,
     kind TEXT NOT NULL,
     role TEXT NOT NULL,
     priority INTEGER NOT NULL,
     dependencies INTEGER NOT NULL,          -- edges that arrive, retry edges left out
     children INTEGER NOT NULL,              -- spawn edges that leave
     body TEXT NOT NULL,                     -- canonical JSON of the whole node
     PRIMARY KEY (definition, ord)
   ) STRICT, WITHOUT ROWID;
   CREATE UNIQUE INDEX definition_nodes_by_id ON definition_nodes (definition, node_id);
   CREATE INDEX definition_nodes_by_phase ON definition_nodes (definition, phase, ord);
   CREATE TABLE definition_edges (
     definition INTEGER NOT NULL REFERENCES definitions ON DELETE CASCADE,
     ord INTEGER NOT NULL,
     edge_id TEXT NOT NULL,
     from_ord INTEGER NOT NULL,
     to_ord INTEGER NOT NULL,
     from_phase INTEGER NOT NULL,
     to_phase INTEGER NOT NULL,
     type TEXT NOT NULL,
     rules TEXT,                             -- canonical JSON {condition, mapping}; null when it has neither
     PRIMARY KEY (definition, ord)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX definition_edges_to ON definition_edges (definition, to_ord, ord);
   -- Those with a condition alone: canonical JSON has it first.
   CREATE INDEX definition_edges_conditional ON definition_edges (definition, from_ord)
     WHERE substr(rules, 1, 14) = '{"condition":{';
   CREATE INDEX definition_edges_by_phase ON definition_edges (definition, from_phase, to_phase, ord);
   CREATE TABLE approvals (
     definition INTEGER PRIMARY KEY REFERENCES definitions ON DELETE CASCADE,
     command_id TEXT NOT NULL,
     approved_at INTEGER NOT NULL
   ) STRICT;`,

  `CREATE TABLE runs (
     key INTEGER PRIMARY KEY,
     run_id TEXT NOT NULL UNIQUE,
     definition INTEGER NOT NULL UNIQUE REFERENCES definitions ON DELETE CASCADE,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     pause_requested INTEGER NOT NULL DEFAULT 0,
     cancel_requested INTEGER NOT NULL DEFAULT 0,
     reason TEXT,                            -- why it needs attention
     graph_version INTEGER NOT NULL DEFAULT 1,
     last_seq INTEGER NOT NULL DEFAULT 0,
     last_at INTEGER NOT NULL,               -- of the last fact
     terminated INTEGER NOT NULL DEFAULT 0,
     attention INTEGER NOT NULL DEFAULT 0,
     history_length INTEGER NOT NULL DEFAULT 0,
     outcome_seq INTEGER NOT NULL DEFAULT 0, -- the fact by which it ended or began to need attention
     told_seq INTEGER NOT NULL DEFAULT 0,    -- the last of those that its session was told of
     created_at INTEGER NOT NULL,
     started_at INTEGER,
     finished_at INTEGER
   ) STRICT;
   CREATE INDEX runs_untold ON runs (key) WHERE told_seq < outcome_seq;
   CREATE INDEX runs_by_session ON runs (session_id, created_at DESC, key DESC);
   CREATE INDEX runs_unfinished ON runs (status) WHERE status NOT IN ('succeeded', 'failed', 'cancelled');
   CREATE TABLE run_nodes (
     run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
     ord INTEGER NOT NULL,
     phase INTEGER NOT NULL,
     state TEXT NOT NULL,
     rank INTEGER NOT NULL,                  -- of the state, for sort=stato
     priority INTEGER NOT NULL,
     waits_for INTEGER NOT NULL,             -- dependencies that have not been settled
     skips INTEGER NOT NULL DEFAULT 0,       -- dependencies that were not taken
     attempt INTEGER NOT NULL DEFAULT 0,
     retries INTEGER NOT NULL DEFAULT 0,     -- attempts since the person last asked for a retry, less one
     changed_seq INTEGER NOT NULL DEFAULT 0, -- the last fact about this step
     updated_at INTEGER,
     started_at INTEGER,
     finished_at INTEGER,
     due_at INTEGER,                         -- when a waiting retry is due
     lease_epoch INTEGER NOT NULL DEFAULT 0,
     lease_id TEXT,
     execution_id TEXT,                      -- of the activity in flight
     step_session_id TEXT,
     provider TEXT,
     model TEXT,
     error_class TEXT,
     PRIMARY KEY (run, ord)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX run_nodes_by_phase ON run_nodes (run, phase, state);
   CREATE INDEX run_nodes_by_rank ON run_nodes (run, phase, rank, ord);
   CREATE INDEX run_nodes_ready ON run_nodes (run, priority DESC, ord) WHERE state = 'ready';
   CREATE INDEX run_nodes_due ON run_nodes (run, due_at) WHERE state = 'retry_wait';
   CREATE INDEX run_nodes_active ON run_nodes (run, ord) WHERE state IN ('leased', 'running', 'reconciling', 'uncertain');
   CREATE INDEX run_nodes_failed ON run_nodes (run, ord) WHERE state = 'failed';
   CREATE INDEX run_nodes_models ON run_nodes (run, model) WHERE model IS NOT NULL;
   CREATE INDEX run_nodes_changed ON run_nodes (run, changed_seq) WHERE changed_seq > 0;
   CREATE TABLE run_events (
     run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     at INTEGER NOT NULL,
     type TEXT NOT NULL,
     node INTEGER,                           -- run_nodes.ord
     envelope TEXT NOT NULL,                 -- JSON of what is left of the envelope, payload included
     PRIMARY KEY (run, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE run_history (
     run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
     position INTEGER NOT NULL,              -- dense, from 0
     seq INTEGER NOT NULL,
     at INTEGER NOT NULL,
     node INTEGER,                           -- null: a state of the run itself
     state TEXT NOT NULL,
     PRIMARY KEY (run, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE run_budgets (
     run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
     name TEXT NOT NULL,                     -- one of the nine
     reserved REAL NOT NULL DEFAULT 0,
     used REAL NOT NULL DEFAULT 0,
     PRIMARY KEY (run, name)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE run_reservations (
     run INTEGER NOT NULL,
     node INTEGER NOT NULL,
     execution_id TEXT NOT NULL,
     amounts TEXT NOT NULL,                  -- JSON {budget key: reserved}
     PRIMARY KEY (run, node),
     FOREIGN KEY (run, node) REFERENCES run_nodes (run, ord) ON DELETE CASCADE
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE run_results (
     run INTEGER NOT NULL,
     node INTEGER NOT NULL,
     position INTEGER NOT NULL,              -- among the results of the step, from 0
     result_id TEXT NOT NULL UNIQUE,
     sha256 TEXT NOT NULL,                   -- of the bytes, 64 hex, no prefix
     bytes INTEGER NOT NULL,
     kind TEXT NOT NULL,
     content_type TEXT NOT NULL,
     ref TEXT NOT NULL,                      -- JSON of the whole result ref
     PRIMARY KEY (run, node, position),
     FOREIGN KEY (run, node) REFERENCES run_nodes (run, ord) ON DELETE CASCADE
   ) STRICT;
   CREATE INDEX run_results_by_content ON run_results (sha256);
   CREATE TABLE commands (
     command_id TEXT PRIMARY KEY,
     command_type TEXT NOT NULL,
     payload_hash TEXT NOT NULL,
     workflow_id TEXT NOT NULL,
     version INTEGER NOT NULL,
     receipt TEXT NOT NULL                   -- JSON, the answer given again to a repetition
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX commands_by_definition ON commands (workflow_id, version);
   CREATE TABLE circuits (
     provider TEXT PRIMARY KEY,
     state TEXT NOT NULL,                    -- closed | open | half_open
     failures INTEGER NOT NULL,
     until INTEGER                           -- when an open one lets one attempt through
   ) STRICT, WITHOUT ROWID;`,
  // The bytes of a small result; null when they are in their own file.
  `ALTER TABLE run_results ADD COLUMN content BLOB;`,
];
