import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, systemCode, writeFileAtomically } from '@fucina/shared';
import { withLock } from '../../with-lock.ts';

/** What a user said before, in this data folder. */
export interface History {
  /** Oldest first. */
  entries(): readonly string[];
  /** At once here; in the file as soon as it can be. Nothing that begins with a space, nothing twice in a row. */
  add(text: string): void;
  /** Once what was kept is read, and everything that was said is in the file, or could not be put there. */
  settled(): Promise<void>;
}

export interface HistoryNeeds {
  ambient: Pick<Ambient, 'monotonic' | 'timer' | 'log'>;
  /** Once it is known; undefined: nothing is kept over sessions. */
  dataDir: Promise<string | undefined>;
}

const MAX_ENTRIES = 1_000;
/** A longer one is remembered until the screen is left. */
const MAX_KEPT_CHARACTERS = 16_384;

export function createHistory(needs: HistoryNeeds): History {
  let entries: string[] = [];
  const file = needs.dataDir.then(
    (dataDir) => (dataDir === undefined ? undefined : join(dataDir, 'prompt-history.jsonl')),
    () => undefined, // there is no data folder, which is told elsewhere
  );
  let work = begin().catch(failed);

  /** What was kept before comes first, also when it is read after something was said. */
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
      if (text.length <= MAX_KEPT_CHARACTERS) work = work.then(() => keep(text)).catch(failed);
    },
    settled: () => work,
  };
}

/** Read, joined and written under one lock, so that two tools at once keep both their entries. */
function append(file: string, text: string, { ambient }: Pick<HistoryNeeds, 'ambient'>): Promise<void> {
  return withLock(`${file}.lock`, ambient, async () => {
    const kept = await readEntries(file);
    if (kept.at(-1) === text) return;
    const lines = [...kept, text].slice(-MAX_ENTRIES).map((entry) => JSON.stringify(entry));
    await writeFileAtomically(file, `${lines.join('\n')}\n`, { exactMode: 0o600 });
  });
}

/** Lines that cannot be read are passed over. */
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
    // Cut short, or of someone else: the others are still good.
    return undefined;
  }
}
