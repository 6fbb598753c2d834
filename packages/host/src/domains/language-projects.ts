import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, once, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';

/** Folders in which a language server has run, remembered across restarts. */
export interface LanguageProjects {
  has(folder: string): Promise<boolean>;
  /** Resolves when it is on disk, or could not be written. */
  add(folder: string): Promise<void>;
}

const kept = once(() => z.array(z.string()).max(10_000));
const MAX_FOLDERS = 500;

export function createLanguageProjects({ ambient, dataDir }: { ambient: Ambient; dataDir: string }): LanguageProjects {
  const file = join(dataDir, 'language', 'projects.json');
  const read = once(async (): Promise<Set<string>> => {
    try {
      return new Set(kept().parse(JSON.parse(await readFile(file, 'utf8'))));
    } catch (error) {
      // It only says which tools are offered: what is unreadable is written anew.
      if (systemCode(error) !== 'ENOENT') ambient.log.warn('language-projects.not-read', { error });
      return new Set();
    }
  });
  let writing: Promise<void> = Promise.resolve();
  const write = async (folders: readonly string[]): Promise<void> => {
    try {
      await mkdir(join(dataDir, 'language'), { recursive: true, mode: 0o700 });
      await writeFileAtomically(file, JSON.stringify(folders));
    } catch (error) {
      ambient.log.warn('language-projects.not-kept', { error });
    }
  };
  return {
    has: async (folder) => (await read()).has(folder),
    async add(folder) {
      const folders = await read();
      if (folders.has(folder)) return;
      folders.add(folder);
      const newest = [...folders].slice(-MAX_FOLDERS);
      writing = writing.then(() => write(newest));
      await writing;
    },
  };
}
