import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Environment, writeFileAtomically } from '@fucina/shared';

export interface AutostartNeeds {
  environment: Environment;
  /** Absolute. */
  home: string;
  /** Program and arguments that open the application. */
  command: readonly string[];
}

/**
 * Opens the application at login, or no longer: a file in the user's autostart folder, which desktops on Linux read
 * (XDG Autostart). Returns the file's path.
 */
export async function setStartAtLogin(needs: AutostartNeeds, isOn: boolean): Promise<string> {
  const config = needs.environment.XDG_CONFIG_HOME || join(needs.home, '.config');
  const file = join(config, 'autostart', 'fucina.desktop');
  if (!isOn) {
    await rm(file, { force: true });
    return file;
  }
  await mkdir(dirname(file), { recursive: true });
  const exec = needs.command.map(quoted).join(' ');
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Fucina', `Exec=${exec}`, 'Icon=fucina', 'Terminal=false'];
  await writeFileAtomically(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  return file;
}

/** As the Desktop Entry Specification quotes arguments: twice, as a string of the file and as an argument. */
function quoted(argument: string): string {
  const inside = argument
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${inside}"`;
}
