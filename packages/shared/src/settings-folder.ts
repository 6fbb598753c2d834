import { join } from 'node:path';
import type { Environment } from './child-environment.ts';

/** Each system's folder for user settings. */
export function settingsFolder(environment: Environment, home: string): string {
  if (environment.FUCINA_CONFIG_DIR) return environment.FUCINA_CONFIG_DIR;
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fucina');
  if (process.platform === 'win32') return join(environment.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Fucina');
  return join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'fucina');
}
