import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import { placeName, type Reference } from './reference.ts';

/** Which extensions of a kind the user turned off, outside of the projects: also those that a project declares. */
export interface Switches {
  isOn(reference: Reference): Promise<boolean>;
  turn(reference: Reference, isOn: boolean): Promise<void>;
}

export function createSwitches(dataDir: string, kind: 'hooks' | 'plugins' | 'skills'): Switches {
  const folderOf = ({ scope, folder }: Reference): string =>
    join(dataDir, 'extensions', 'off', kind, `${scope}-${placeName(folder)}`);
  return {
    async isOn(reference) {
      try {
        await access(join(folderOf(reference), reference.id));
        return false;
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return true;
        throw error;
      }
    },
    async turn(reference, isOn) {
      const folder = folderOf(reference);
      if (isOn) return rm(join(folder, reference.id), { force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomically(join(folder, reference.id), '');
    },
  };
}
