import type { SqliteDatabase } from '@fucina/shared';

/** A searchable message. */
export interface IndexedMessage {
  /** Sequence of its first event. */
  seq: number;
  /** `giro:<seq>` for a user message, the message's id for the agent's. */
  reference: string;
  text: string;
}

export interface SearchHit {
  sessionId: string;
  seq: number;
  reference: string;
  /** An excerpt around the hit; matches are marked. */
  snippet: readonly { text: string; isHit: boolean }[];
}

/** The full-text index of all sessions; the journals remain the source of truth. */
export interface SearchTable {
  /** Sessions whose journal is ahead of the index, newest first; without those in a turn. */
  behind(): { key: number; through: number }[];
  /** One transaction: adds and removes messages, and records how far the journal was read. */
  advance(key: number, step: { through: number; added: readonly IndexedMessage[]; removed: readonly string[] }): void;
  /** Drops a session's messages: its journal is read again from the beginning. */
  reset(key: number): void;
  /** Best first, at most `limit`. Empty for a text without a word. */
  find(text: string, options: { limit: number; folder?: string }): SearchHit[];
}

const OPEN = '\u0001';
const CLOSE = '\u0002';
const SNIPPET_WORDS = 16;

export function createSearchTable(db: SqliteDatabase): SearchTable {
  const sql = {
    behind: db.prepare<[], { key: number; through: number }>(
      `SELECT key, indexed_through AS through FROM sessions
       WHERE indexed_through < last_seq AND state != 'running' ORDER BY started_at DESC`,
    ),
    add: db.prepare('INSERT OR IGNORE INTO messages (session, seq, reference, text) VALUES (?, ?, ?, ?)'),
    remove: db.prepare('DELETE FROM messages WHERE session = ? AND reference = ?'),
    clear: db.prepare('DELETE FROM messages WHERE session = ?'),
    advance: db.prepare('UPDATE sessions SET indexed_through = ? WHERE key = ?'),
    find: db.prepare<[string, string | null, string | null, number], Omit<SearchHit, 'snippet'> & { snippet: string }>(
      `SELECT sessions.id AS sessionId, messages.seq AS seq, messages.reference AS reference,
         snippet(message_words, 0, '${OPEN}', '${CLOSE}', '…', ${SNIPPET_WORDS}) AS snippet
       FROM message_words
       JOIN messages ON messages.id = message_words.rowid
       JOIN sessions ON sessions.key = messages.session
       WHERE message_words MATCH ? AND (? IS NULL OR json_extract(header, '$.folder') = ?)
       ORDER BY rank LIMIT ?`,
    ),
  };
  const advance = db.transaction((key: number, step: Parameters<SearchTable['advance']>[1]): void => {
    for (const { seq, reference, text } of step.added) sql.add.run(key, seq, reference, text);
    for (const reference of step.removed) sql.remove.run(key, reference);
    sql.advance.run(step.through, key);
  });

  const reset = db.transaction((key: number): void => {
    sql.clear.run(key);
    sql.advance.run(0, key);
  });

  return {
    behind: () => sql.behind.all(),
    advance,
    reset,
    find(text, { limit, folder = null as string | null }) {
      const query = matchQuery(text);
      if (!query) return [];
      return sql.find.all(query, folder, folder, limit).map((hit) => ({ ...hit, snippet: marked(hit.snippet) }));
    },
  };
}

/** All words must match, the last one as a prefix; quoted, so that the text cannot contain query syntax. */
function matchQuery(text: string): string {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .slice(0, 20)
    .map((word, index, all) => `"${word}"${index === all.length - 1 ? '*' : ''}`)
    .join(' ');
}

function marked(snippet: string): SearchHit['snippet'] {
  return snippet
    .split(OPEN)
    .flatMap((part, index) => {
      const [hit = '', rest = ''] = index === 0 ? ['', part] : part.split(CLOSE);
      return [
        { text: hit, isHit: true },
        { text: rest, isHit: false },
      ];
    })
    .filter(({ text }) => text);
}
