import { cleanLine } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { keysNear } from '../config/keys.ts';
import { type SettingsPlace, settingsPaths } from '../config/settings-paths.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** The files selected with --scope; all by default. */
export function placesOf({ scope }: CommonFlags, { io }: Terminal): SettingsPlace[] {
  return settingsPaths(io, io.cwd).filter((place) => scope === undefined || place.scope === scope);
}

const WIDTH = 80;

export function refuseUnknown(key: string, { say, err }: Terminal): ExitCode {
  err(`fucina: ${say('config.no-such-key', { key: cleanLine(key, WIDTH), allowed: keysNear(key).join(', ') })}`);
  return EXIT.usage;
}
