import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Environment, plistText, writeFileAtomically } from '@fucina/shared';

export interface AutostartNeeds {
  platform: NodeJS.Platform;
  environment: Environment;
  /** Absolute. */
  home: string;
  /** Program and arguments that open the application. */
  command: readonly string[];
}

/**
 * Opens the application at login, or no longer, by a file of the user's: XDG Autostart, an agent of launchd on macOS, the
 * Startup folder on Windows. Returns the file's path. Not run on macOS and Windows yet.
 */
export async function setStartAtLogin(needs: AutostartNeeds, isOn: boolean): Promise<string> {
  const { file, text } = entryOf(needs);
  if (!isOn) {
    await rm(file, { force: true });
    return file;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomically(file, text, { mode: 0o644 });
  return file;
}

interface Entry {
  file: string;
  text: string;
}

function entryOf(needs: AutostartNeeds): Entry {
  if (needs.platform === 'darwin') return launchAgent(needs);
  if (needs.platform === 'win32') return startupCommand(needs);
  return desktopEntry(needs);
}

function launchAgent({ environment, home, command }: AutostartNeeds): Entry {
  const label = 'local.fucina.app';
  return {
    file: join(home, 'Library', 'LaunchAgents', `${label}.plist`),
    text: plistText({
      Label: label,
      ProgramArguments: command,
      // Agents need the programs that the user has.
      ...(environment.PATH && { EnvironmentVariables: { PATH: environment.PATH } }),
      RunAtLoad: true,
    }),
  };
}

function startupCommand({ environment, home, command }: AutostartNeeds): Entry {
  const roaming = environment.APPDATA || join(home, 'AppData', 'Roaming');
  const words = command.map(quotedForCmd).join(' ');
  return {
    file: join(roaming, 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Startup', 'Fucina.cmd'),
    text: `@start "Fucina" /min ${words}\r\n`,
  };
}

/** `%` begins a variable; backslashes before the closing quote would escape it. File names have no quotes there. */
function quotedForCmd(word: string): string {
  return `"${word.replaceAll('%', '%%').replace(/\\+$/, '$&$&')}"`;
}

function desktopEntry({ environment, home, command }: AutostartNeeds): Entry {
  const config = environment.XDG_CONFIG_HOME || join(home, '.config');
  const exec = command.map(quoted).join(' ');
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Fucina', `Exec=${exec}`, 'Icon=fucina', 'Terminal=false'];
  return { file: join(config, 'autostart', 'fucina.desktop'), text: `${lines.join('\n')}\n` };
}

/** As the Desktop Entry Specification quotes arguments: twice, as a string of the file and as an argument. */
function quoted(argument: string): string {
  const inside = argument
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%');
  return `"${inside}"`;
}
