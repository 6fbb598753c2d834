import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFolder } from '@fucina/shared';
import type { Io } from '../io.ts';
import type { Scope } from './keys.ts';

/** Relative to the project folder. */
export const PROJECT_FILE = '.svc/settings.json';

export interface SettingsPlace {
  scope: Scope;
  path: string;
  /** For a project's file: the real folder that must contain it. */
  root?: string;
}

/** Weakest first. */
export function settingsPaths(io: Io, dir: string): SettingsPlace[] {
  const own = configDir(io);
  return [
    { scope: 'user', path: join(own, 'settings.json') },
    { scope: 'project', path: join(dir, PROJECT_FILE), root: realPathOf(dir) },
    { scope: 'project-user', path: join(own, 'projects', `${folderName(dir)}.json`) },
  ];
}

/** Each system's folder for user settings. */
export function configDir({ env, home }: Io): string {
  return settingsFolder(env, home);
}

/** A folder's key among a user's files: the same for all spellings of the folder. */
function folderName(dir: string): string {
  return createHash('sha256').update(realPathOf(dir)).digest('hex').slice(0, 32);
}

export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Does not exist (yet): uses its spelling.
    return path;
  }
}
