import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Ambient, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';

/** Which formatters the user turned on, by project. */
export interface FormatterChoices {
  isOn(folder: string, id: string): Promise<boolean>;
  /** Resolves when it is on disk. */
  turn(folder: string, id: string, isOn: boolean): Promise<void>;
}

const stored = z.array(z.strictObject({ folder: z.string(), ids: z.array(z.string()) })).max(10_000);
type Stored = z.infer<typeof stored>;

/** Read again each time: the server and the command line share the file. */
export function createFormatterChoices(ambient: Ambient, file: string): FormatterChoices {
  let writing: Promise<unknown> = Promise.resolve();
  const read = async (): Promise<Stored> => {
    try {
      return stored.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch (error) {
      // Off is the safe choice: what is unreadable is written anew by the next one.
      if (systemCode(error) !== 'ENOENT') ambient.log.warn('formatters.not-read', { error });
      return [];
    }
  };
  const write = async (folder: string, id: string, isOn: boolean): Promise<void> => {
    const all = await read();
    const before = all.find((one) => one.folder === folder)?.ids ?? [];
    const ids = [...before.filter((one) => one !== id), ...(isOn ? [id] : [])];
    const others = all.filter((one) => one.folder !== folder);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomically(file, JSON.stringify(ids.length > 0 ? [...others, { folder, ids }] : others));
  };
  return {
    isOn: async (folder, id) => (await read()).some((one) => one.folder === folder && one.ids.includes(id)),
    turn(folder, id, isOn) {
      const written = writing.then(() => write(folder, id, isOn));
      writing = written.catch(() => undefined); // reported to the caller
      return written;
    },
  };
}
