import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderInside, readFileInside, withFolderInside, writeFileInside } from '@fucina/shared';
import { libraryError } from '../errors.ts';
import { isAbsent, isOwnId, keepOutOfGit, ownIds, removeOwn } from '../own-folder.ts';
import { type JournalEvent, readJournal } from './journal.ts';
import { type ResearchMeta, readResearchMeta } from './meta.ts';

/** The folder of research reports in a project. */
const FOLDER = '.svc/research';
const META_BYTES = 64 * 1024;
const JOURNAL_BYTES = 64 * 1024 * 1024;
const TEXT_BYTES = 4 * 1024 * 1024;
const APPENDING = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** The files of one report: its record, its journal, the plan, the texts of its sources and the report. */
export interface ResearchFiles {
  /** Undefined when there is none; RESEARCH_INVALID for an invalid id or damage. */
  meta(): Promise<ResearchMeta | undefined>;
  saveMeta(meta: ResearchMeta): Promise<void>;
  journal(): Promise<{ events: JournalEvent[]; skipped: number }>;
  /** On disk when it resolves. */
  append(events: readonly JournalEvent[]): Promise<void>;
  savePlan(plan: unknown): Promise<void>;
  /** Stored once under its hash, which is returned. */
  saveSource(text: string): Promise<string>;
  source(sha256: string): Promise<string | undefined>;
  report(): Promise<string | undefined>;
  saveReport(text: string): Promise<void>;
  remove(): Promise<void>;
}

export function checkedResearchId(id: string): string {
  if (!isOwnId(id)) throw libraryError('RESEARCH_INVALID', { reason: 'research-id' });
  return id;
}

export const researchIds = (project: string): Promise<string[]> => ownIds(project, FOLDER);

export function researchFiles(project: string, id: string): ResearchFiles {
  const folder = `${FOLDER}/${checkedResearchId(id)}`;
  const readText = async (path: string, limit: number): Promise<string | undefined> => {
    try {
      return (await readFileInside(project, `${folder}/${path}`, limit)).bytes.toString('utf8');
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };
  const write = async (path: string, data: string): Promise<void> => {
    await writeFileInside(project, `${folder}/${path}`, { data, createFolders: true });
  };
  return {
    async meta() {
      const text = await readText('meta.json', META_BYTES);
      if (text === undefined) return undefined;
      const meta = readResearchMeta(text, id);
      if (!meta) throw libraryError('RESEARCH_INVALID', { reason: 'metadata', details: { id } });
      return meta;
    },
    async saveMeta(meta) {
      await createFolderInside(project, folder, { recursive: true });
      await keepOutOfGit(project, FOLDER);
      await write('meta.json', `${JSON.stringify(meta, null, 2)}\n`);
    },
    journal: async () => readJournal((await readText('giornale.jsonl', JOURNAL_BYTES)) ?? ''),
    append: (events) =>
      withFolderInside(project, folder, async (place) => {
        const file = await open(join(place, 'giornale.jsonl'), APPENDING, 0o600);
        try {
          // After an incomplete line, the next entry starts on its own line.
          await file.appendFile(events.map((event) => `\n${JSON.stringify(event)}\n`).join(''));
          await file.sync();
        } finally {
          await file.close();
        }
      }),
    savePlan: (plan) => write('piano.json', `${JSON.stringify(plan, null, 2)}\n`),
    async saveSource(text) {
      const sha256 = createHash('sha256').update(text).digest('hex');
      await write(`fonti/${sha256}.txt`, text);
      return sha256;
    },
    source: (sha256) => readText(`fonti/${sha256}.txt`, TEXT_BYTES),
    report: () => readText('rapporto.md', TEXT_BYTES),
    saveReport: (text) => write('rapporto.md', text),
    remove: () => removeOwn(project, FOLDER, id),
  };
}
