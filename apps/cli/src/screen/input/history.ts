import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, systemCode, writeFileAtomically } from '@fucina/shared';
import { withLock } from '../../with-lock.ts';

/** Earlier messages of the user, in this data folder. */
export interface History {
  /** Oldest first. */
  entries(): readonly string[];
  /**
   * Adds it at once in memory, and to the file when possible. Ignores entries that begin with a space, and repetitions.
   */
  add(text: string): void;
  /** Resolves when the stored history is read, and all entries are written or failed to be. */
  settled(): Promise<void>;
}

export interface HistoryNeeds {
  ambient: Pick<Ambient, 'monotonic' | 'timer' | 'log'>;
  /** Once it is known; undefined: not stored across sessions. */
  dataDir: Promise<string | undefined>;
}

const MAX_ENTRIES = 1_000;
/** A longer entry is not stored in the file. */
const MAX_STORED_CHARACTERS = 16_384;

export function createHistory(needs: HistoryNeeds): History {
  let entries: string[] = [];
  const file = needs.dataDir.then(
    (dataDir) => (dataDir === undefined ? undefined : join(dataDir, 'prompt-history.jsonl')),
    () => undefined, // there is no data folder, which is reported elsewhere
  );
  let work = begin().catch(failed);

  /** Stored entries come first, even when they are read after a new one was added. */
  async function begin(): Promise<void> {
    const path = await file;
    if (path !== undefined) entries = [...(await readEntries(path)), ...entries];
  }
  async function keep(text: string): Promise<void> {
    const path = await file;
    if (path !== undefined) await append(path, text, needs);
  }
  function failed(error: unknown): void {
    needs.ambient.log.warn('history.not-kept', { error });
  }

  return {
    entries: () => entries,
    add(text) {
      if (text.trim() === '' || text.startsWith(' ') || entries.at(-1) === text) return;
      entries.push(text);
      if (entries.length > MAX_ENTRIES) entries.shift();
      if (text.length <= MAX_STORED_CHARACTERS) work = work.then(() => keep(text)).catch(failed);
    },
    settled: () => work,
  };
}

/** Read, merged and written under one lock, so that two processes preserve each other's entries. */
function append(file: string, text: string, { ambient }: Pick<HistoryNeeds, 'ambient'>): Promise<void> {
  return withLock(`${file}.lock`, ambient, async () => {
    const kept = await readEntries(file);
    if (kept.at(-1) === text) return;
    const lines = [...kept, text].slice(-MAX_ENTRIES).map((entry) => JSON.stringify(entry));
    await writeFileAtomically(file, `${lines.join('\n')}\n`, { exactMode: 0o600 });
  });
}

/** Skips invalid lines. */
async function readEntries(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const entry = line === '' ? undefined : entryOf(line);
    return entry === undefined ? [] : [entry];
  });
}

function entryOf(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? entry : undefined;
  } catch {
    // Truncated, or in another format: the others are still valid.
    return undefined;
  }
}
